import assert from "node:assert/strict";
import { driftGates } from "../../../pipeline/build/drift_gates.ts";
import { fileGates } from "../../../pipeline/build/file_gates.ts";
import { boundWords, failuresOf, type Gate, gateResults } from "../../../pipeline/build/gates.ts";
import { landmarkGates } from "../../../pipeline/build/landmark_gates.ts";
import { fingerprints } from "../../../pipeline/build/landmarks.ts";
import type { BuildReport, ProblemCount } from "../../../pipeline/build/report.ts";
import type { Snapshot } from "../../../pipeline/snapshot/pinned_snapshot.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";
import { sampleReport } from "../report/sample_report.ts";

const PATHS = { census: "census.csv", inspections: "inspections.csv" };
const WHOLE = { census: true, inspections: true };

/** A report that breaks nothing. */
function goodReport(): BuildReport {
  const { report } = structuredClone(sampleReport());
  report.census.newest = "2026-04-02";
  report.inspections.newest = "2026-03-30";
  report.null_rates = { legal_name: 0, state: 0.4, drivers: 8.8 };
  report.landmarks = { largest: [], sampled: [] };
  return report;
}

function broken(gates: readonly Gate[]): string[] {
  return failuresOf(gates).map(({ gate }) => gate).sort();
}

/** Which gates a change of a good report breaks, held against the good one. */
function brokenBy(change: (report: BuildReport) => void): string[] {
  const [report, previous] = [goodReport(), goodReport()];
  change(report);
  return broken([
    ...fileGates(report, { paths: PATHS, whole: WHOLE }),
    ...driftGates({ report, previous, paths: PATHS }),
  ]);
}

/** Moves some of the carriers of a distribution from one label to another. */
function move(
  name: keyof BuildReport["distributions"],
  [from, to]: [number, number],
  count: number,
): (report: BuildReport) => void {
  return ({ distributions }) => {
    distributions[name][from]![1] -= count;
    distributions[name][to]![1] += count;
  };
}

Deno.test("gates hold on an equal report, and each breaks alone where its figure passes its bound", () => {
  assert.deepEqual(brokenBy(() => {}), []);
  const twice = (count: number): ProblemCount => ({
    reason: "duplicate_usdot_number",
    treatment: "rejected",
    count,
    examples: [],
  });
  const cases: [string, (report: BuildReport) => void, (report: BuildReport) => void][] = [
    // Gate, the last that passes, the first that does not.
    ["census_rows", ({ census }) => census.rows *= 0.9901, ({ census }) => census.rows *= 0.9899],
    ["census_rows", ({ census }) => census.rows *= 1.0499, ({ census }) => census.rows *= 1.0501],
    [
      "inspections_rows",
      ({ inspections }) => inspections.rows *= 0.9901,
      ({ inspections }) => inspections.rows *= 0.9899,
    ],
    [
      "census_rejected",
      ({ census }) => census.rejected = 4_500,
      ({ census }) => census.rejected = 4_600,
    ],
    [
      "census_duplicates",
      ({ census }) => census.problems.push(twice(2_200)),
      ({ census }) => census.problems.push(twice(2_300)),
    ],
    [
      "inspections_usable",
      ({ inspections }) => inspections.accepted = 1,
      ({ inspections }) => inspections.accepted = 0,
    ],
    [
      "inspections_in_window",
      ({ inspections }) => inspections.in_window *= 0.951,
      ({ inspections }) => inspections.in_window *= 0.949,
    ],
    [
      "inspections_unknown_carrier",
      ({ inspections }) => inspections.unknown_carrier = 54_000,
      ({ inspections }) => inspections.unknown_carrier = 56_000,
    ],
    [
      "blank_drivers",
      ({ null_rates }) => null_rates.drivers = 9.8,
      ({ null_rates }) => null_rates.drivers = 9.81,
    ],
    [
      "blank_drivers",
      ({ null_rates }) => null_rates.drivers = 7.8,
      ({ null_rates }) => null_rates.drivers = 7.79,
    ],
    ["drift_status", move("status", [0, 1], 90_000), move("status", [0, 1], 91_000)],
    ["drift_operation", move("operation", [0, 2], 90_000), move("operation", [0, 2], 91_000)],
    ["drift_fleet", move("fleet", [1, 0], 40_000), move("fleet", [1, 0], 41_000)],
    ["drift_states", move("states", [0, 1], 71_000), move("states", [0, 1], 73_000)],
    [
      "drift_inspection_levels",
      move("inspection_levels", [0, 1], 73_000),
      move("inspection_levels", [0, 1], 75_000),
    ],
    [
      "census_newest_filing",
      ({ census }) => census.newest = "2026-04-02",
      ({ census }) => census.newest = "2026-04-01",
    ],
    [
      "inspections_newest_moved",
      ({ inspections }) => inspections.newest = "2026-03-30",
      ({ inspections }) => inspections.newest = "2026-03-29",
    ],
    ["data_date", (report) => report.data_date = "2026-04-03", (report) => {
      report.data_date = "2026-04-02";
    }],
    ["inspections_newest", (report) => report.data_date = "2026-06-28", (report) => {
      report.data_date = "2026-06-29";
    }],
  ];
  for (const [gate, passes, breaks] of cases) {
    assert.deepEqual(brokenBy(passes), [], `${gate} passes`);
    assert.deepEqual(brokenBy(breaks), [gate], `${gate} breaks`);
  }
});

Deno.test("fileGates() hold a first build to what a file shows by itself", () => {
  const report = goodReport();
  const gates = (whole = WHOLE) => broken(fileGates(report, { paths: PATHS, whole }));
  assert.deepEqual(gates(), []);
  assert.deepEqual(gates({ ...WHOLE, inspections: false }), ["inspections_cut_short"]);
  report.null_rates.legal_name = 5.01;
  report.distributions.status = [["A", 400_000], ["I", 4_112_300]];
  delete report.inspections.newest;
  assert.deepEqual(gates(), ["census_active", "census_names_blank", "inspections_newest"]);
});

const RECORDS = Array.from({ length: 1_000 }, (_, i): CarrierRecord => ({
  dot: i + 1,
  legal_name: `CARRIER ${i + 1}`,
  status: "A",
  inspections: {
    total: 1,
    last: "2026-03-01",
    violations: 0,
    vehicle: { inspections: 1, out_of_service: 0 },
    driver: { inspections: 1, out_of_service: 0 },
    hazmat: { inspections: 0, out_of_service: 0 },
  },
}));

/** Which landmark gates break when the snapshot has changed records, or none (null), in places. */
async function brokenLandmarks(
  change: (record: CarrierRecord, i: number) => CarrierRecord | null,
  { dataDate = "2026-04-04", isFound = true }: { dataDate?: string; isFound?: boolean } = {},
): Promise<string[]> {
  const [report, previous] = [goodReport(), goodReport()];
  report.data_date = dataDate;
  previous.landmarks = {
    largest: RECORDS.slice(0, 100).map(({ dot }) => dot),
    sampled: RECORDS.map((record) => [record.dot, ...fingerprints(record)]),
  };
  const now = RECORDS.map(change);
  const snapshot = {
    carrier: (dot: number) => Promise.resolve(now[dot - 1] ?? null),
    docket: () => Promise.resolve([]),
    search: (name: string) =>
      Promise.resolve(isFound ? now.filter((record) => record?.legal_name === name) : []),
  } as unknown as Snapshot;
  return broken(await landmarkGates(snapshot, { report, previous, paths: PATHS }));
}

Deno.test("landmarkGates() count carriers gone, and records changed by what the days explain", async () => {
  const fewer = (record: CarrierRecord): CarrierRecord => ({ ...record, power_units: 3 });
  const clean = ({ inspections: _, ...record }: CarrierRecord): CarrierRecord => record;
  assert.deepEqual(await brokenLandmarks((record) => record), []);
  assert.deepEqual(await brokenLandmarks((record, i) => i < 2 ? null : record), []);
  assert.deepEqual(await brokenLandmarks((record, i) => i < 3 ? null : record), ["largest_fleets"]);
  const late = (n: number) => (record: CarrierRecord, i: number) => i >= 1_000 - n ? null : record;
  assert.deepEqual(await brokenLandmarks(late(20)), []);
  assert.deepEqual(await brokenLandmarks(late(21)), ["sampled_carriers"]);
  // A day explains 7 %, a week 19 %.
  assert.deepEqual(await brokenLandmarks((r, i) => i < 70 ? fewer(r) : r), []);
  assert.deepEqual(await brokenLandmarks((r, i) => i < 71 ? fewer(r) : r), ["sampled_census"]);
  const week = { dataDate: "2026-04-10" };
  assert.deepEqual(await brokenLandmarks((r, i) => i < 190 ? fewer(r) : r, week), []);
  assert.deepEqual(await brokenLandmarks((r, i) => i < 191 ? fewer(r) : r, week), [
    "sampled_census",
  ]);
  assert.deepEqual(await brokenLandmarks((r, i) => i < 71 ? clean(r) : r), ["sampled_inspections"]);
});

Deno.test("landmarkGates() ask for sampled carriers by name, as people will", async () => {
  assert.deepEqual(await brokenLandmarks((record) => record, { isFound: false }), [
    "golden_lookups",
  ]);
});

Deno.test("gateResults() mark as overridden only what was broken and forced", () => {
  const gate = (measured: number): Gate => ({
    name: "x",
    measured,
    unit: "%",
    bound: { min: -1, max: 5 },
    broken: "x",
  });
  const verdicts = (forced: boolean) =>
    gateResults([gate(5), gate(5.001)], forced).map(({ passed, overridden }) => [
      passed,
      overridden,
    ]);
  assert.deepEqual(verdicts(false), [[true, false], [false, false]]);
  assert.deepEqual(verdicts(true), [[true, false], [false, true]]);
  assert.equal(boundWords({ min: -1, max: 5 }, "%"), "-1 to 5 %");
  assert.equal(boundWords({ max: 0.1 }, "%"), "at most 0.1 %");
});
