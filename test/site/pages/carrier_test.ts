import assert from "node:assert/strict";
import { record } from "../../pipeline/snapshot/memory.ts";
import { siteOf } from "../app.ts";
import { documentOf, mainOf, parse } from "../document.ts";

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
  const document = await documentOf(await visit("/carriers/90100"));
  const text = document.querySelector("main")!.textContent.replace(/\s+/g, " ");
  for (
    const part of [
      /^INSPECTED CARRIER ?USDOT 90100 ?MC 186800 ?AKRON, OH/,
      /Data of Oct 3, 2026 \(2 days old\)/,
      /MCS-150 overdue since Oct 31, 2024 \(and 1 more\) ?Filed Jan 2, 2020; was due Oct 31, 2024\. Also: rated Conditional\./,
      /Next: Your company\? File the update now/,
      /Source: Company Census File of Oct 3, 2026; 49 CFR 390.19T\(b\)/,
      /MC 186800: listed inactive/,
    ]
  ) assert.match(text, part);
  assert.doesNotMatch(text, /\bsafe\b|approved|compliant|\bclean\b/i);
  // The checks that need a look come first, and each opens to its source.
  const checks = [...document.querySelectorAll(".checks details")];
  assert.deepEqual(
    checks.map((check) => check.querySelector(".state")!.textContent),
    ["Problem", "Review", "Not enough data", "Not enough data", "OK", "OK"],
  );
  for (const check of checks) {
    assert.match(check.querySelector(".inside")!.textContent, /Source: .* of Oct 3, 2026/);
  }
  const links = [...document.querySelectorAll(".verdict .actions a")];
  assert.deepEqual(links.map((link) => link.getAttribute("href")), [
    "https://safer.fmcsa.dot.gov/query.asp?searchtype=ANY&query_type=queryCarrierSnapshot" +
    "&query_param=USDOT&query_string=90100",
    "/carriers/90100/record",
    "/mcs150.ics?dot=90100",
  ]);
  const body = document.querySelector("body")!;
  for (const hidden of body.querySelectorAll(".inside, title, .skip, .compact label")) {
    hidden.remove();
  }
  const words = body.textContent.match(/[\p{L}\p{N}][^\s·]*/gu)!;
  assert.ok(words.length <= 350, `${words.length} words are seen before anything is opened`);
});

Deno.test("data older than three days is marked wherever an answer is shown", async () => {
  // Incident: only /status said so.
  const { visit, clock } = siteOf([INSPECTED]);
  clock.advance(2 * 86_400_000);
  const page = await (await visit("/carriers/90100")).text();
  assert.match(page, /class="warn">Data of Oct 3, 2026 \(4 days old\)/);
  const home = await (await visit("/")).text();
  assert.match(home, /class="state warn">FMCSA data: census of Oct 3, 2026 \(4 days old\)/);
  const record = await (await visit("/carriers/90100/record.txt")).text();
  assert.match(record, /\(4 days old\).*STALE: more than 3 days old/);
});

Deno.test("rates are drawn from 0 to 100% with a tick at the average, and said in words", async () => {
  const above = { inspections: 13, out_of_service: 10 };
  const inspections = { ...INSPECTED.inspections!, vehicle: above };
  const { visit } = siteOf([INSPECTED, { ...INSPECTED, dot: 90101, inspections }]);
  const document = await documentOf(await visit("/carriers/90100"));
  const [vehicle, driver, hazmat] = [...document.querySelectorAll(".rate")];
  assert.equal(
    vehicle!.querySelector("svg")!.getAttribute("aria-label"),
    "Vehicle: 15.0%, national average 22.26%",
  );
  const [, bar, tick] = [...vehicle!.querySelectorAll("rect")];
  assert.deepEqual([bar!.getAttribute("width"), tick!.getAttribute("x")], ["150", "220.6"]);
  assert.match(vehicle!.textContent, /Vehicle out of service.*6 of 40 · 15\.0%$/s);
  assert.match(driver!.textContent, /0 of 3 · 0\.0% · too few to compare/);
  assert.equal(hazmat, undefined);
  assert.match(document.querySelector(".legend")!.textContent, /hazmat: none inspected/);
  // Only a rate above the average has the color of a finding.
  assert.equal(vehicle!.querySelector("svg")!.getAttribute("class"), "");
  const other = await documentOf(await visit("/carriers/90101"));
  assert.equal(other.querySelector(".rate svg")!.getAttribute("class"), "above");
  assert.match(
    other.querySelector(".checks")!.textContent,
    /Vehicle 76\.9% vs 22\.26%, driver 0\.0% vs 6\.67% national average/,
  );
});

Deno.test("a carrier's page takes one read of one shard, is cacheable, and names its snapshot", async () => {
  const { visit, source } = siteOf([INSPECTED]);
  await visit("/about");
  await visit("/");
  source.gets.length = 0;
  const page = await visit("/carriers/90100?mc=186800");
  await page.text();
  assert.deepEqual(source.gets, ["s/a/carriers/901.json.gz"]);
  assert.equal(page.headers.get("snapshot-id"), "a");
  assert.match(page.headers.get("cdn-cache-control")!, /^public, max-age=\d+$/);
  const headers = { "If-None-Match": page.headers.get("etag")! };
  assert.equal((await visit("/carriers/90100?mc=186800", { headers })).status, 304);
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

Deno.test("a hostile carrier is inert in the page, its title, its facts and its vetting record", async () => {
  const { visit } = siteOf([HOSTILE, record(5, { legal_name: "\u200b\u3164" })]);
  const html = await (await visit("/carriers/666")).text();
  assert.doesNotMatch(html, /[\p{Cf}\0]/u);
  const document = parse(html);
  assert.equal(document.querySelectorAll("img, b:not(.chips b)").length, 0);
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
  const text = await (await visit("/carriers/666/record.txt")).text();
  assert.equal(text.match(/^Snapshot: /gm)!.length, 1);
  assert.match(text, /^Doing business as: "><img .*> Snapshot: forged$/m);
  assert.doesNotMatch(text.replaceAll("\n", ""), /\p{C}/u);
  const main = await mainOf(await visit("/carriers/666/record"));
  assert.equal(main.querySelectorAll("img, script").length, 0);
  const unseen = await documentOf(await visit("/carriers/5"));
  assert.equal(unseen.querySelector("h1")!.textContent, "USDOT 5");
  assert.match(unseen.querySelector("title")!.textContent, /^USDOT 5 ·/);
});
