/**
 * Carriers that a build names in its report for the next one to compare record by record: the largest
 * fleets, and for each fact of a record a sample of the carriers that have it.
 *
 * @module
 */

import { mix } from "../mix.ts";
import { lookUpFailures } from "../search/query/golden.ts";
import type { Snapshot } from "../snapshot/pinned_snapshot.ts";
import { CENSUS_MEMBERS, type CensusMember, type Member } from "../snapshot/members.ts";
import type { CarrierRecord, Docket, InspectionSummary } from "../snapshot/record.ts";
import { sha256 } from "../snapshot/writer.ts";
import { daysFrom, type Gate, noisy, percentOf, type ReportPair, rounded } from "./gates.ts";
import type { InputRole, Landmarks } from "./report.ts";

const LARGEST = 100;
const SAMPLED = 200;
/** The stream of {@link mix} that draws the sample. */
const STREAM = 40;
/** Hex digits kept of the hash of a text. */
const DIGITS = 8;
/** Sampled carriers whose number, dockets and name are looked up. */
const GOLDEN = 50;
/** Percent of the sampled values that may differ: at once, and for each day between the two. */
const CHANGED = { atOnce: 5, aDay: 2 };

type Value = string | number;

interface Fact {
  role: InputRole;
  /** For messages. */
  column: string;
  /** The record's value; undefined or 0 where it has none. Numbers are compared by how far they moved. */
  of: (record: CarrierRecord) => Value | undefined;
}

/** Members of the census that are compared by how far they moved; others are equal or not. */
const QUANTITIES: readonly CensusMember[] = ["power_units", "drivers", "mileage"];

/** What is sampled, each among the carriers that have it; of flags and `other_docket` only the rare values. */
const FACTS: Record<string, Fact> = {
  ...Object.fromEntries(
    Object.entries<Member>(CENSUS_MEMBERS).map(([member, { columns }]) => [
      member,
      census(columns[0]!, (record) => {
        const value = record[member as CensusMember];
        if (typeof value === "number" && QUANTITIES.includes(member as CensusMember)) return value;
        if (value === undefined || value === "" || value === false) return undefined;
        return value === true ? "Y" : String(value);
      }),
    ]),
  ),
  docket: census("DOCKET1PREFIX or DOCKET1", (r) => docketText(r.dockets?.[0])),
  docket_status: census("DOCKET1_STATUS_CODE", (r) => r.dockets?.[0]?.status),
  other_docket: census(
    "DOCKET1PREFIX",
    (r) => docketText(r.dockets?.find(({ prefix }) => prefix !== "MC")),
  ),
  second_docket: census("DOCKET2PREFIX or DOCKET2", (r) => docketText(r.dockets?.[1])),
  second_docket_status: census("DOCKET2_STATUS_CODE", (r) => r.dockets?.[1]?.status),
  third_docket: census("DOCKET3PREFIX or DOCKET3", (r) => docketText(r.dockets?.[2])),
  third_docket_status: census("DOCKET3_STATUS_CODE", (r) => r.dockets?.[2]?.status),
  last_inspection: inspected("INSP_DATE", ({ last }) => last),
  inspections: inspected("DOT_NUMBER", ({ total }) => total),
  inspection_state: inspected("REPORT_STATE", ({ latest }) => latest?.[0]?.[1] || undefined),
  interstate: inspected("INSP_INTERSTATE", ({ interstate }) => interstate?.[0]),
  placarded: inspected("HAZMAT_PLACARD_REQ", ({ placarded }) => placarded?.[0]),
  renamed: inspected("INSP_CARRIER_NAME", ({ renamed }) => renamed?.[0]),
  violations: inspected("VIOL_TOTAL", ({ violations }) => violations),
  vehicle_inspections: inspected("INSP_LEVEL_ID", ({ vehicle }) => vehicle.inspections),
  vehicle_oos: inspected("VEHICLE_OOS_TOTAL", ({ vehicle }) => vehicle.out_of_service),
  driver_inspections: inspected("INSP_LEVEL_ID", ({ driver }) => driver.inspections),
  driver_oos: inspected("DRIVER_OOS_TOTAL", ({ driver }) => driver.out_of_service),
  hazmat_inspections: inspected(
    "HAZMAT_PLACARD_REQ or HAZMAT_VIOL_TOTAL",
    ({ hazmat }) => hazmat.inspections,
  ),
  hazmat_oos: inspected("HAZMAT_OOS_TOTAL", ({ hazmat }) => hazmat.out_of_service),
};

function census(column: string, of: Fact["of"]): Fact {
  return { role: "census", column, of };
}

function inspected(
  column: string,
  of: (inspections: InspectionSummary) => Value | undefined,
): Fact {
  return { role: "inspections", column, of: ({ inspections }) => inspections && of(inspections) };
}

function docketText(docket: Docket | undefined): string | undefined {
  return docket && `${docket.prefix} ${docket.number}`;
}

const FACT_LIST = Object.values(FACTS);
/** Facts of the census come first. */
const CENSUS_FACTS = FACT_LIST.filter(({ role }) => role === "census").length;

interface Drawn {
  /** The sample is those of the lowest keys. */
  key: number;
  dot: number;
  value: Value;
}

/** Landmarks of some partitions. Plain data: a worker posts it. */
export interface FoundLandmarks {
  largest: [dot: number, powerUnits: number][];
  /** In the order of {@link FACTS}. */
  sampled: { drawn: Drawn[]; below: number }[];
}

/**
 * The landmarks of no records.
 *
 * @param bounds Those of {@link boundsOf} for what these are merged into, to draw less in vain.
 */
export function noLandmarks(bounds: readonly number[] = []): FoundLandmarks {
  const sampled = FACT_LIST.map((_, i) => ({ drawn: [], below: bounds[i] ?? Infinity }));
  return { largest: [], sampled };
}

/** By fact, the key from which no record can be in the sample. */
export function boundsOf({ sampled }: FoundLandmarks): number[] {
  return sampled.map(({ below }) => below);
}

/** Adds one record. Each `day` of data (`YYYYMMDD` as a number) has its own sample. */
export function noteLandmark(found: FoundLandmarks, record: CarrierRecord, day: number): void {
  const { dot, status, power_units = 0 } = record;
  const { largest, sampled } = found;
  // The fleets of inactive carriers are the absurd ones.
  if (status === "A" && power_units > 0) {
    largest.push([dot, power_units]);
    if (largest.length > 20 * LARGEST) keepLargest(largest);
  }
  const key = mix(day, dot, STREAM);
  const facts = record.inspections === undefined ? CENSUS_FACTS : FACT_LIST.length;
  for (let i = 0; i < facts; i++) {
    const sample = sampled[i]!;
    if (key >= sample.below) continue;
    const value = FACT_LIST[i]!.of(record);
    if (value === undefined || value === 0) continue;
    sample.drawn.push({ key, dot, value });
    if (sample.drawn.length >= 2 * SAMPLED) keepLowest(sample);
  }
}

/** Adds all of `from` to `into`. The result does not depend on the order of such calls. */
export function mergeLandmarks(into: FoundLandmarks, from: FoundLandmarks): void {
  into.largest.push(...from.largest);
  keepLargest(into.largest);
  for (const [i, { drawn }] of from.sampled.entries()) {
    into.sampled[i]!.drawn.push(...drawn);
    keepLowest(into.sampled[i]!);
  }
}

/** The landmarks for the report. */
export function landmarks({ largest, sampled }: FoundLandmarks): Landmarks {
  return {
    largest: largest.map(([dot]) => dot),
    sampled: Object.fromEntries(
      Object.keys(FACTS).map((name, i) => {
        const sample = sampled[i]!;
        keepLowest(sample);
        return [name, sample.drawn.map(({ dot, value }) => [dot, noted(value)])];
      }),
    ),
  };
}

function valueOf({ of }: Fact, record: CarrierRecord): Value | undefined {
  const value = of(record);
  return value === undefined || value === 0 ? undefined : noted(value);
}

/** A value as the report has it: texts by their hash. */
function noted(value: Value): Value {
  return typeof value === "string" ? sha256(value).slice(0, DIGITS) : value;
}

function keepLargest(largest: FoundLandmarks["largest"]): void {
  largest.sort(([a, x], [b, y]) => y - x || a - b);
  largest.length = Math.min(largest.length, LARGEST);
}

function keepLowest(sample: FoundLandmarks["sampled"][number]): void {
  sample.drawn.sort((a, b) => a.key - b.key || a.dot - b.dot);
  if (sample.drawn.length <= SAMPLED) return;
  sample.drawn.length = SAMPLED;
  sample.below = sample.drawn.at(-1)!.key;
}

/**
 * Gates that look for carriers of the previous snapshot in what was built, through the reader that
 * will serve it.
 */
export async function landmarkGates(
  snapshot: Snapshot,
  { report, previous, paths }: ReportPair,
): Promise<Gate[]> {
  const { largest, sampled } = previous.landmarks;
  const dots = new Set(Object.values(sampled).flatMap((sample) => sample.map(([dot]) => dot)));
  if (dots.size === 0) return [];
  const records = await find(snapshot, [...new Set([...dots, ...largest])]);
  const days = Math.max(1, daysFrom(previous.data_date, report.data_date));
  const changed = Object.entries(FACTS).flatMap(([name, fact]): Gate[] => {
    const sample = (sampled[name] ?? []).filter(([dot]) => records.has(dot));
    if (sample.length === 0) return [];
    const moved = sample.reduce(
      (sum, [dot, then]) => sum + distance(then, valueOf(fact, records.get(dot)!)),
      0,
    );
    const measured = percentOf(moved, sample.length);
    const max = noisy(CHANGED.atOnce + CHANGED.aDay * days, sample.length);
    const broken = `${paths[fact.role]}: ${fact.column} differs for ${measured}% of ` +
      `${sample.length} sampled carriers from ${days === 1 ? "a day ago" : `${days} days ago`}`;
    return [{ name: `changed_${name}`, measured, unit: "%", bound: { max }, broken }];
  });
  const kept = (what: string, dots: readonly number[]): Gate => {
    const gone = dots.filter((dot) => !records.has(dot)).length;
    return {
      name: what.replace(" ", "_"),
      measured: percentOf(dots.length - gone, dots.length),
      unit: "%",
      bound: { min: 98 },
      broken:
        `${paths.census} lacks ${gone} of the ${dots.length} ${what} of the previous snapshot`,
    };
  };
  const names = (sampled.legal_name ?? []).flatMap(([dot]) => records.get(dot) ?? []);
  return [
    ...(largest.length === 0 ? [] : [kept("largest fleets", largest)]),
    kept("sampled carriers", [...dots]),
    ...changed,
    await goldenGate(snapshot, { records: names.slice(0, GOLDEN), path: paths.census }),
  ];
}

/** 0 for equal, 1 for nothing in common; numbers by the share that was lost or gained. */
function distance(then: Value, now: Value | undefined): number {
  if (typeof then === "string" || typeof now !== "number") return then === now ? 0 : 1;
  return rounded(Math.abs(now - then) / Math.max(now, then));
}

/** One at a time: a thousand open files are too many for some systems. Ascending, to share shards. */
async function find(
  snapshot: Snapshot,
  dots: readonly number[],
): Promise<Map<number, CarrierRecord>> {
  const records = new Map<number, CarrierRecord>();
  for (const dot of dots.toSorted((a, b) => a - b)) {
    const record = await snapshot.carrier(dot);
    if (record !== null) records.set(dot, record);
  }
  return records;
}

async function goldenGate(
  snapshot: Snapshot,
  { records, path }: { records: CarrierRecord[]; path: string },
): Promise<Gate> {
  const failed: string[] = [];
  for (const record of records) {
    failed.push(...(await lookUpFailures(snapshot, record)).slice(0, 1));
  }
  return {
    name: "golden_lookups",
    measured: percentOf(records.length - failed.length, records.length),
    unit: "%",
    bound: { min: records.length === 0 ? 0 : 98 },
    broken: `Lookups fail in the snapshot made from ${path}: ${failed[0]}`,
  };
}
