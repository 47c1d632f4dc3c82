import assert from "node:assert/strict";
import {
  type Baseline,
  checkBaseline,
  comparisonGates,
  readBaseline,
} from "../../../pipeline/audit/comparison.ts";
import { failuresOf, gateResults } from "../../../pipeline/audit/gates.ts";
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

Deno.test("readBaseline() is null where nothing is current", async () => {
  assert.equal(await readBaseline(new MemorySource(new Map())), null);
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

const PATHS = { census: "census.csv", inspections: "inspections.csv" };

/** A baseline whose report can be used, and one whose report cannot. */
async function baselines(): Promise<{ sound: Baseline; broken: Baseline }> {
  const broken = (await readBaseline(new MemorySource(root())))!;
  const found = sampleReport();
  found.report.landmarks = { largest: [] };
  return { sound: { ...broken, found }, broken };
}

Deno.test("comparisonGates() fail a build whose previous report is unusable, and check nothing for a first build", async () => {
  const { sound, broken } = await baselines();
  const built = { report: sampleReport().report, snapshot: {} as Snapshot, paths: PATHS };
  const failures = failuresOf(await comparisonGates(built, broken));
  assert.deepEqual(failures.map(({ gate }) => gate), ["previous_report"]);
  assert.deepEqual(await comparisonGates(built, null), []);

  const [readable, ...rest] = gateResults(await comparisonGates(built, sound), false);
  assert.deepEqual(readable, {
    name: "previous_report",
    measured: 1,
    unit: "files",
    bound: { min: 1 },
    passed: true,
    overridden: false,
  });
  assert.ok(rest.some(({ name }) => name === "census_rows"));
});

Deno.test("checkBaseline() wants --first only where nothing is current, and --force only over an unusable report", async () => {
  const { sound, broken } = await baselines();
  const check = (baseline: Baseline | null, options: { first?: boolean; force?: string }) => () =>
    checkBaseline(baseline, { ...options, where: "here" });
  check(sound, {})();
  check(null, { first: true })();
  check(broken, { force: "A test" })();
  assert.throws(check(null, {}), { name: "RangeError", message: /current in here.* give --first/ });
  assert.throws(check(broken, { first: true }), { name: "BaselineError", message: /--force/ });
});
