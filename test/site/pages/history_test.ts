import assert from "node:assert/strict";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { MemorySource, type Objects, record } from "../../pipeline/snapshot/memory.ts";
import { type CensusDay, putChain } from "../../pipeline/snapshot/memory_chain.ts";
import { siteOf, siteOver } from "../app.ts";
import { documentOf, type Element, mainOf, textOf } from "../document.ts";
import { problemsOf } from "../html.ts";

const seven = (more: Partial<CarrierRecord>): CarrierRecord =>
  record(7, { legal_name: "ACME INC", power_units: 12, ...more });

const HOSTILE_NAME = "</b><script>alert(1)</script>\u202eLIAM\nSnapshot: forged";

const DAYS: CensusDay[] = [
  { dataDate: "2026-09-30", carriers: [seven({ phone: "3305550100" }), record(9)] },
  { dataDate: "2026-10-01", carriers: [seven({ phone: "3305550123" }), record(9)] },
  { dataDate: "2026-10-03", carriers: [seven({ phone: "3305550123", status: "I" })] },
];

function siteOverDays(days: readonly CensusDay[], more: Parameters<typeof putChain>[2] = {}) {
  const objects: Objects = new Map();
  putChain(objects, days, more);
  return { ...siteOver(new MemorySource(objects)), objects };
}

/** A page's links to this site, and those among them with a day. */
function linksOf(main: Element): { all: string[]; dated: string[] } {
  const all = [...main.querySelectorAll("a[href^='/']")].map((one) => one.getAttribute("href")!);
  return { all, dated: all.filter((href) => href.includes("as_of")).sort() };
}

Deno.test("a page as of a day says so first, names the snapshot, and is not for search engines", async () => {
  const { visit } = siteOverDays(DAYS);
  const response = await visit("/carriers/7?as_of=2026-10-02");
  assert.equal(response.headers.get("snapshot-id"), "2026-10-01-1");
  const document = await documentOf(response);
  const main = document.querySelector("main")!;
  const first = main.querySelector("*")!;
  assert.equal(first.getAttribute("class"), "notice warn");
  assert.equal(
    first.textContent,
    "As of Oct 2, 2026: the record of that day, not today's. FMCSA data: census of Oct 1, 2026 (1 day " +
      "old on Oct 2, 2026), inspections through Oct 3, 2026. Snapshot 2026-10-01-1. Back to today",
  );
  assert.equal(first.querySelector("a")!.getAttribute("href"), "/carriers/7");
  assert.equal(document.querySelector("meta[name=robots]")!.getAttribute("content"), "noindex");
  const canonical = document.querySelector("link[rel=canonical]")!.getAttribute("href");
  assert.equal(canonical, "https://carriers.example/carriers/7");
  assert.equal(document.querySelector("[type='application/ld+json'], [property^=og]"), null);
  // A past name must not get into the list of recent lookups.
  assert.equal(document.querySelector("script[src*=recent]"), null);
  assert.match(main.textContent, /\(330\) 555-0123/);
  assert.match(main.textContent, /Tracked since Sep 30, 2026 · 1 change/);
});

Deno.test("the record, its files and the JSON of a past day keep the day, and all other links lead to today", async () => {
  const { visit } = siteOverDays(DAYS);
  const page = linksOf(await mainOf(await visit("/carriers/7?as_of=2026-10-01")));
  assert.deepEqual(page.dated, [
    "/api/v1/carriers/7?as_of=2026-10-01",
    "/carriers/7/record?as_of=2026-10-01",
    "/carriers/7?as_of=2026-10-01",
  ]);
  // Only the reminder. The due date of the past day has no calendar file, which would be computed as of today.
  assert.equal(page.all.filter((href) => href.includes(".ics")).length, 1);
  const record = linksOf(await mainOf(await visit("/carriers/7/record?as_of=2026-10-01")));
  assert.deepEqual(record.dated, [
    "/carriers/7/record.json?as_of=2026-10-01",
    "/carriers/7/record.txt?as_of=2026-10-01",
    "/carriers/7?as_of=2026-10-01",
  ]);
  const present = linksOf(await mainOf(await visit("/carriers/7")));
  // The link for sharing includes the day, so that it keeps showing what is shown now.
  assert.deepEqual(present.dated, ["/carriers/7?as_of=2026-10-05"]);
});

Deno.test("a vetting record of a past day has the same bytes whenever it is made", async () => {
  const { visit, clock, objects } = siteOverDays(DAYS.slice(0, 2));
  const files = ["record", "record.txt", "record.json"];
  const made = async (): Promise<string[]> =>
    await Promise.all(files.map(async (file) => {
      const response = await visit(`/carriers/7/${file}?as_of=2026-09-30`);
      assert.equal(response.status, 200);
      return await response.text();
    }));
  const before = await made();
  putChain(objects, DAYS);
  clock.advance(26 * 3_600_000);
  assert.match(await textOf(await visit("/carriers/7")), /Inactive/);
  assert.deepEqual(await made(), before);
  const [html, text, json] = before;
  assert.match(html!, /<article class="record"><p class="notice warn"><strong>As of Sep 30, 2026</);
  assert.match(text!, /^As of Sep 30, 2026: the record of that day, not today's\.$/m);
  assert.match(text!, /^Page: https:\/\/carriers\.example\/carriers\/7\?as_of=2026-09-30$/m);
  assert.doesNotMatch(text!, /Looked up/);
  const { file, as_of, looked_up_at, carrier } = JSON.parse(json!);
  assert.deepEqual(
    [file, as_of, looked_up_at, carrier.status],
    ["vetting-record-usdot-7-as-of-2026-09-30", "2026-09-30", undefined, "active"],
  );
});

Deno.test("a vetting record has the changes in all its formats, in JSON as the API lists them", async () => {
  const { visit } = siteOverDays(DAYS, { gaps: [{ day: "2026-10-01", members: ["cargo"] }] });
  const gap =
    "Not compared between Sep 30 and Oct 1, 2026, because we read it differently afterward: Cargo.";
  const table = (await mainOf(await visit("/carriers/7/record"))).querySelector("table")!;
  assert.equal(
    [...table.querySelectorAll("tbody tr")].map(({ textContent }) => textContent).join(" | "),
    "Between Oct 1 and Oct 3, 2026Status active → inactive | " +
      "Between Sep 30 and Oct 1, 2026Phone number changed",
  );
  assert.ok((await textOf(await visit("/carriers/7/record"))).includes(gap));
  const text = await (await visit("/carriers/7/record.txt")).text();
  assert.match(
    text,
    new RegExp(
      "^Changes: Tracked since Sep 30, 2026, 2 changes\\.\n" +
        "- Between Oct 1 and Oct 3, 2026: Status: active → inactive\n" +
        "- Between Sep 30 and Oct 1, 2026: Phone number: changed\n" +
        "We don't list old contact details\\.\nNot compared between",
      "m",
    ),
  );
  const { history } = await (await visit("/carriers/7/record.json")).json();
  const { since, changes, gaps } = await (await visit("/api/v1/carriers/7/history")).json();
  assert.deepEqual(history, { since, changes, gaps });
  assert.equal(changes.length, 2);
});

Deno.test("the newest changes are shown, more are folded, and the rest is counted", async () => {
  const days = Array.from({ length: 121 }, (_, i): CensusDay => ({
    dataDate: new Date(Date.UTC(2026, 5, 5 + i)).toISOString().slice(0, 10),
    carriers: [seven({
      legal_name: `${"NAME ".repeat(23)}${i}`,
      inspections: {
        total: 1,
        last: "2026-09-30",
        violations: 0,
        vehicle: { inspections: 1, out_of_service: 0 },
        driver: { inspections: 0, out_of_service: 0 },
        hazmat: { inspections: 0, out_of_service: 0 },
      },
    })],
  }));
  const { visit } = siteOverDays(days.slice(0, 7));
  const six = await mainOf(await visit("/carriers/7"));
  const open = six.querySelector("section:has(> #changes) .folds > dl")!;
  assert.ok(open.querySelectorAll("dd").length <= 4);
  const all = six.querySelectorAll("section:has(> #changes) dd").length;
  const text = six.textContent.replaceAll(/\s+/g, " ");
  const [, more = "0"] = /And (\d+) more: see the vetting record/.exec(text) ?? [];
  assert.equal(all + Number(more), 6);
  const link = six.querySelector("a[href='/carriers/7/record#changes']");
  assert.equal(link !== null, more !== "0");
  // A record keeps 100 changes; older ones are unknown.
  const many = siteOverDays(days.slice(0, 101));
  const record = await mainOf(await many.visit("/carriers/7/record"));
  const listed = record.querySelectorAll("#changes ~ table tbody tr").length;
  const said = /And (\d+) more: the record as text has all/.exec(record.textContent)![1];
  assert.equal(listed + Number(said), 100);
  const lines = await (await many.visit("/carriers/7/record.txt")).text();
  assert.equal(lines.match(/^- Between/gm)!.length, 100);
});

Deno.test("a root with one day offers no other, and says since when changes are tracked", async () => {
  const main = await mainOf(await siteOf([record(7)]).visit("/carriers/7"));
  assert.equal(main.querySelector("#as_of"), null);
  const heading = main.querySelector("#changes")!.textContent.replaceAll(/\s+/g, " ");
  assert.equal(heading, "Changes Tracked since Oct 3, 2026 · no changes");
});

Deno.test("today and a blank day redirect to the current page, with the other parameters", async () => {
  const { visit } = siteOverDays(DAYS);
  for (
    const [path, to] of [
      ["/carriers/7?as_of=", "/carriers/7"],
      ["/carriers/7?mc=5&as_of=2026-10-05", "/carriers/7?mc=5"],
      ["/carriers/7/record.txt?as_of=2026-10-05", "/carriers/7/record.txt"],
      ["/carriers/007?as_of=2026-10-01", "/carriers/7?as_of=2026-10-01"],
    ]
  ) {
    const { headers } = await visit(path!);
    assert.equal(headers.get("location"), to, path);
  }
});

Deno.test("an unavailable day is a page with the reason, the field and a link to today", async () => {
  const { visit } = siteOverDays(DAYS);
  for (
    const [day, status, reason] of [
      ["2026-09-29", 404, "Cannot answer as of Sep 29, 2026: the first day kept is Sep 30, 2026"],
      ["2026-10-06", 400, "Cannot use as_of 2026-10-06: today is Oct 5, 2026"],
      ["2026-02-30", 400, "Cannot use as_of 2026-02-30: give a day as YYYY-MM-DD"],
      ["%3Cb%3E", 400, 'Cannot use as_of "<b>": give a day as YYYY-MM-DD'],
    ] as const
  ) {
    for (const path of ["/carriers/7", "/carriers/7/record", "/carriers/7/record.txt"]) {
      const response = await visit(`${path}?as_of=${day}`);
      assert.equal(response.status, status);
      const html = await response.text();
      assert.deepEqual(problemsOf(html), []);
      const main = await mainOf(new Response(html));
      assert.ok(main.textContent.includes(reason), main.textContent);
      const page = path.replace(".txt", "");
      assert.equal(main.querySelector("form")!.getAttribute("action"), page);
      const field = main.querySelector("#as_of")!;
      const [min, max] = ["min", "max"].map((name) => field.getAttribute(name));
      assert.deepEqual([min, max], ["2026-09-30", "2026-10-03"]);
      assert.ok(main.querySelector(`a[href='${page}']`));
    }
  }
});

Deno.test("a removed carrier has a page with its last day, its changes and its last record", async () => {
  const { visit } = siteOverDays(DAYS);
  const response = await visit("/carriers/9");
  assert.equal(response.status, 404);
  const main = await mainOf(response);
  const text = main.textContent.replaceAll(/\s+/g, " ");
  assert.match(text, /^USDOT 9 is no longer in the census/);
  assert.match(text, /no longer in FMCSA's census of Oct 3, 2026, last seen on Oct 1, 2026/);
  assert.match(text, /Between Oct 1 and Oct 3, 2026: No longer in the census\./);
  assert.ok(main.querySelector("form[role=search]"));
  const last = main.querySelector("a[href='/carriers/9?as_of=2026-10-01']")!;
  assert.equal((await visit(last.getAttribute("href")!)).status, 200);
  const past = await visit("/carriers/9?as_of=2026-10-04");
  assert.equal(past.status, 404);
  assert.match(await textOf(past), /^As of Oct 4, 2026: .*Tracked since Sep 30, 2026/);
});

Deno.test("a number that was not in the census on a past day links to its record of today", async () => {
  const { visit } = siteOverDays([{ dataDate: "2026-09-30", carriers: [record(9)] }, ...DAYS]);
  const response = await visit("/carriers/11?as_of=2026-09-30");
  assert.equal(response.status, 404);
  const main = await mainOf(response);
  const text = main.textContent.replaceAll(/\s+/g, " ");
  assert.match(text, /^No carrier with USDOT 11 as of Sep 30, 2026/);
  assert.match(text, /not in FMCSA's census of Sep 30, 2026/);
  assert.ok(main.querySelector("a[href='/carriers/11']"));
});

Deno.test("a former name is inert in the page and its vetting record", async () => {
  const { visit } = siteOverDays([
    { dataDate: "2026-10-01", carriers: [seven({ legal_name: HOSTILE_NAME })] },
    { dataDate: "2026-10-03", carriers: [seven({})] },
  ]);
  for (const path of ["/carriers/7", "/carriers/7/record"]) {
    const html = await (await visit(path)).text();
    assert.doesNotMatch(html, /[\p{Cf}\0]/u);
    const main = await mainOf(new Response(html));
    assert.equal(main.querySelectorAll("script").length, 0);
    const values = [...main.querySelectorAll("dd bdi, td bdi")].map(({ textContent }) =>
      textContent
    );
    assert.ok(values.some((value) => value.startsWith('"</b><script>alert(1)')), path);
  }
  const text = await (await visit("/carriers/7/record.txt")).text();
  assert.equal(text.match(/^Snapshot: /gm)!.length, 1);
});

Deno.test("/status and /about give the first day and the retention, and work without the list of days", async () => {
  const keeps = { days: 2, month_ends: 0 };
  const { visit, source } = siteOverDays(DAYS, { keeps });
  const status = await textOf(await visit("/status"));
  assert.match(status, /Changes tracked sinceSep 30, 2026First day keptOct 1, 2026Days kept2/);
  const about = await textOf(await visit("/about"));
  assert.match(
    about,
    /Tracked since Sep 30, 2026\. The first day that can be shown is Oct 1, 2026/,
  );
  assert.match(await textOf(await visit("/")), /What changed since Sep 30, 2026, and what/);
  const { visit: unread } = siteOver(source);
  source.fault = (_, path) => path.endsWith("past.json") ? "error" : null;
  for (const path of ["/status", "/about", "/"]) {
    const page = await unread(path);
    assert.equal(page.status, 200, path);
    assert.doesNotMatch(await page.text(), /[Ss]ince Sep 30, 2026|\{\{/);
  }
});
