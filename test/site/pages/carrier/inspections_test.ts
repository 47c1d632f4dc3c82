import assert from "node:assert/strict";
import { record } from "../../../pipeline/snapshot/memory.ts";
import { siteOf } from "../../app.ts";
import { mainOf } from "../../document.ts";

const LISTED = record(90100, {
  status: "I",
  inspections: {
    total: 2,
    last: "2026-09-13",
    violations: 3,
    vehicle: { inspections: 2, out_of_service: 1 },
    driver: { inspections: 2, out_of_service: 0 },
    hazmat: { inspections: 0, out_of_service: 0 },
    latest: [[20, "OH", 1, 2, 2, 1], [400, "PA", 3, 1, 0, 0, 1, 0]],
    renamed: [1, 20, 20],
    names: [["<b>OTHER</b> TRUCKING", 1, 20, 20]],
  },
});

Deno.test("inspections are shown by month, state and level, and one by one", async () => {
  const main = await mainOf(await siteOf([LISTED]).visit("/carriers/90100"));
  const months = main.querySelector(".months")!;
  assert.equal(months.querySelectorAll("g").length, 24);
  assert.match(months.getAttribute("aria-label")!, /most in \w{3} 20\d\d: 1/);
  const tables = [...main.querySelectorAll("#counts table")].map((table) => table.textContent);
  assert.match(tables[0]!, /OH11PA10|PA10OH11/);
  assert.match(tables[1]!, /I11III10/);
  const rows = [...main.querySelectorAll("#latest tbody tr")].map((row) => row.textContent);
  assert.deepEqual(rows, ["Sep 13, 2026OHI2 (1)––", "Aug 29, 2025PAIII–1–"]);
});

Deno.test("where the two files differ is shown with counts, dates and innocent explanations", async () => {
  const main = await mainOf(await siteOf([LISTED]).visit("/carriers/90100"));
  const section = main.querySelector("section[aria-labelledby=differences]")!;
  assert.equal(section.querySelectorAll("details").length, 2);
  assert.match(section.textContent, /<b>OTHER<\/b> TRUCKING ?1/);
  assert.equal(section.querySelectorAll("li").length >= 2, true);
  assert.doesNotMatch(section.textContent, /fraud|chameleon|suspicious/i);
});
