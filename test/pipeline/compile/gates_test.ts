import assert from "node:assert/strict";
import { driftGates } from "../../../pipeline/compile/drift_gates.ts";
import {
  boundWords,
  failuresOf,
  fileGates,
  type Gate,
  gateResults,
} from "../../../pipeline/compile/gates.ts";
import type { BuildReport } from "../../../pipeline/compile/report.ts";
import type { ProblemCount } from "../../../pipeline/fmcsa/problems.ts";
import { sampleReport } from "../report/sample_report.ts";

const PATHS = { census: "census.csv", inspections: "inspections.csv" };
const WHOLE = { census: true, inspections: true };

/** A report that breaks nothing. */
function goodReport(): BuildReport {
  const { report } = structuredClone(sampleReport());
  report.census.newest = "2026-04-02";
  report.inspections.newest = "2026-03-30";
  report.null_rates = { legal_name: 0, state: 0.4, drivers: 8.8 };
  report.landmarks = { largest: [], sampled: {} };
  return report;
}

function broken(gates: readonly Gate[]): string[] {
  return failuresOf(gates).map(({ gate }) => gate).sort();
}

/** Which gates a change of a good report breaks, compared with the good one. */
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

/** More inspections of a kind, as many of them out of service as before. */
function more(kind: string, factor: number): (report: BuildReport) => void {
  return ({ distributions }) => {
    for (const row of distributions.out_of_service) if (row[0].startsWith(kind)) row[1] *= factor;
  };
}

Deno.test("gates pass on an equal report, and each breaks alone where its figure passes its bound", () => {
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
    ["drift_rating", move("rating", [0, 2], 590), move("rating", [0, 2], 610)],
    ["drift_hazmat", move("hazmat", [0, 1], 90_000), move("hazmat", [0, 1], 91_000)],
    ["drift_roles", move("roles", [0, 1], 90_000), move("roles", [0, 1], 91_000)],
    ["drift_classes", move("classes", [0, 1], 90_000), move("classes", [0, 1], 91_000)],
    [
      "drift_docket_prefix",
      move("docket_prefix", [1, 0], 20_000),
      move("docket_prefix", [1, 0], 20_100),
    ],
    [
      "drift_docket_status",
      move("docket_status", [0, 1], 20_000),
      move("docket_status", [0, 1], 20_100),
    ],
    [
      "drift_rating_age_years",
      move("rating_age_years", [0, 1], 590),
      move("rating_age_years", [0, 1], 610),
    ],
    [
      "out_of_service_hazmat",
      ({ distributions }) => distributions.out_of_service[5]![1] = 5_000,
      ({ distributions }) => distributions.out_of_service[5]![1] = 3_000,
    ],
    ["inspections_vehicle", more("vehicle", 1.049), more("vehicle", 1.051)],
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

Deno.test("fileGates() check a first build by each file alone", () => {
  const report = goodReport();
  const gates = (whole = WHOLE) => broken(fileGates(report, { paths: PATHS, whole }));
  assert.deepEqual(gates(), []);
  assert.deepEqual(gates({ ...WHOLE, inspections: false }), ["inspections_cut_short"]);
  report.null_rates.legal_name = 5.01;
  report.distributions.rating_age_years = [["10+", 29_900], ["no date", 3_400]];
  report.distributions.status = [["A", 400_000], ["I", 4_112_300]];
  delete report.inspections.newest;
  assert.deepEqual(gates(), [
    "census_active",
    "census_names_blank",
    "census_ratings_undated",
    "inspections_newest",
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
  assert.equal(boundWords({ min: -1, max: 5 }, "%"), "-1 to 5%");
  assert.equal(boundWords({ max: 0.1 }, "%"), "at most 0.1%");
});
