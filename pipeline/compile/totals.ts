/**
 * What a build counts: over the records of a partition in a worker, and over all partitions for the
 * manifest and the report. Every sum is the same in any order.
 *
 * @module
 */

import { isoDay } from "../fmcsa/fields.ts";
import {
  countProblems,
  mergeProblems,
  problemCounts,
  type ProblemTallies,
} from "../fmcsa/problems.ts";
import { FORMAT, type Manifest } from "../snapshot/manifest.ts";
import { CARGO, CENSUS_MEMBERS, MARKS } from "../snapshot/members.ts";
import type { CarrierRecord } from "../snapshot/record.ts";
import type { ShardSum } from "../snapshot/writer.ts";
import { arranged, DISTRIBUTION_NAMES, type DistributionName } from "./distributions.ts";
import type { FirstPass } from "./first_pass.ts";
import { type FoundLandmarks, landmarks, mergeLandmarks, noLandmarks } from "./landmarks.ts";
import { type BuildReport, type FileReport, type InputRole, ROLES } from "./report.ts";

/** Labels and counts. */
type Counts = Map<string, number>;

/** Counts over records. Plain data: a worker posts it. */
interface Statistics {
  carriers: number;
  carriersInspected: number;
  /** Of carriers of the census. */
  inspections: number;
  /** Inspections in the window, whoever the carrier. */
  inWindow: number;
  /** The newest MCS-150 up to the data date, `YYYY-MM-DD`; empty without one. */
  newestFiling: string;
  /** The newest inspection in the window, `YYYYMMDD` as a number; 0 without one. */
  newestInspection: number;
  /** Docket entries in the records: one a carrier and docket. */
  docketEntries: number;
  /** Records that lack the member or leave it blank, in the order of {@link OPTIONAL}. */
  absent: number[];
  distributions: Record<DistributionName, Counts>;
}

/** Members whose absence is counted: all that may be absent or blank. */
const OPTIONAL = [...Object.keys(CENSUS_MEMBERS), "dockets", "inspections"]
  .filter((name) => name !== "status") as (keyof CarrierRecord)[];

const FLEET_BANDS: readonly [label: string, max: number][] = [
  ["0", 0],
  ["1", 1],
  ["2-5", 5],
  ["6-20", 20],
  ["21-100", 100],
  ["101-1000", 1000],
  ["1001+", Infinity],
];

const NOT_REPORTED = "not reported";
const CARGO_OF = Object.fromEntries(Object.keys(CARGO).map((column, i) => [MARKS[i]!, column]));
const KINDS = ["vehicle", "driver", "hazmat"] as const;

function eachDistribution<T>(value: (name: DistributionName) => T): Record<DistributionName, T> {
  return Object.fromEntries(DISTRIBUTION_NAMES.map((name) => [name, value(name)])) as Record<
    DistributionName,
    T
  >;
}

/** The counts over no records. */
export function noStatistics(): Statistics {
  return {
    carriers: 0,
    carriersInspected: 0,
    inspections: 0,
    inWindow: 0,
    newestFiling: "",
    newestInspection: 0,
    docketEntries: 0,
    absent: OPTIONAL.map(() => 0),
    distributions: eachDistribution(() => new Map()),
  };
}

/** Counts one record. `dataDate` is `YYYY-MM-DD`. */
export function countRecord(
  statistics: Statistics,
  record: CarrierRecord,
  { dataDate }: { dataDate: string },
): void {
  const { distributions } = statistics;
  const { inspections, dockets = [], rating, mcs150_date: filed = "" } = record;
  statistics.carriers++;
  if (filed > statistics.newestFiling && filed <= dataDate) statistics.newestFiling = filed;
  statistics.docketEntries += dockets.length;
  for (let i = 0; i < OPTIONAL.length; i++) {
    if ((record[OPTIONAL[i]!] ?? "") === "") statistics.absent[i]!++;
  }
  add(distributions.status, record.status);
  add(distributions.operation, record.operation ?? NOT_REPORTED);
  for (const role of record.roles ?? [NOT_REPORTED]) add(distributions.roles, role);
  for (const name of record.classes ?? [NOT_REPORTED]) add(distributions.classes, name);
  for (const mark of record.cargo ?? "-") add(distributions.cargo, CARGO_OF[mark] ?? NOT_REPORTED);
  add(distributions.business_form, record.business_form ?? NOT_REPORTED);
  add(distributions.hazmat, flagLabel(record.hazmat));
  add(distributions.prior_revoked, flagLabel(record.prior_revoked));
  add(distributions.review_type, record.review_type ?? NOT_REPORTED);
  add(distributions.rating, rating ?? "not rated");
  if (rating) add(distributions.rating_age_years, years(record.rating_date, dataDate) ?? "no date");
  for (const { prefix, status = NOT_REPORTED } of dockets) {
    add(distributions.docket_prefix, prefix);
    add(distributions.docket_status, status);
  }
  add(distributions.states, record.state ?? NOT_REPORTED);
  add(distributions.mcs150_age_years, years(record.mcs150_date, dataDate) ?? "never");
  add(distributions.fleet, fleetBand(record.power_units));
  if (inspections === undefined) return;
  statistics.carriersInspected++;
  statistics.inspections += inspections.total;
  for (const kind of KINDS) {
    const { inspections: count, out_of_service } = inspections[kind];
    add(distributions.out_of_service, kind, count);
    add(distributions.out_of_service, `${kind} out of service`, out_of_service);
  }
}

function flagLabel(flag: boolean | undefined): string {
  return flag === undefined ? NOT_REPORTED : flag ? "Y" : "N";
}

function add(counts: Counts, label: string, count = 1): void {
  counts.set(label, (counts.get(label) ?? 0) + count);
}

/** Whole years between two days, both `YYYY-MM-DD`. A filing after the data date counts as 0 years. */
function years(filed: string | undefined, dataDate: string): string | undefined {
  if (filed === undefined) return undefined;
  const whole = Number(dataDate.slice(0, 4)) - Number(filed.slice(0, 4)) -
    (dataDate.slice(5) < filed.slice(5) ? 1 : 0);
  return whole >= 10 ? "10+" : String(Math.max(whole, 0));
}

function fleetBand(powerUnits: number | undefined): string {
  if (powerUnits === undefined) return NOT_REPORTED;
  return FLEET_BANDS.find(([, max]) => powerUnits <= max)![0];
}

function mergeStatistics(into: Statistics, from: Statistics): void {
  into.carriers += from.carriers;
  into.carriersInspected += from.carriersInspected;
  into.inspections += from.inspections;
  into.inWindow += from.inWindow;
  if (from.newestFiling > into.newestFiling) into.newestFiling = from.newestFiling;
  into.newestInspection = Math.max(into.newestInspection, from.newestInspection);
  into.docketEntries += from.docketEntries;
  from.absent.forEach((count, i) => into.absent[i]! += count);
  for (const name of DISTRIBUTION_NAMES) {
    for (const [label, count] of from.distributions[name]) {
      add(into.distributions[name], label, count);
    }
  }
}

/** The result for one partition. Plain data: a worker posts it. */
export interface Assembled {
  shards: ShardSum[];
  problems: Record<InputRole, ProblemTallies>;
  statistics: Statistics;
  landmarks: FoundLandmarks;
  /** Entries for `writeDockets`. */
  dockets: Uint32Array;
}

export class Totals {
  readonly shards: ShardSum[] = [];
  readonly dockets: Uint32Array[] = [];
  readonly landmarks = noLandmarks();
  /** All partitions of the build. */
  readonly partitions: readonly number[];
  readonly problems: Record<InputRole, ProblemTallies> = { census: {}, inspections: {} };
  #passes: Record<InputRole, FirstPass>;
  #statistics = noStatistics();

  constructor(passes: Record<InputRole, FirstPass>, partitions: readonly number[]) {
    this.#passes = passes;
    this.partitions = partitions;
    for (const role of ROLES) mergeProblems(this.problems[role], passes[role].problems);
  }

  add({ shards, problems, statistics, landmarks, dockets }: Assembled): void {
    this.shards.push(...shards);
    this.dockets.push(dockets);
    for (const role of ROLES) mergeProblems(this.problems[role], problems[role]);
    mergeStatistics(this.#statistics, statistics);
    mergeLandmarks(this.landmarks, landmarks);
  }

  counts(): Manifest["counts"] {
    const { distributions: { status }, ...sums } = this.#statistics;
    return {
      carriers: sums.carriers,
      active: status.get("A") ?? 0,
      inactive: status.get("I") ?? 0,
      pending: status.get("P") ?? 0,
      dockets: sums.docketEntries,
      inspections: sums.inspections,
      carriers_inspected: sums.carriersInspected,
    };
  }

  /** The report, before gates and drift. */
  report({ dataDate, notice }: { dataDate: string; notice?: string | undefined }): BuildReport {
    const { absent, carriers, distributions, ...found } = this.#statistics;
    const rate = (count: number): number =>
      carriers === 0 ? 0 : Math.round(count / carriers * 10_000) / 100;
    return {
      format: FORMAT,
      data_date: dataDate,
      ...(notice !== undefined && { notice }),
      census: {
        ...this.#file("census"),
        ...(found.newestFiling !== "" && { newest: found.newestFiling }),
      },
      inspections: {
        ...this.#file("inspections"),
        ...(found.newestInspection !== 0 && { newest: isoDay(found.newestInspection) }),
        in_window: found.inWindow,
        unknown_carrier: found.inWindow - found.inspections,
      },
      null_rates: Object.fromEntries(OPTIONAL.map((member, i) => [member, rate(absent[i]!)])),
      distributions: eachDistribution((name) => arranged(name, distributions[name])),
      gates: [],
      landmarks: landmarks(this.landmarks),
    };
  }

  #file(role: InputRole): FileReport {
    const { rows, extraColumns, reordered } = this.#passes[role];
    const problems = this.problems[role];
    const rejected = countProblems(problems, "rejected");
    const skipped = countProblems(problems, "skipped");
    return {
      rows,
      accepted: rows - rejected - skipped,
      rejected,
      skipped,
      problems: problemCounts(problems),
      extra_columns: extraColumns,
      reordered_columns: reordered,
    };
  }
}
