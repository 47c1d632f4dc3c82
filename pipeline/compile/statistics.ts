/**
 * Counts over records, gathered a partition at a time and merged in any order.
 *
 * @module
 */

import type { CarrierRecord } from "../snapshot/record.ts";
import type { BuildReport, Distribution } from "./report.ts";

/** Labels and counts. Plain data: a worker posts it. */
export type Counts = Map<string, number>;

/** What the report says of the records. */
export interface Statistics {
  carriers: number;
  carriersInspected: number;
  inspections: number;
  /** Docket entries in the records: one a carrier and docket. */
  docketEntries: number;
  /** Records that lack the member or leave it blank, in the order of {@link OPTIONAL}. */
  absent: number[];
  status: Counts;
  operation: Counts;
  roles: Counts;
  classes: Counts;
  hazmat: Counts;
  rating: Counts;
  ratingAge: Counts;
  docketPrefix: Counts;
  docketStatus: Counts;
  states: Counts;
  mcs150Age: Counts;
  fleet: Counts;
  outOfService: Counts;
}

/** Members whose absence is counted: all that may be absent or blank. */
const OPTIONAL = [
  "legal_name",
  "dba_name",
  "city",
  "state",
  "country",
  "operation",
  "roles",
  "classes",
  "power_units",
  "drivers",
  "hazmat",
  "mcs150_date",
  "added",
  "rating",
  "rating_date",
  "dockets",
  "inspections",
] as const satisfies readonly (keyof CarrierRecord)[];

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
const STATES_SHOWN = 60;
const CLASSES_SHOWN = 30;
const NO_DATE = "no date";
const KINDS = ["vehicle", "driver", "hazmat"] as const;

/** Statistics of no records. */
export function noStatistics(): Statistics {
  return {
    carriers: 0,
    carriersInspected: 0,
    inspections: 0,
    docketEntries: 0,
    absent: OPTIONAL.map(() => 0),
    status: new Map(),
    operation: new Map(),
    roles: new Map(),
    classes: new Map(),
    hazmat: new Map(),
    rating: new Map(),
    ratingAge: new Map(),
    docketPrefix: new Map(),
    docketStatus: new Map(),
    states: new Map(),
    mcs150Age: new Map(),
    fleet: new Map(),
    outOfService: new Map(),
  };
}

/** Counts one record. `dataDate` is `YYYY-MM-DD`. */
export function countRecord(
  statistics: Statistics,
  record: CarrierRecord,
  { dataDate }: { dataDate: string },
): void {
  statistics.carriers++;
  if (record.inspections) {
    statistics.carriersInspected++;
    statistics.inspections += record.inspections.total;
  }
  statistics.docketEntries += record.dockets?.length ?? 0;
  for (let i = 0; i < OPTIONAL.length; i++) {
    if ((record[OPTIONAL[i]!] ?? "") === "") statistics.absent[i]!++;
  }
  add(statistics.status, record.status);
  add(statistics.operation, record.operation ?? NOT_REPORTED);
  for (const role of record.roles ?? [NOT_REPORTED]) add(statistics.roles, role);
  for (const name of record.classes ?? [NOT_REPORTED]) add(statistics.classes, name);
  const { hazmat } = record;
  add(statistics.hazmat, hazmat === undefined ? NOT_REPORTED : hazmat ? "Y" : "N");
  add(statistics.rating, record.rating ?? "not rated");
  if (record.rating) {
    add(statistics.ratingAge, ageInYears(record.rating_date, { dataDate, never: NO_DATE }));
  }
  for (const { prefix, status = NOT_REPORTED } of record.dockets ?? []) {
    add(statistics.docketPrefix, prefix);
    add(statistics.docketStatus, status);
  }
  add(statistics.states, record.state ?? NOT_REPORTED);
  add(statistics.mcs150Age, ageInYears(record.mcs150_date, { dataDate, never: "never" }));
  add(statistics.fleet, fleetBand(record.power_units));
  if (record.inspections) {
    for (const kind of KINDS) {
      const { inspections, out_of_service } = record.inspections[kind];
      add(statistics.outOfService, kind, inspections);
      add(statistics.outOfService, `${kind} out of service`, out_of_service);
    }
  }
}

/** Adds all of `from` to `into`. */
export function mergeStatistics(into: Statistics, from: Statistics): void {
  for (const key of Object.keys(into) as (keyof Statistics)[]) {
    const value = from[key];
    if (typeof value === "number") (into[key] as number) += value;
    else if (Array.isArray(value)) value.forEach((n, i) => into.absent[i]! += n);
    else mergeCounts(into[key] as Counts, value);
  }
}

/** Adds counts to counts. */
export function mergeCounts(into: Counts, from: Counts): void {
  for (const [label, count] of from) add(into, label, count);
}

/** The share of carriers that lack each member, percent with two decimals. */
export function nullRates(statistics: Statistics): BuildReport["null_rates"] {
  const { absent, carriers } = statistics;
  return Object.fromEntries(
    OPTIONAL.map((member, i) => [
      member,
      carriers === 0 ? 0 : Math.round(absent[i]! / carriers * 10_000) / 100,
    ]),
  );
}

/** The distributions of the report, inspections left out. */
export function distributions(
  statistics: Statistics,
): Omit<BuildReport["distributions"], "inspections_per_month" | "inspection_levels"> {
  const ages = [...Array.from({ length: 10 }, (_, i) => String(i)), "10+"];
  const bands = [...FLEET_BANDS.map(([label]) => label), NOT_REPORTED];
  return {
    status: inOrder(statistics.status, ["A", "I", "P"]),
    operation: inOrder(statistics.operation, ["A", "B", "C", NOT_REPORTED]),
    roles: byLabel(statistics.roles),
    classes: biggest(statistics.classes, CLASSES_SHOWN),
    hazmat: inOrder(statistics.hazmat, ["Y", "N", NOT_REPORTED]),
    rating: inOrder(statistics.rating, ["S", "C", "U", "not rated"]),
    rating_age_years: inOrder(statistics.ratingAge, [...ages, NO_DATE]),
    docket_prefix: byLabel(statistics.docketPrefix),
    docket_status: byLabel(statistics.docketStatus),
    states: biggest(statistics.states, STATES_SHOWN),
    mcs150_age_years: inOrder(statistics.mcs150Age, [...ages, "never"]),
    fleet: inOrder(statistics.fleet, bands),
    out_of_service: inOrder(
      statistics.outOfService,
      KINDS.flatMap((kind) => [kind, `${kind} out of service`]),
    ),
  };
}

/** Counts by label, labels ascending. */
export function byLabel(counts: Counts): Distribution {
  return [...counts].sort(([a], [b]) => a < b ? -1 : 1);
}

function inOrder(counts: Counts, labels: string[]): Distribution {
  return labels.map((label) => [label, counts.get(label) ?? 0]);
}

function biggest(counts: Counts, most: number): Distribution {
  return byLabel(counts).sort(([, a], [, b]) => b - a).slice(0, most);
}

function add(counts: Counts, label: string, count = 1): void {
  counts.set(label, (counts.get(label) ?? 0) + count);
}

/** Whole years between two days, both `YYYY-MM-DD`. A filing after the data date counts as 0 years. */
function ageInYears(
  filed: string | undefined,
  { dataDate, never }: { dataDate: string; never: string },
): string {
  if (filed === undefined) return never;
  const years = Number(dataDate.slice(0, 4)) - Number(filed.slice(0, 4)) -
    (dataDate.slice(5) < filed.slice(5) ? 1 : 0);
  return years >= 10 ? "10+" : String(Math.max(years, 0));
}

function fleetBand(powerUnits: number | undefined): string {
  if (powerUnits === undefined) return NOT_REPORTED;
  return FLEET_BANDS.find(([, max]) => powerUnits <= max)![0];
}
