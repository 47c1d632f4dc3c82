import assert from "node:assert/strict";
import { BODY_REVISION } from "../../../api/http/lookups.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { record } from "../../pipeline/snapshot/memory.ts";
import { siteOf } from "../app.ts";
import { documentOf, mainOf, parse } from "../document.ts";
import CARRIERS from "./carriers.json" with { type: "json" };

const INSPECTED = record(90100, CARRIERS[90100] as Partial<CarrierRecord>);

/** A script, characters that reorder text, and 500 characters; unlike real names it wasn't parsed by a build. */
const HOSTILE = record(666, {
  legal_name: `</title><script>window.pwned=1</script>\u202e${"LONG ".repeat(100)}`,
  dba_name: `"><img src=x onerror="window.pwned=1">\r\nSnapshot: forged`,
  city: "</script><b>AKRON</b>",
  state: "\u200fOH\u0000",
});

Deno.test("a carrier's page has at most 350 words, and shows first the checks that need a look", async () => {
  const document = await documentOf(await siteOf([INSPECTED]).visit("/carriers/90100"));
  const checks = [...document.querySelectorAll(".checks details")];
  assert.deepEqual(
    checks.map((check) => check.querySelector(".state")!.textContent),
    ["Problem", "Review", "Info", "Info", "OK", "OK"],
  );
  for (const check of checks) {
    assert.match(check.querySelector(".inside")!.textContent, /Source: .* File, Oct 3, 2026/);
  }
  const body = document.querySelector("body")!;
  for (const hidden of body.querySelectorAll(".inside, title, .skip, .compact label")) {
    hidden.remove();
  }
  const words = body.textContent.match(/[\p{L}\p{N}][^\s·]*/gu)!;
  assert.ok(words.length <= 350, `${words.length} words are seen before anything is opened`);
});

Deno.test("data older than three days is marked wherever an answer is shown", async () => {
  // Regression: only /status said so.
  const { visit, clock } = siteOf([INSPECTED]);
  clock.advance(2 * 86_400_000);
  const page = await (await visit("/carriers/90100")).text();
  assert.match(page, /class="warn">Data of Oct 3, 2026 \(4 days old\)/);
  const home = await (await visit("/")).text();
  assert.match(home, /class="state warn">FMCSA data: census of Oct 3, 2026 \(4 days old\)/);
  const record = await (await visit("/carriers/90100/record.txt")).text();
  assert.match(record, /\(4 days old\).*STALE: more than 3 days old/);
});

Deno.test("a carrier's page reads one shard once, is cacheable, and names its snapshot", async () => {
  const { visit, source } = siteOf([INSPECTED]);
  await visit("/about");
  source.gets.length = 0;
  const page = await visit("/carriers/90100?mc=186800");
  await page.text();
  assert.deepEqual(source.gets, ["s/a/carriers/901.json.gz"]);
  assert.equal(page.headers.get("snapshot-id"), "a");
  assert.match(page.headers.get("cdn-cache-control")!, /^public, max-age=\d+$/);
  const headers = { "If-None-Match": page.headers.get("etag")! };
  assert.equal((await visit("/carriers/90100?mc=186800", { headers })).status, 304);
});

Deno.test("the home page's examples are of a carrier in the snapshot, and there are none without data", async () => {
  const { visit } = siteOf([INSPECTED]);
  const html = await (await visit("/")).text();
  assert.match(html, /For example: <a href="\/search\?q=90100">/);
  assert.doesNotMatch(html, /286764|143229/);
  const down = siteOf([INSPECTED]);
  down.source.fault = (_, path) => path.includes("carriers/") ? "error" : null;
  const page = await down.visit("/");
  assert.equal(page.status, 200);
  assert.doesNotMatch(await page.text(), /For example a USDOT number/);
});

Deno.test("without data a carrier's page says so, and when to try again", async () => {
  const { visit, source, logged } = siteOf([INSPECTED]);
  source.fault = (_, path) => path.includes("carriers/") ? "error" : null;
  const page = await visit("/carriers/90100");
  assert.equal(page.status, 503);
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

Deno.test("the JSON of a vetting record is the API's carrier plus the lookup", async () => {
  const { visit } = siteOf([INSPECTED]);
  const { carrier, sha256: _, ...lookup } = await (await visit("/carriers/90100/record.json"))
    .json();
  assert.deepEqual(carrier, await (await visit("/api/v1/carriers/90100")).json());
  assert.match(lookup.snapshot.manifest_sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual({ ...lookup, snapshot: lookup.snapshot.id }, {
    file: "vetting-record-usdot-90100-2026-10-05",
    looked_up_at: "2026-10-05T16:00:00Z",
    page_url: "https://carriers.example/carriers/90100",
    snapshot: "a",
    revision: BODY_REVISION,
    history: { since: "2026-10-03", changes: [] },
    proof: null,
    not_proven: "Cannot prove a row of a: it was built before snapshots had a hash tree",
  });
});
