import assert from "node:assert/strict";
import { record } from "../../pipeline/snapshot/memory.ts";
import { siteOf } from "../app.ts";
import { documentOf, parse, textOf } from "../document.ts";

const INSPECTED = record(90100, {
  legal_name: "INSPECTED CARRIER",
  city: "AKRON",
  state: "OH",
  operation: "A",
  mcs150_date: "2020-01-02",
  rating: "C",
  power_units: 1,
  dockets: [{ prefix: "MC", number: 186800, status: "I" }],
  inspections: {
    total: 44,
    last: "2026-09-17",
    violations: 5,
    vehicle: { inspections: 40, out_of_service: 6 },
    driver: { inspections: 3, out_of_service: 0 },
    hazmat: { inspections: 0, out_of_service: 0 },
  },
});

/** A script, marks that turn the line, and 500 characters; unlike real ones it came through no reading. */
const HOSTILE = record(666, {
  legal_name: `</title><script>window.pwned=1</script>\u202e${"LONG ".repeat(100)}`,
  dba_name: `"><img src=x onerror="window.pwned=1">\r\nSnapshot: forged`,
  city: "</script><b>AKRON</b>",
  state: "\u200fOH\u0000",
});

Deno.test("a carrier's page leads with the worst finding in words, and approves no carrier", async () => {
  const { visit } = siteOf([INSPECTED]);
  const text = await textOf(await visit("/carriers/90100"));
  assert.match(text, /^INSPECTED CARRIER ?USDOT 90100 · MC 186800 · AKRON, OH/);
  assert.match(text, /MCS-150 overdue since Oct 31, 2024 \(and 1 more\)/);
  assert.match(text, /MCS-150 overdue since Oct 31, 2024 ?Rated Conditional ?OK: USDOT number/);
  assert.match(text, /Next: Your company\? File the update now/);
  assert.match(text, /Source: Company Census File of Oct 3, 2026; 49 CFR 390.19T\(b\)/);
  assert.match(
    text,
    /Oct 31, 2024, 704 days ago: no update for it in FMCSA's census of Oct 3, 2026/,
  );
  assert.match(text, /MC 186800: listed inactive/);
  assert.doesNotMatch(text, /\bsafe\b|approved|compliant|\bclean\b/i);
});

Deno.test("data older than three days is marked wherever an answer is shown", async () => {
  // Incident: only /status said so.
  const { visit, clock } = siteOf([INSPECTED]);
  clock.advance(2 * 86_400_000);
  for (const path of ["/carriers/90100", "/"]) {
    const html = await (await visit(path)).text();
    assert.match(html, /class="state warn">FMCSA data: census of Oct 3, 2026 \(4 days old\)/, path);
  }
  const record = await (await visit("/carriers/90100/record.txt")).text();
  assert.match(record, /\(4 days old\).*STALE: more than 3 days old/);
});

Deno.test("the verdict has the tone of its worst check, and no tone of praise", async () => {
  const { visit } = siteOf([
    record(90101, { status: "I", rating: "C" }),
    record(90102, { rating: "C" }),
    record(90103, { rating: "S" }),
  ]);
  for (const [dot, tone] of [["90101", "bad"], ["90102", "warn"], ["90103", "info"]]) {
    const document = await documentOf(await visit(`/carriers/${dot}`));
    assert.equal(document.querySelector("section.notice")!.getAttribute("class"), `notice ${tone}`);
  }
});

Deno.test("five inspections of a kind are enough to compare", async () => {
  const five = { inspections: 5, out_of_service: 1 };
  const inspections = { ...INSPECTED.inspections!, driver: five };
  const { visit } = siteOf([{ ...INSPECTED, inspections }]);
  assert.doesNotMatch(await textOf(await visit("/carriers/90100")), /too few/);
});

Deno.test("a deadline that an early filing may have met is not called missed", async () => {
  // 22 months before the deadline of Oct 31, 2024: whether it counts is not settled.
  const { visit } = siteOf([record(90100, { mcs150_date: "2022-12-20" })]);
  const text = await textOf(await visit("/carriers/90100"));
  assert.match(
    text,
    /Oct 31, 2024, 704 days ago: whether the last filing counts for it is not settled/,
  );
  assert.doesNotMatch(text, /no update for it/);
});

Deno.test("a carrier's page draws rates beside the averages, with sample sizes, and in words", async () => {
  const { visit } = siteOf([INSPECTED]);
  const document = await documentOf(await visit("/carriers/90100"));
  const [vehicle, driver, hazmat] = [...document.querySelectorAll("figure")];
  assert.equal(
    vehicle!.querySelector("svg")!.getAttribute("aria-label"),
    "Vehicle: this carrier 15.0%, national average 22.26%",
  );
  // The longest of the page, 22.26%, is 150 units long.
  const widths = [...vehicle!.querySelectorAll("rect")].map((bar) => bar.getAttribute("width"));
  assert.deepEqual(widths, ["101.1", "150"]);
  assert.match(vehicle!.textContent, /Vehicle: 40 inspections.*6 of 40 out of service/s);
  assert.doesNotMatch(vehicle!.textContent, /too few/);
  assert.match(
    driver!.textContent,
    /Driver: 3 inspections.*0 of 3 out of service\. Too few to compare/s,
  );
  assert.equal(hazmat!.querySelector("svg"), null);
  assert.match(hazmat!.textContent, /No inspections of this kind, so no rate/);
});

Deno.test("a carrier's page says what is inactive, pending, not inspected and blank", async () => {
  const { visit } = siteOf([
    record(1, { status: "I", legal_name: "" }),
    record(2, { status: "P", power_units: 0 }),
  ]);
  const inactive = await textOf(await visit("/carriers/1"));
  assert.match(inactive, /^USDOT 1/);
  assert.match(inactive, /Inactive/);
  assert.match(
    inactive,
    /No roadside inspections in 24 months: out-of-service rates can't be calculated/,
  );
  assert.match(
    inactive,
    /Blank in the census: legal name, city, state, where it operates, power/,
  );
  assert.match(inactive, /Power units ?not reported/);
  const pending = await textOf(await visit("/carriers/2"));
  assert.match(pending, /Registration pending/);
  assert.match(pending, /Power units ?0/);
});

Deno.test("a carrier's page takes one read of one shard", async () => {
  const { visit, source } = siteOf([INSPECTED]);
  await visit("/about");
  await visit("/");
  source.gets.length = 0;
  await (await visit("/carriers/90100?mc=186800")).text();
  assert.deepEqual(source.gets, ["s/a/carriers/901.json.gz"]);
});

Deno.test("a carrier's page is cacheable until the day ends, and names its snapshot", async () => {
  const { visit } = siteOf([INSPECTED]);
  const page = await visit("/carriers/90100");
  assert.equal(page.headers.get("snapshot-id"), "a");
  assert.match(page.headers.get("cdn-cache-control")!, /^public, max-age=\d+$/);
  const again = await visit("/carriers/90100", {
    headers: { "If-None-Match": page.headers.get("etag")! },
  });
  assert.equal(again.status, 304);
});

Deno.test("a number with leading zeros leads to the one address", async () => {
  const { visit } = siteOf();
  const { status, headers } = await visit("/carriers/00295017?mc=7");
  assert.deepEqual([status, headers.get("location")], [301, "/carriers/295017?mc=7"]);
});

Deno.test("an unknown number is a page with what to try next", async () => {
  const { visit } = siteOf();
  const page = await visit("/carriers/186800");
  assert.deepEqual([page.status, page.headers.get("cache-control")], [404, "no-store"]);
  const html = await page.text();
  assert.match(html, /<h1>USDOT 186800 is not in the census<\/h1>/);
  assert.match(html, /not in FMCSA&#39;s census of Oct 3, 2026/);
  assert.match(html, /href="\/search\?q=MC\+186800"/);
  assert.match(html, /too new/);
  assert.match(html, /<main.*role="search"/s);
});

Deno.test("the hint at an MC number takes digits only", async () => {
  const { visit } = siteOf();
  assert.match(await (await visit("/carriers/295017?mc=0077")).text(), /mean the MC number 77\?/);
  const odd = await (await visit(`/carriers/295017?mc=${encodeURIComponent("<b>1")}`)).text();
  assert.doesNotMatch(odd, /mean the MC number/);
});

Deno.test("an invalid number is a page that says what is wrong and keeps what was typed", async () => {
  const { visit } = siteOf();
  for (
    const [typed, message] of [
      ["12a", "not a digit at position 3"],
      ["123456789", "9 digits, at most 8 allowed"],
      ["0", "numbers start at 1"],
      ["%3Cscript%3E", "not a digit at position 1"],
    ]
  ) {
    const page = await visit(`/carriers/${typed}`);
    assert.equal(page.status, 400, typed);
    const document = await documentOf(page);
    assert.equal(document.querySelector("h1")!.textContent, "That is not a USDOT number");
    assert.ok(document.querySelector("main")!.textContent.includes(message!), typed);
    const kept = typed === "0" ? "0" : decodeURIComponent(typed!);
    assert.equal(document.querySelector("#q")!.getAttribute("value"), kept);
  }
});

Deno.test("without data a carrier's page says so, and when to try again", async () => {
  const { visit, source, logged } = siteOf([INSPECTED]);
  source.fault = (_, path) => path.includes("carriers/") ? "error" : null;
  const page = await visit("/carriers/90100");
  assert.equal(page.status, 503);
  assert.ok(Number(page.headers.get("retry-after")) > 0);
  assert.equal(page.headers.get("cache-control"), "no-store");
  assert.match(await page.text(), /cannot be read at the moment.*href="\/carriers\/90100"/s);
  assert.equal(logged.length, 1);
});

Deno.test("the vetting record has the time, the snapshot, six verdicts with sources, the address", async () => {
  const { visit } = siteOf([INSPECTED]);
  const response = await visit("/carriers/90100/record.txt");
  assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(response.headers.get("cache-control"), "no-store");
  const text = await response.text();
  for (
    const line of [
      "Looked up: 2026-10-05T16:00:00Z, on Oct 5, 2026 in New York",
      "FMCSA data: census of Oct 3, 2026 (2 days old), inspections to Oct 3, 2026.",
      "Snapshot: a",
      "Page: https://carriers.example/carriers/90100",
      "Legal name: INSPECTED CARRIER",
      "Dockets: MC 186800 (listed inactive)",
      "MCS-150 overdue since Oct 31, 2024 (and 1 more).",
      "2. MCS-150 update: Problem",
      "4. Safety rating: Review",
    ]
  ) assert.ok(text.split("\n").includes(line), line);
  assert.equal(text.match(/^Source: .* of Oct 3, 2026.*https:\/\//gm)!.length, 6);
  assert.equal((await visit("/carriers/4/record.txt")).status, 404);
});

Deno.test("a hostile carrier is inert in the page, its title and its facts", async () => {
  const { visit } = siteOf([HOSTILE]);
  const html = await (await visit("/carriers/666")).text();
  assert.doesNotMatch(html, /[\p{Cf}\0]/u);
  const document = parse(html);
  assert.equal(document.querySelectorAll("img, b:not(figcaption b)").length, 0);
  for (const script of document.querySelectorAll("script")) {
    assert.ok(script.getAttribute("src") || script.getAttribute("type") === "application/ld+json");
  }
  const title = document.querySelector("title")!.textContent;
  assert.ok(title.startsWith("</title><script>window.pwned=1</script>LONG"), title);
  assert.ok(title.length < 160);
  const heading = document.querySelector("h1 bdi")!.textContent;
  assert.ok(heading.startsWith("</title><script>") && heading.length <= 500);
  const facts = JSON.parse(document.querySelector("[type='application/ld+json']")!.textContent);
  assert.equal(facts.address.addressLocality, "</script><b>AKRON</b>");
  assert.equal(facts.address.addressRegion, "OH");
  assert.doesNotMatch(JSON.stringify(facts), /\p{C}/u);
});

Deno.test("a carrier whose name cannot be seen is called by its number", async () => {
  const { visit } = siteOf([record(5, { legal_name: "\u200b\u3164" })]);
  const document = await documentOf(await visit("/carriers/5"));
  assert.equal(document.querySelector("h1")!.textContent, "USDOT 5");
  assert.match(document.querySelector("title")!.textContent, /^USDOT 5 ·/);
});

Deno.test("a hostile carrier adds no line to the vetting record", async () => {
  const { visit } = siteOf([HOSTILE]);
  const text = await (await visit("/carriers/666/record.txt")).text();
  assert.equal(text.match(/^Snapshot: /gm)!.length, 1);
  assert.match(text, /^Doing business as: "><img .*> Snapshot: forged$/m);
  assert.doesNotMatch(text.replaceAll("\n", ""), /\p{C}/u);
});

Deno.test("a carrier's facts are an Organization with its numbers and nothing made up", async () => {
  const { visit } = siteOf([record(295017, { dockets: [{ prefix: "FF", number: 77 }] })]);
  const document = await documentOf(await visit("/carriers/295017"));
  assert.deepEqual(
    JSON.parse(document.querySelector("[type='application/ld+json']")!.textContent),
    {
      "@context": "https://schema.org",
      "@type": "Organization",
      "@id": "https://carriers.example/carriers/295017",
      url: "https://carriers.example/carriers/295017",
      name: "CARRIER 295017",
      legalName: "CARRIER 295017",
      identifier: [
        { "@type": "PropertyValue", propertyID: "USDOT", value: "295017" },
        { "@type": "PropertyValue", propertyID: "FF", value: "77" },
      ],
    },
  );
});
