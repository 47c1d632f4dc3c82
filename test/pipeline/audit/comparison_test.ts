import assert from "node:assert/strict";
import { comparisonGates, readBaseline } from "../../../pipeline/audit/comparison.ts";
import { failuresOf } from "../../../pipeline/audit/gates.ts";
import type { Snapshot } from "../../../pipeline/snapshot/pinned_snapshot.ts";
import { SourceFailure } from "../../../pipeline/snapshot/source.ts";
import { sampleReport } from "../report/sample_report.ts";
import { jsonBytes, MemorySource, type Objects, putSnapshot, record } from "../snapshot/memory.ts";

function root(): Objects {
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [record(5)] });
  return objects;
}

Deno.test("readBaseline() says what to do about a pointer of another format, and what is wrong with a malformed one", async () => {
  const objects = root();
  const pointer = JSON.parse(new TextDecoder().decode(objects.get("current.json")!));
  objects.set("current.json", jsonBytes({ ...pointer, format: 99 }));
  await assert.rejects(readBaseline(new MemorySource(objects)), {
    name: "BaselineError",
    message: /build into an empty folder with --first/,
  });
  objects.set("current.json", jsonBytes({ ...pointer, snapshot: 5 }));
  await assert.rejects(readBaseline(new MemorySource(objects)), { name: "TypeError" });
});

Deno.test("readBaseline() reports a missing report as a problem, and a source that does not answer as an outage", async () => {
  const source = new MemorySource(root());
  const { found } = (await readBaseline(source))!;
  assert.ok("problem" in found);
  const get = source.get.bind(source);
  source.get = (path, ...more) =>
    path === "current.json"
      ? get(path, ...more)
      : Promise.reject(new SourceFailure("is down", { transient: true }));
  await assert.rejects(readBaseline(source));
});

Deno.test("comparisonGates() fail a build whose previous report is unusable, and check nothing for a first build", async () => {
  const baseline = (await readBaseline(new MemorySource(root())))!;
  const paths = { census: "census.csv", inspections: "inspections.csv" };
  const built = { report: sampleReport().report, snapshot: {} as Snapshot, paths };
  const failures = failuresOf(await comparisonGates(built, baseline));
  assert.deepEqual(failures.map(({ gate }) => gate), ["previous_report"]);
  assert.deepEqual(await comparisonGates(built, null), []);
});
