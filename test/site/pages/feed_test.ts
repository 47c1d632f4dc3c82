import assert from "node:assert/strict";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { BASE_URL } from "../../api/http/service.ts";
import { MemorySource, type Objects, record } from "../../pipeline/snapshot/memory.ts";
import { type CensusDay, putChain } from "../../pipeline/snapshot/memory_chain.ts";
import { siteOver, type Visitor } from "../app.ts";
import { parse } from "../document.ts";
import { parseXml, type XmlElement } from "../xml.ts";

const HOSTILE = 'A & B <script>alert("1")</script> ]]> \u202e\u0000\ud800\ufffe &#0; TRUCKING';

const seven = (more: Partial<CarrierRecord> = {}): CarrierRecord =>
  record(7, { legal_name: "ACME INC", phone: "3305550123", ...more });

const DAYS: CensusDay[] = [
  { dataDate: "2026-09-30", carriers: [seven(), record(8, { legal_name: HOSTILE }), record(9)] },
  {
    dataDate: "2026-10-01",
    carriers: [seven({ phone: "3305550199" }), record(8, { legal_name: "B" }), record(9)],
  },
  {
    dataDate: "2026-10-03",
    carriers: [
      seven({ phone: "3305550199", status: "I" }),
      record(8, { legal_name: HOSTILE }),
      record(11),
    ],
  },
];

function pagesOver(days = DAYS, more: Parameters<typeof putChain>[2] = {}) {
  const objects: Objects = new Map();
  putChain(objects, days, more);
  return { ...siteOver(new MemorySource(objects)), objects };
}

const MOMENT = /^\d{4}-\d\d-\d\dT00:00:00Z$/;

/** Elements that occur once in a feed or an entry (RFC 4287, 4.1.1 and 4.1.2). */
const ONCE = ["id", "title", "updated"];

interface Entry {
  id: string;
  title: string;
  summary: string;
  updated: string;
}

/** The feed at a path, checked against RFC 4287. */
async function feedAt(
  visit: Visitor,
  path: string,
): Promise<{ subtitle: string; title: string; entries: Entry[] }> {
  const response = await visit(path);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  assert.equal(response.headers.get("content-type"), "application/atom+xml; charset=utf-8");
  assert.match(text, /^<\?xml version="1\.0" encoding="utf-8"\?>\n<feed /);
  const feed = parseXml(text);
  assert.equal(feed.name, "feed");
  assert.equal(feed.attributes.xmlns, "http://www.w3.org/2005/Atom");
  const of = (element: XmlElement, name: string) =>
    element.children.filter((child) => child.name === name);
  const all = [feed, ...of(feed, "entry")];
  for (const element of all) {
    for (const name of ONCE) assert.equal(of(element, name).length, 1, name);
    assert.match(of(element, "updated")[0]!.text, MOMENT);
    assert.match(of(element, "id")[0]!.text, /^tag:[\w.]+,2026:[\w/.?=,-]+$/);
  }
  const ids = all.map((element) => of(element, "id")[0]!.text);
  assert.equal(new Set(ids).size, ids.length, "ids differ");
  assert.equal(of(feed, "author")[0]!.children[0]!.name, "name");
  const links = of(feed, "link").map(({ attributes }) => attributes);
  assert.equal(links.find(({ rel }) => rel === "self")!.href, BASE_URL + path);
  const entries = of(feed, "entry").map((entry): Entry => {
    // Without content an entry needs a link to its subject (4.1.2).
    assert.match(of(entry, "link")[0]!.attributes.href!, /^https:\/\/carriers\.example\b/);
    const textOf = (name: string) => of(entry, name)[0]!.text;
    const [id, title] = [textOf("id"), textOf("title")];
    return { id, title, summary: textOf("summary"), updated: textOf("updated").slice(0, 10) };
  });
  const days = entries.map(({ updated }) => updated);
  assert.deepEqual(days, days.toSorted().reverse(), "the newest first");
  assert.equal(of(feed, "updated")[0]!.text.slice(0, 10), days[0] ?? "2026-09-30");
  return { subtitle: of(feed, "subtitle")[0]!.text, title: of(feed, "title")[0]!.text, entries };
}

Deno.test("a carrier's feed has an entry for each change, with stable ids, and no old contact details", async () => {
  const { visit, objects, clock } = pagesOver();
  const { title, subtitle, entries } = await feedAt(visit, "/carriers/7/changes.atom");
  assert.equal(title, "Changes to ACME INC (USDOT 7)");
  assert.match(subtitle, /changed since Sep 30, 2026.*FMCSA data: census of Oct 3, 2026/);
  const of7 = "tag:carriers.example,2026:changes/7";
  const expected: Entry[] = [
    {
      id: `${of7}/2026-10-03/status`,
      title: "ACME INC (USDOT 7): Status: active → inactive",
      summary: "Between Oct 1 and Oct 3, 2026: Status: active → inactive.",
      updated: "2026-10-03",
    },
    {
      id: `${of7}/2026-10-01/phone`,
      title: "ACME INC (USDOT 7): Phone number: changed",
      summary: "Between Sep 30 and Oct 1, 2026: Phone number: changed.",
      updated: "2026-10-01",
    },
  ];
  assert.deepEqual(entries, expected);
  putChain(objects, [...DAYS, {
    dataDate: "2026-10-04",
    carriers: [seven({ status: "A", phone: "3305550199" })],
  }]);
  clock.advance(61_000);
  const later = await feedAt(visit, "/carriers/7/changes.atom");
  assert.deepEqual(later.entries.slice(1), expected);
});

Deno.test("the feed of a list covers all of its numbers: removed, new and unknown carriers", async () => {
  const gaps = [{ day: "2026-10-01", members: ["dba_name"] }];
  const { visit } = pagesOver(DAYS, { gaps });
  const { title, entries } = await feedAt(visit, "/changes.atom?dots=7,9,11,12");
  assert.equal(title, "Changes to 4 carriers");
  assert.deepEqual(entries.map(({ title, updated }) => `${updated} ${title}`), [
    "2026-10-03 ACME INC (USDOT 7): Status: active → inactive",
    "2026-10-03 USDOT 9: No longer in the census",
    "2026-10-03 CARRIER 11 (USDOT 11): Entered the census",
    "2026-10-01 ACME INC (USDOT 7): Phone number: changed",
    "2026-10-01 Not compared between Sep 30 and Oct 1, 2026, because we read it differently afterward: DBA name",
    "2026-09-30 USDOT 12: not in the census",
  ]);
  // Leading zeros, other separators, repeated numbers.
  const response = await visit("/changes.atom?dots=007%209,,+11,12,9");
  const [self] = /(?<=rel="self"[^>]*href=")[^"]*/.exec(await response.text())!;
  assert.equal(self, `${BASE_URL}/changes.atom?dots=7,9,11,12`);
  const left = await feedAt(visit, "/carriers/9/changes.atom");
  assert.deepEqual(
    left.entries[0]!.summary,
    "Between Oct 1 and Oct 3, 2026: No longer in the census.",
  );
});

Deno.test("hostile names leave a feed well-formed and readable", async () => {
  const { visit } = pagesOver();
  for (const path of ["/carriers/8/changes.atom", "/changes.atom?dots=8,7"]) {
    const { entries } = await feedAt(visit, path);
    const [{ title }] = entries.filter(({ id }) => id.includes("/8/2026-10-03/")) as [Entry];
    const name = 'A & B <script>alert("1")</script> ]]> &#0; TRUCKING';
    assert.equal(title, `${name} (USDOT 8): Legal name: "B" → "${name.replaceAll('"', "'")}"`);
  }
});

Deno.test("a feed with more changes than it lists says so, and each carrier's feed has its own", async () => {
  const dots = Array.from({ length: 100 }, (_, i) => 1000 + i);
  const days = Array.from({ length: 8 }, (_, day): CensusDay => ({
    dataDate: `2026-09-0${day + 1}`,
    carriers: dots.map((dot) => record(dot, { drivers: day })),
  }));
  const { visit } = pagesOver(days);
  const response = await visit(`/changes.atom?dots=${dots}`);
  const text = await response.text();
  assert.equal(text.match(/<entry>/g)!.length, 500);
  assert.match(text, /The newest 500 of 700 changes: each carrier's own feed has all of its\./);
  const one = await (await visit("/carriers/1099/changes.atom")).text();
  assert.equal(one.match(/<entry>/g)!.length, 7);
});

Deno.test("an invalid list gets the reason as text", async () => {
  const { visit } = pagesOver();
  const cases: [path: string, status: number, message: string][] = [
    [
      "/changes.atom",
      400,
      "Cannot make a feed without USDOT numbers, such as /changes.atom?dots=286764,5",
    ],
    [
      "/changes.atom?dots=+,",
      400,
      "Cannot make a feed without USDOT numbers, such as /changes.atom?dots=286764,5",
    ],
    [
      "/changes.atom?dots=7,MC-5",
      400,
      "Cannot parse USDOT number MC-5: not a digit at position 1",
    ],
    ["/changes.atom?dots=0", 400, "Cannot parse USDOT number 0: numbers start at 1"],
    ["/changes.atom?dots=7&dots=8", 400, "Cannot use dots twice: put commas between numbers"],
    [
      `/changes.atom?dots=${Array.from({ length: 101 }, (_, i) => i + 1)}`,
      400,
      "Cannot make a feed of 101 numbers: at most 100",
    ],
    ["/carriers/x7/changes.atom", 400, "Cannot parse USDOT number x7: not a digit at position 1"],
    [
      "/carriers/12/changes.atom",
      404,
      "Cannot find USDOT number 12: not in FMCSA's census of Oct 3, 2026",
    ],
  ];
  for (const [path, status, message] of cases) {
    const response = await visit(path);
    assert.deepEqual([response.status, await response.text()], [status, `${message}\n`]);
    assert.match(response.headers.get("content-type")!, /^text\/plain/);
  }
});

Deno.test("a feed is cached and revalidated as pages are, and is never sent in part", async () => {
  const { visit } = pagesOver();
  const path = "/changes.atom?dots=7,8";
  const first = await visit(path);
  const tag = first.headers.get("etag")!;
  assert.match(tag, /^W\//);
  const page = await visit("/carriers/7");
  for (const name of ["cache-control", "cdn-cache-control", "snapshot-id", "deno-cache-tag"]) {
    assert.equal(first.headers.get(name), page.headers.get(name), name);
  }
  const again = await visit(path, { headers: { "If-None-Match": tag } });
  assert.deepEqual([again.status, await again.text()], [304, ""]);
  // A list costs as much as ten pages, even when it is refused. A cacheable answer has no counters.
  const remaining = async (at: string) =>
    Number((await visit(at, {}, "192.0.2.9")).headers.get("ratelimit-remaining"));
  const before = await remaining("/carriers/x/changes.atom");
  assert.equal(before - await remaining("/changes.atom"), 10);

  const many = pagesOver([{ dataDate: "2026-10-03", carriers: [record(7), record(150)] }]);
  many.source.fault = (_read, at) => at.includes("/carriers/1.json") ? "error" : null;
  const broken = await many.visit("/changes.atom?dots=7,150");
  assert.equal(broken.status, 503);
});

Deno.test("a carrier's page and the alerts page link to the feeds", async () => {
  const { visit } = pagesOver();
  const page = parse(await (await visit("/carriers/7")).text());
  const link = page.querySelector('link[rel="alternate"][type="application/atom+xml"]')!;
  assert.equal(link.getAttribute("href"), "/carriers/7/changes.atom");
  assert.ok(page.querySelector('main a[href="/carriers/7/changes.atom"]'));
  const alerts = parse(await (await visit("/alerts")).text());
  assert.ok(alerts.querySelector('main a[href^="/changes.atom?dots="]'));
});
