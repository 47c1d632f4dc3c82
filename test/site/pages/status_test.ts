import assert from "node:assert/strict";
import type { Pointer } from "../../../pipeline/snapshot/manifest.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import {
  jsonBytes,
  MemorySource,
  type Objects,
  putSnapshot,
  record,
  TestClock,
} from "../../pipeline/snapshot/memory.ts";
import { siteOver } from "../app.ts";
import { mainOf, parse } from "../document.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";

const DAY_MS = 86_400_000;

/** The sources in a pointer with hostile text. */
const HOSTILE_SOURCES: Pointer["sources"] = [{
  role: "census",
  name: `</code><script>alert(1)</script>\u202e.csv`,
  bytes: 5,
  sha256: "0".repeat(64),
  url: "javascript:alert(1)",
  last_modified: `<img src=x onerror=alert(1)>`,
}];

/** Objects of a snapshot without a report; its pointer has those sources. */
function bareSnapshot(sources: Pointer["sources"] = []): Objects {
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [record(295017)] });
  const pointer = JSON.parse(new TextDecoder().decode(objects.get("current.json")!));
  objects.set("current.json", jsonBytes({ ...pointer, sources }));
  return objects;
}

Deno.test("/status shows the snapshot, its files and the build report", async () => {
  const folder = await builtSample();
  const pointer: Pointer = JSON.parse(await Deno.readTextFile(`${folder}/current.json`));
  const manifest = JSON.parse(
    await Deno.readTextFile(`${folder}/s/${pointer.snapshot}/manifest.json`),
  );
  const site = siteOver(openSource(folder));
  const response = await site.visit("/status");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("snapshot-id"), pointer.snapshot);
  assert.match(response.headers.get("cache-control")!, /^public/);
  const main = await mainOf(response);
  const text = main.textContent;
  assert.ok(text.includes(pointer.snapshot) && text.includes("Oct 3, 2026"), text);
  assert.ok(text.includes(manifest.counts.carriers.toLocaleString("en-US")));
  assert.ok(text.includes(manifest.notice), "the page says that data is synthetic");
  assert.equal(pointer.sources.length, 3);
  for (const { name, sha256, bytes } of pointer.sources) {
    for (const fact of [name, sha256, bytes.toLocaleString("en-US")]) {
      assert.ok(text.includes(fact), fact);
    }
  }
  for (const id of ["problems_census", "problems_orders", "gates", "drift", "figures"]) {
    assert.ok(main.querySelector(`#${id}`), id);
  }
  // Regression: tables of dozens of rows without problems made the page ten screens long.
  assert.equal(main.querySelectorAll("details:not([open]) table").length, 2);
  const figures = [...main.querySelectorAll(".figures a")]
    .map((link) => link.getAttribute("href")!);
  assert.ok(figures.length > 10);
  for (const path of figures) {
    const figure = await mainOf(await site.visit(path));
    assert.ok(figure.querySelector("svg[role=img]"), path);
    assert.ok(figure.querySelector("tbody tr"), path);
  }
  assert.equal((await site.visit("/status/nothing")).status, 404);
});

Deno.test("/status warns when the data is more than three days old", async () => {
  for (const [days, warned] of [[0, false], [3, false], [4, true], [40, true]] as const) {
    const clock = new TestClock(Date.parse("2026-10-03T16:00:00Z") + days * DAY_MS);
    const main = await mainOf(
      await siteOver(new MemorySource(bareSnapshot()), { clock }).visit("/status"),
    );
    const warning = [...main.querySelectorAll(".notice.warn strong")].map((one) => one.textContent);
    assert.deepEqual(warning, warned ? [`The data is ${days} days old.`] : [], String(days));
  }
});

Deno.test("/status shows the pointer's text as text, and links to no script", async () => {
  const { visit } = siteOver(new MemorySource(bareSnapshot(HOSTILE_SOURCES)));
  const text = await (await visit("/status")).text();
  assert.doesNotMatch(text, /<script>|<img|\u202e|href="javascript/);
  const { textContent } = parse(text).querySelector("main")!;
  assert.ok(textContent.includes("</code><script>alert(1)</script>\\u202e.csv"));
});

Deno.test("/status and its figures read the report once per snapshot, however many requests arrive", async () => {
  const folder = await builtSample();
  const folderSource = openSource(folder);
  const reads: string[] = [];
  const { visit } = siteOver({
    name: folderSource.name,
    get(path) {
      reads.push(path);
      return folderSource.get(path);
    },
  });
  for (const path of ["/status", "/status/fleet"]) {
    const answers = await Promise.all([1, 2, 3].map(() => visit(path)));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    assert.equal(new Set(texts).size, 1);
  }
  assert.equal(reads.filter((one) => one.endsWith("report.json")).length, 1);
});

Deno.test("/status links to the files of all carriers, and describes them to search engines, if they have a URL", async () => {
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [record(295017)], export: true });
  const read = async (snapshotUrl: string) => {
    const site = siteOver(new MemorySource(objects), { snapshotUrl });
    const document = parse(await (await site.visit("/status")).text());
    const facts = document.querySelector('script[type="application/ld+json"]')?.textContent;
    const links = [...document.querySelectorAll('main a[href^="/latest/"]')];
    return { facts: JSON.parse(facts ?? "null"), links: links.map((link) => link.textContent) };
  };
  const { facts, links } = await read("https://data.example.org");
  assert.deepEqual(links, ["Parquet", "NDJSON"]);
  assert.equal(facts["@type"], "Dataset");
  assert.equal(facts.dateModified, "2026-10-03");
  assert.deepEqual(facts.variableMeasured.slice(0, 3), ["dot", "legal_name", "city"]);
  for (const { contentUrl } of facts.distribution) {
    assert.match(contentUrl, /\/latest\/carriers\.(parquet|ndjson\.gz)$/);
  }
  assert.deepEqual(await read("/srv/snapshots"), { facts: null, links: [] });
});

Deno.test("/status shows the day's changes, and plots of the previous days", async () => {
  const { visit } = siteOver(openSource(await builtSample()));
  const main = await mainOf(await visit("/status"));
  const plots = [...main.querySelectorAll("#days + .figures figure")];
  assert.deepEqual(plots.map((plot) => plot.querySelector("figcaption")!.textContent), [
    "New carriers per day",
    "Changed carriers per day",
    "Carriers that left per day",
  ]);
  // Five days give four bars: the sample's first day has no previous day to compare with.
  for (const plot of plots) assert.equal(plot.querySelectorAll("rect").length, 4);
  const text = main.textContent.replaceAll(/\s+/g, " ");
  assert.match(text, /New in the census ?\d+ ?Changed ?\d+ ?Left the census ?\d+/);
  for (const figure of ["day_members", "day_status", "day_states", "day_fleets", "days_changed"]) {
    assert.ok(main.querySelector(`a[href="/status/${figure}"]`), figure);
    assert.equal((await visit(`/status/${figure}`)).status, 200);
  }
});
