import assert from "node:assert/strict";
import {
  type BuildReport,
  drift,
  readReport,
  reportOf,
  type SnapshotReport,
} from "../../../pipeline/audit/report.ts";
import { sha256 } from "../../../pipeline/sha256.ts";
import { SnapshotReader, SnapshotUnavailable } from "../../../pipeline/snapshot/reader.ts";
import {
  jsonBytes,
  MemorySource,
  type Objects,
  putSnapshot,
  record,
  TestClock,
} from "../snapshot/memory.ts";
import { sampleReport } from "../report/sample_report.ts";

const PATH = "s/a/report.json";

/** A snapshot with a report whose hash is in its manifest. */
function reported(): Objects {
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [record(5)] });
  const read = (path: string) => JSON.parse(new TextDecoder().decode(objects.get(path)!));
  const report = jsonBytes(sampleReport().report);
  const manifest = read("s/a/manifest.json");
  manifest.files["report.json"] = { bytes: report.length, sha256: sha256(report) };
  const bytes = jsonBytes(manifest);
  objects.set(PATH, report);
  objects.set("s/a/manifest.json", bytes);
  objects.set(
    "current.json",
    jsonBytes({ ...read("current.json"), manifest_sha256: sha256(bytes) }),
  );
  return objects;
}

Deno.test("readReport() returns the published report with its snapshot, and reportOf() rejects any other", async () => {
  const { snapshot, manifest, report } = await readReport(new MemorySource(reported()));
  assert.deepEqual([snapshot, manifest.counts.carriers], ["a", 1]);
  assert.deepEqual(report, sampleReport().report);
  const forged = jsonBytes({ ...sampleReport().report, forced: "x" });
  for (const bytes of [null, new Uint8Array(3), forged]) {
    const objects = reported();
    if (bytes === null) objects.delete(PATH);
    else objects.set(PATH, bytes);
    const reader = new SnapshotReader(new MemorySource(objects), { clock: new TestClock() });
    await assert.rejects(reader.use(reportOf), SnapshotUnavailable);
    assert.equal((await reader.use((snapshot) => snapshot.carrier(5)))?.dot, 5);
  }
});

Deno.test("drift() gives changes in percent with two decimals, and none from zero", () => {
  const { report } = sampleReport();
  const withRows = (rows: number) => ({ ...report, census: { ...report.census, rows } });
  const changes = { compared: 0, arrived: 0, left: 0, facts: [] };
  const manifest = {} as SnapshotReport["manifest"];
  const rowsFrom = (before: BuildReport) =>
    drift(withRows(4), { snapshot: "before", manifest, report: before }, changes).rows;
  const changeFrom = (before: number) =>
    rowsFrom(withRows(before)).find(([measure]) => measure === "census rows");
  assert.deepEqual(changeFrom(3), ["census rows", 3, 4, 33.33]);
  assert.deepEqual(changeFrom(0), ["census rows", 0, 4, null]);
  const { status: [active], ...others } = report.distributions;
  const fewer = { ...report, distributions: { ...others, status: [active!] } };
  assert.deepEqual(rowsFrom(fewer).filter(([measure]) => measure.startsWith("status")), [
    ["status A", 2_000_000, 2_000_000, 0],
    ["status I", 0, 2_512_000, null],
    ["status P", 0, 300, null],
  ]);
});
