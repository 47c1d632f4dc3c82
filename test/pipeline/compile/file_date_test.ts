import assert from "node:assert/strict";
import { fileDate } from "../../../pipeline/compile/spilled_inspections.ts";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { call, testApp } from "../../api/http/service.ts";
import {
  buildFiles,
  censusCsv,
  censusRow,
  CLOCK,
  inspectionCsv,
  inspectionRow,
  tempDir,
} from "./files.ts";

Deno.test("an inspection file 60 days older than the census counts 24 months up to its own newest day", async () => {
  // Incident: the window ended on the census's date, so two months without data read as inspected.
  await using dir = await tempDir();
  const days = ["20240803", "20240804", "20250101", "20260803"];
  await buildFiles(dir.path, {
    census: censusCsv([censusRow(1)]),
    inspections: inspectionCsv(
      days.map((INSP_DATE, i) => inspectionRow(i + 1, 1, { INSP_DATE })),
    ),
  }, { dataDate: "2026-10-02" });
  const reader = new SnapshotReader(openSource(`${dir.path}/out`), { clock: CLOCK });
  const { app } = testApp({ reader, clock: CLOCK });
  const ask = async (path: string) => (await call(app, path)).body;
  const carrier = await ask("/api/v1/carriers/1");
  assert.equal(carrier.snapshot.data_date, "2026-10-02");
  assert.equal(carrier.snapshot.inspections_date, "2026-08-03");
  const { from, to, total } = carrier.inspections_24m;
  assert.deepEqual([from, to, total], ["2024-08-04", "2026-08-03", 3]);
  const rates = carrier.checks.find(({ id }: { id: string }) => id === "oos_rates");
  assert.equal(rates.basis.data_date, "2026-08-03");
  assert.match(rates.detail, /from Aug 4, 2024 to Aug 3, 2026/);
  assert.equal((await ask("/api/v1/health")).snapshot.inspections_date, "2026-08-03");
});

Deno.test("fileDate() is the newest day that is no outlier", () => {
  const month = Array.from({ length: 28 }, (_, i): [number, number] => [20260701 + i, 7_000]);
  const rows: [[number, number][], number][] = [
    [[], 0],
    [[[20260101, 1]], 20260101],
    // A file of a few rows has gaps, and no day of it is an outlier.
    [[[20240101, 1], [20260101, 1]], 20260101],
    [month, 20260728],
    [[...month, [20260930, 3], [20260915, 10]], 20260728],
    // More than 1 in 10,000 rows, or days that follow closely, are data that came late.
    [[...month, [20260930, 400]], 20260930],
    [[...month, [20260803, 3]], 20260803],
  ];
  for (const [perDay, expected] of rows) assert.equal(fileDate(new Map(perDay)), expected);
});
