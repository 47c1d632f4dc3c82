/**
 * The counts of a build: over the records of a partition in a worker, and over all partitions for the
 * manifest and the report. No sum depends on order.
 *
 * @module
 */

import type { ExportedPart } from "../export/part.ts";
import { isoDay, wholeYears } from "../dates.ts";
import {
  countProblems,
  mergeProblems,
  problemCounts,
  type ProblemTallies,
} from "../fmcsa/problems.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import { FORMAT } from "../snapshot/documents.ts";
import { CARGO, MARKS } from "../snapshot/record/members.ts";
import type { CarrierRecord } from "../snapshot/record/record.ts";
import { ABSENT, RECORD_COLUMNS } from "../snapshot/record/rows.ts";
import type { ShardSum } from "../snapshot/writer.ts";
import { TextIds } from "../text_ids.ts";
import {
  arranged,
  type Distribution,
  DISTRIBUTION_NAMES,
  type DistributionName,
  fleetBand,
} from "../audit/distributions.ts";
import { addChangeCounts, type ChangeCounts, noChangeCounts } from "./changes/change_log.ts";
import type { FirstPass } from "./spill/first_pass.ts";
import { type Fleets, keepLargest } from "../audit/landmarks.ts";
import {
  mergeRecordChanges,
  noRecordChanges,
  type RecordChangeCounts,
} from "../audit/record_changes.ts";
import {
  ALL_ROLES,
  type BuildReport,
  type FileReport,
  type InputRole,
  type OrdersReport,
  type SourceRole,
} from "../audit/report.ts";
import { noLosses, type OrderLosses } from "./changes/merge.ts";
import { addOrders, noOrders, type OrderCounts } from "./spill/spilled_orders.ts";

/** Members that every record has, or that come from neither the census nor the inspections. */
const UNRATED = new Set(["dot", "status", "changes", "orders", "orders_total"]);

/** Counts by label. */
class Tally {
  #labels = new TextIds();
  #counts: number[] = [];

  add(label: string, count = 1): void {
    const id = this.#labels.of(label);
    this.#counts[id] = (this.#counts[id] ?? 0) + count;
  }

  /** In the order in which the labels appeared. */
  all(label: (of: string) => string = String): Distribution {
    return this.#labels.texts.map((text, i) => [label(text), this.#counts[i]!]);
  }
}

/** Counts over records. */
interface Statistics<Counts> {
  carriers: number;
  carriersInspected: number;
  /** Inspections in the window, for carriers in the census. */
  inspections: number;
  /** Inspections in the window, for any carrier. */
  inWindow: number;
  /** The newest MCS-150 up to the data date, `YYYY-MM-DD`; empty without one. */
  newestFiling: string;
  /** The newest inspection in the window, `YYYYMMDD` as a number; 0 without one. */
  newestInspection: number;
  /** Docket entries in the records: one per carrier and docket. */
  docketEntries: number;
  /** Records that have a value at each position of their row. */
  filled: number[];
  distributions: Record<DistributionName, Counts>;
}

const NOT_REPORTED = "not reported";
/** The label of a carrier without cargo; not a letter of {@link MARKS}. */
const NO_MARK = "-";
const CARGO_OF = Object.fromEntries(Object.keys(CARGO).map((column, i) => [MARKS[i]!, column]));
const KINDS = ["vehicle", "driver", "hazmat"] as const;

function eachDistribution<T>(value: (name: DistributionName) => T): Record<DistributionName, T> {
  return Object.fromEntries(DISTRIBUTION_NAMES.map((name) => [name, value(name)])) as Record<
    DistributionName,
    T
  >;
}

export function noStatistics(): Statistics<Tally> {
  return {
    carriers: 0,
    carriersInspected: 0,
    inspections: 0,
    inWindow: 0,
    newestFiling: "",
    newestInspection: 0,
    docketEntries: 0,
    filled: RECORD_COLUMNS.map(() => 0),
    distributions: eachDistribution(() => new Tally()),
  };
}

/** Counts one record; `row` is its row. `dataDate` is `YYYY-MM-DD`. */
export function countRecord(
  statistics: Statistics<Tally>,
  record: CarrierRecord,
  { row, dataDate }: { row: readonly unknown[]; dataDate: string },
): void {
  const { distributions, filled } = statistics;
  const { inspections, dockets = [], rating, mcs150_date: filed = "" } = record;
  statistics.carriers++;
  if (filed > statistics.newestFiling && filed <= dataDate) statistics.newestFiling = filed;
  statistics.docketEntries += dockets.length;
  for (let i = 0; i < row.length; i++) if (row[i] !== ABSENT) filled[i]!++;
  distributions.status.add(record.status);
  distributions.operation.add(record.operation ?? NOT_REPORTED);
  for (const role of record.roles ?? [NOT_REPORTED]) distributions.roles.add(role);
  for (const name of record.classes ?? [NOT_REPORTED]) distributions.classes.add(name);
  for (const mark of record.cargo ?? NO_MARK) distributions.cargo.add(mark);
  distributions.business_form.add(record.business_form ?? NOT_REPORTED);
  distributions.hazmat.add(flagLabel(record.hazmat));
  distributions.prior_revoked.add(flagLabel(record.prior_revoked));
  distributions.review_type.add(record.review_type ?? NOT_REPORTED);
  distributions.rating.add(rating ?? "not rated");
  if (rating) distributions.rating_age_years.add(record.rating_date ?? "");
  for (const { prefix, status = NOT_REPORTED } of dockets) {
    distributions.docket_prefix.add(prefix);
    distributions.docket_status.add(status);
  }
  distributions.states.add(record.state ?? NOT_REPORTED);
  distributions.mcs150_age_years.add(filed);
  distributions.fleet.add(fleetBand(record.power_units));
  if (inspections === undefined) return;
  statistics.carriersInspected++;
  statistics.inspections += inspections.total;
  for (const kind of KINDS) {
    const { inspections: count, out_of_service } = inspections[kind];
    distributions.out_of_service.add(kind, count);
    distributions.out_of_service.add(`${kind} out of service`, out_of_service);
  }
}

function flagLabel(flag: boolean | undefined): string {
  return flag === undefined ? NOT_REPORTED : flag ? "Y" : "N";
}

/** Whole years between two days, both `YYYY-MM-DD`. A filing after the data date counts as 0 years. */
function years(filed: string, dataDate: string): string {
  const whole = wholeYears(filed, dataDate);
  return whole >= 10 ? "10+" : String(Math.max(whole, 0));
}

/** The counts as plain data that a worker can post. */
export function plainStatistics(
  { distributions, ...sums }: Statistics<Tally>,
  dataDate: string,
): Statistics<Distribution> {
  const age = (none: string) => (day: string) => day === "" ? none : years(day, dataDate);
  return {
    ...sums,
    distributions: {
      ...eachDistribution((name) => distributions[name].all()),
      cargo: distributions.cargo.all((mark) => CARGO_OF[mark] ?? NOT_REPORTED),
      rating_age_years: distributions.rating_age_years.all(age("no date")),
      mcs150_age_years: distributions.mcs150_age_years.all(age("never")),
    },
  };
}

function mergeStatistics(into: Statistics<Tally>, from: Statistics<Distribution>): void {
  into.carriers += from.carriers;
  into.carriersInspected += from.carriersInspected;
  into.inspections += from.inspections;
  into.inWindow += from.inWindow;
  if (from.newestFiling > into.newestFiling) into.newestFiling = from.newestFiling;
  into.newestInspection = Math.max(into.newestInspection, from.newestInspection);
  into.docketEntries += from.docketEntries;
  from.filled.forEach((count, i) => into.filled[i]! += count);
  for (const name of DISTRIBUTION_NAMES) {
    for (const [label, count] of from.distributions[name]) {
      into.distributions[name].add(label, count);
    }
  }
}

/** The result for one partition. Plain data: a worker posts it. */
export interface Assembled {
  shards: ShardSum[];
  problems: Record<SourceRole, ProblemTallies>;
  statistics: Statistics<Distribution>;
  fleets: Fleets;
  changes: RecordChangeCounts;
  log: ChangeCounts;
  orders: OrderCounts;
  losses: OrderLosses;
  /** Rows of carriers that left the census. */
  left: number;
  /** Entries for `writeDockets`. */
  dockets: Uint32Array;
  /** Its part of the exported files, null without one. */
  exported: ExportedPart | null;
}

/** The first passes of a build; no orders when they are not included. */
export type Passes = Record<InputRole, FirstPass> & { orders?: FirstPass };

export class Totals {
  readonly shards: ShardSum[] = [];
  readonly dockets: Uint32Array[] = [];
  readonly exported: ExportedPart[] = [];
  /** Since the previous snapshot. */
  readonly changes = noRecordChanges();
  readonly log: ChangeCounts = noChangeCounts();
  /** All partitions of the build. */
  readonly partitions: readonly number[];
  readonly problems: Record<SourceRole, ProblemTallies> = {
    census: {},
    inspections: {},
    orders: {},
  };
  readonly losses = noLosses();
  #left = 0;
  #fleets: Fleets = [];
  #orders = noOrders();
  #passes: Passes;
  #statistics = noStatistics();

  constructor(passes: Passes, partitions: readonly number[]) {
    this.#passes = passes;
    this.partitions = partitions;
    for (const role of ALL_ROLES) mergeProblems(this.problems[role], passes[role]?.problems ?? {});
  }

  add({ shards, problems, statistics, fleets, changes, ...rest }: Assembled): void {
    const { orders, losses, left, dockets, exported, log } = rest;
    this.shards.push(...shards);
    addOrders(this.#orders, orders);
    this.losses.orders += losses.orders;
    this.losses.lost += losses.lost;
    this.#left += left;
    this.dockets.push(dockets);
    if (exported !== null) this.exported.push(exported);
    for (const role of ALL_ROLES) mergeProblems(this.problems[role], problems[role]);
    mergeStatistics(this.#statistics, statistics);
    this.#fleets.push(...fleets);
    mergeRecordChanges(this.changes, changes);
    addChangeCounts(this.log, log);
  }

  counts(): Manifest["counts"] {
    const { distributions, ...sums } = this.#statistics;
    const status = new Map(distributions.status.all());
    return {
      carriers: sums.carriers,
      active: status.get("A") ?? 0,
      inactive: status.get("I") ?? 0,
      pending: status.get("P") ?? 0,
      dockets: sums.docketEntries,
      inspections: sums.inspections,
      carriers_inspected: sums.carriersInspected,
      left: this.#left,
      ...(this.#passes.orders && { orders: this.#orders.known_carrier }),
    };
  }

  /** The report, before gates and drift. */
  report({ dataDate, notice }: { dataDate: string; notice?: string | undefined }): BuildReport {
    const { filled, carriers, distributions, ...found } = this.#statistics;
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
      ...(this.#passes.orders && { orders: this.#ordersReport(this.#passes.orders) }),
      null_rates: Object.fromEntries(
        RECORD_COLUMNS.map(([name], i): [string, number] => [name, rate(carriers - filled[i]!)])
          .filter(([name]) => !UNRATED.has(name)),
      ),
      distributions: eachDistribution((name) => arranged(name, new Map(distributions[name].all()))),
      gates: [],
      landmarks: { largest: keepLargest(this.#fleets).map(([dot]) => dot) },
    };
  }

  #ordersReport({ newest }: FirstPass): OrdersReport {
    const { known_carrier, ...states } = this.#orders;
    const file = this.#file("orders");
    return {
      ...file,
      newest: isoDay(newest),
      ...states,
      unknown_carrier: file.accepted - known_carrier,
      gates: [],
    };
  }

  #file(role: SourceRole): FileReport {
    const { rows, extraColumns, reordered } = this.#passes[role]!;
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
