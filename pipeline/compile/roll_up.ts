/**
 * Inspections of one partition rolled up by carrier, in columns.
 *
 * @module
 */

import * as aq from "arquero";
import type { InspectionSummary } from "../snapshot/record.ts";
import { isoDay } from "../fmcsa/fields.ts";
import { FLAG, INSPECTION_WORDS } from "./spill_inspections.ts";

/** The days counted, `YYYYMMDD` as numbers, both included. */
export interface Window {
  from: number;
  to: number;
}

/**
 * Levels that count for each kind, from the regulator's roadside report: driver I, II, III, VI;
 * vehicle I, II, V, VI; hazmat I to VI where hazmat is present.
 */
const LEVELS = { driver: [1, 2, 3, 6], vehicle: [1, 2, 5, 6], hazmat: [1, 2, 3, 4, 5, 6] };
const DRIVER_LEVEL = levelTable(LEVELS.driver);
const VEHICLE_LEVEL = levelTable(LEVELS.vehicle);
const HAZMAT_LEVEL = levelTable(LEVELS.hazmat);

/** A partition's inspections, rolled up. */
export interface RollUp {
  byDot: Map<number, InspectionSummary>;
  /** Rows in the window, carriers of the census or not. */
  inWindow: number;
  /** The newest day in the window, 0 without a row. */
  newest: number;
  /** Rows that repeat an inspection of the same carrier. */
  duplicates: number[];
  months: Map<string, number>;
  levels: Map<string, number>;
}

/** Rolls up the spilled words of one partition. The order of the rows plays no part. */
export function rollUpInspections(words: Uint32Array, window: Window): RollUp {
  const { rows, duplicates } = windowRows(words, window);
  const n = rows.length;
  const column = (read: (at: number) => number): Float64Array => {
    const values = new Float64Array(n);
    for (let i = 0; i < n; i++) values[i] = read(rows[i]!);
    return values;
  };
  const bit = (at: number, mask: number): number => (words[at + 4]! & mask) === 0 ? 0 : 1;
  const level = (at: number): number => words[at + 4]! & 0xff;
  const table = aq.table({
    dot: column((at) => words[at]!),
    day: column((at) => words[at + 2]!),
    violations: column((at) => words[at + 3]!),
    vehicle: column((at) => VEHICLE_LEVEL[level(at)]!),
    vehicleOos: column((at) => VEHICLE_LEVEL[level(at)]! & bit(at, FLAG.vehicleOos)),
    driver: column((at) => DRIVER_LEVEL[level(at)]!),
    driverOos: column((at) => DRIVER_LEVEL[level(at)]! & bit(at, FLAG.driverOos)),
    hazmat: column((at) => HAZMAT_LEVEL[level(at)]! & bit(at, FLAG.hazmat)),
    hazmatOos: column((at) =>
      HAZMAT_LEVEL[level(at)]! & bit(at, FLAG.hazmat) & bit(at, FLAG.hazmatOos)
    ),
    month: column((at) => Math.floor(words[at + 2]! / 100)),
    level: column(level),
  });
  const { op } = aq;
  const carriers = table.groupby("dot").rollup({
    total: op.count(),
    last: op.max("day"),
    violations: op.sum("violations"),
    vehicle: op.sum("vehicle"),
    vehicleOos: op.sum("vehicleOos"),
    driver: op.sum("driver"),
    driverOos: op.sum("driverOos"),
    hazmat: op.sum("hazmat"),
    hazmatOos: op.sum("hazmatOos"),
  }).objects() as Record<string, number>[];
  const byDot = new Map<number, InspectionSummary>();
  for (const row of carriers) {
    byDot.set(row.dot!, {
      total: row.total!,
      last: isoDay(row.last!),
      violations: row.violations!,
      vehicle: { inspections: row.vehicle!, out_of_service: row.vehicleOos! },
      driver: { inspections: row.driver!, out_of_service: row.driverOos! },
      hazmat: { inspections: row.hazmat!, out_of_service: row.hazmatOos! },
    });
  }
  return {
    byDot,
    inWindow: n,
    newest: rows.reduce((newest, at) => Math.max(newest, words[at + 2]!), 0),
    duplicates,
    months: counts(table, "month", (month) => isoDay(month * 100 + 1).slice(0, 7)),
    levels: counts(table, "level", String),
  };
}

/** Offsets of the rows to count: in the window, each inspection of a carrier once. */
function windowRows(
  words: Uint32Array,
  window: Window,
): { rows: Uint32Array; duplicates: number[] } {
  const rows = new Uint32Array(words.length / INSPECTION_WORDS);
  const seen = new Map<number, number>();
  const duplicates: number[] = [];
  let n = 0;
  for (let at = 0; at < words.length; at += INSPECTION_WORDS) {
    // Ids have at most 8 digits, and a partition at most 100,000 USDOT numbers: the key is exact.
    const key = words[at + 1]! * 100_000 + words[at]! % 100_000;
    const twin = seen.get(key);
    if (twin !== undefined) {
      duplicates.push(words[at + 1]!);
      if (isGreater(words, at, rows[twin]!)) rows[twin] = at;
      continue;
    }
    seen.set(key, n);
    rows[n++] = at;
  }
  let kept = 0;
  for (let i = 0; i < n; i++) {
    const day = words[rows[i]! + 2]!;
    if (day >= window.from && day <= window.to) rows[kept++] = rows[i]!;
  }
  return { rows: rows.subarray(0, kept), duplicates };
}

/** Orders two readings of one inspection by what they say, so that either row order keeps the same. */
function isGreater(words: Uint32Array, a: number, b: number): boolean {
  for (let i = 2; i < INSPECTION_WORDS; i++) {
    if (words[a + i]! !== words[b + i]!) return words[a + i]! > words[b + i]!;
  }
  return false;
}

function counts(
  table: aq.ColumnTable,
  column: string,
  label: (value: number) => string,
): Map<string, number> {
  const rows = table.groupby(column).count().objects() as Record<string, number>[];
  return new Map(rows.map((row) => [label(row[column]!), row.count!]));
}

function levelTable(levels: number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const level of levels) table[level] = 1;
  return table;
}
