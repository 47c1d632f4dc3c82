import assert from "node:assert/strict";
import { changeGates } from "../../../pipeline/audit/change_gates.ts";
import {
  boundWords,
  failuresOf,
  fileGates,
  type Gate,
  gateResults,
  noisy,
  percentOf,
} from "../../../pipeline/audit/gates.ts";
import type { BuildReport } from "../../../pipeline/audit/report.ts";
import type { ProblemCount } from "../../../pipeline/fmcsa/problems.ts";
import { sampleReport } from "../report/sample_report.ts";

const PATHS = { census: "census.csv", inspections: "inspections.csv" };
const WHOLE = { census: true, inspections: true };

/** A report that passes every gate. */
function goodReport(): BuildReport {
  const { report } = structuredClone(sampleReport());
  report.census.newest = "2026-04-02";
  report.inspections.newest = "2026-03-30";
  report.null_rates = { legal_name: 0, state: 0.4, drivers: 8.8 };
  return report;
}

function broken(gates: readonly Gate[]): string[] {
  return failuresOf(gates).map(({ gate }) => gate).sort();
}

/** The gates that a changed report breaks, compared with the good one. */
function brokenBy(change: (report: BuildReport) => void): string[] {
  const [report, previous] = [goodReport(), goodReport()];
  change(report);
  return broken([
    ...fileGates(report, { paths: PATHS, whole: WHOLE }),
    ...changeGates({ report, previous, paths: PATHS }),
  ]);
}

type Change = (report: BuildReport, by: number) => void;

/** A figure's change: the last value that passes its gate and the first that doesn't. */
const BOUNDS: [gate: string, change: Change, passes: number, breaks: number][] = [
  ["census_rows", ({ census }, by) => census.rows *= by, 0.9901, 0.9899],
  ["census_rows", ({ census }, by) => census.rows *= by, 1.0499, 1.0501],
  ["inspections_rows", ({ inspections }, by) => inspections.rows *= by, 0.9901, 0.9899],
  ["census_rejected", ({ census }, to) => census.rejected = to, 4_500, 4_600],
  ["census_duplicates", ({ census }, count) => census.problems.push(twice(count)), 2_200, 2_300],
  [
    "census_active",
    ({ distributions }, count) => distributions.status = [["A", count]],
    451_230,
    451_200,
  ],
  ["inspections_usable", ({ inspections }, to) => inspections.accepted = to, 1, 0],
  ["inspections_in_window", ({ inspections }, by) => inspections.in_window *= by, 0.951, 0.949],
  ["inspections_in_window", ({ inspections }, by) => inspections.in_window *= by, 1.049, 1.051],
  [
    "inspections_unknown_carrier",
    ({ inspections }, to) => inspections.unknown_carrier = to,
    54_000,
    56_000,
  ],
  ["census_newest_filing", ({ census }, day) => census.newest = `2026-04-0${day}`, 2, 1],
  [
    "inspections_newest_moved",
    ({ inspections }, day) => inspections.newest = `2026-03-${day}`,
    30,
    29,
  ],
  ["data_date", (report, day) => report.data_date = `2026-04-0${day}`, 3, 2],
  ["inspections_newest", (report, day) => report.data_date = `2026-06-${day}`, 28, 29],
];

function twice(count: number): ProblemCount {
  return { reason: "duplicate_usdot_number", treatment: "rejected", count, examples: [] };
}

Deno.test("gates pass on an equal report, and each one alone breaks when its figure exceeds its bound", () => {
  assert.deepEqual(brokenBy(() => {}), []);
  // A file without any filing has no newest day to compare.
  assert.deepEqual(brokenBy(({ census }) => delete census.newest), []);
  for (const [gate, change, passes, breaks] of BOUNDS) {
    assert.deepEqual(brokenBy((report) => change(report, passes)), [], `${gate} passes`);
    assert.deepEqual(brokenBy((report) => change(report, breaks)), [gate], `${gate} breaks`);
  }
});

Deno.test("fileGates() checks a first build by each file alone", () => {
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
  const [none] = failuresOf(fileGates(report, { paths: PATHS, whole: WHOLE })).slice(-1);
  assert.equal(
    none!.message,
    "inspections.csv has no inspection of the 24 months up to 2026-04-03 " +
      "(inspections_newest: 731 days, allowed at most 90 days)",
  );
});

Deno.test("a failed gate names the file and says what is wrong with it", () => {
  const report = goodReport();
  Object.assign(report.census, { rows: 1_000, accepted: 1_000, rejected: 2 });
  report.census.problems.push(twice(1));
  report.distributions.status = [["I", 1_000]];
  report.distributions.rating_age_years = [["10+", 12], ["no date", 88]];
  report.inspections.newest = "2025-12-31";
  const whole = { ...WHOLE, census: false };
  assert.deepEqual(
    failuresOf(fileGates(report, { paths: PATHS, whole })).map(({ message }) => message),
    [
      "census.csv does not end with a line end: it was probably cut short in row 1000 " +
      "(census_cut_short: 1 files, allowed at most 0 files)",
      "census.csv: 2 of 1000 rows were rejected: ragged_row 42, duplicate_usdot_number 1 " +
      "(census_rejected: 0.2%, allowed at most 0.1%)",
      "census.csv: 1 rows repeat the USDOT number of another row " +
      "(census_duplicates: 0.1%, allowed at most 0.05%)",
      "census.csv: only 0 of 1000 carriers are active in STATUS_CODE " +
      "(census_active: 0%, allowed at least 10%)",
      "census.csv: 88 of 100 rated carriers have no possible date in SAFETY_RATING_DATE " +
      "(census_ratings_undated: 88%, allowed at most 10%)",
      "inspections.csv: the newest inspection is of 2025-12-31, long before the data date 2026-04-03 " +
      "(inspections_newest: 93 days, allowed at most 90 days)",
    ],
  );
});

Deno.test("a small file without any problem passes", () => {
  const report = goodReport();
  Object.assign(report.census, { rows: 2, accepted: 2, rejected: 0, problems: [] });
  report.distributions.status = [["A", 2]];
  report.distributions.rating_age_years = [["10+", 2]];
  assert.deepEqual(broken(fileGates(report, { paths: PATHS, whole: WHOLE })), []);
});

Deno.test("gateResults() marks as overridden only gates that were both broken and forced", () => {
  const bound = { min: -1, max: 5 };
  const gates = [5, 5.001].map((measured): Gate => (
    { name: "x", measured, unit: "%", bound, broken: "x" }
  ));
  const verdicts = (forced: boolean) =>
    gateResults(gates, forced).map(({ passed, overridden }) => [passed, overridden]);
  assert.deepEqual(verdicts(false), [[true, false], [false, false]]);
  assert.deepEqual(verdicts(true), [[true, false], [false, true]]);
  assert.equal(boundWords(bound, "%"), "-1 to 5%");
  assert.equal(boundWords({ max: 0.1 }, "%"), "at most 0.1%");
});

Deno.test("noisy() widens a bound to 100 / sqrt(n) percent", () => {
  assert.deepEqual([1_000_000, 400, 1, 0].map((n) => noisy(3, n)), [3, 5, 100, 100]);
});

Deno.test("percentOf() is 0 when the total is 0, and has three decimals", () => {
  assert.deepEqual([percentOf(0, 0), percentOf(1, 3)], [0, 33.333]);
});
