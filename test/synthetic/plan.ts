/**
 * The contents of a synthetic dataset: every carrier is a pure function of (plan, index), so that the two
 * files can be written separately and in parallel.
 * @module
 */

import { dayOf } from "./format.ts";

/** The validated options of a dataset. */
export interface DatasetPlan {
  /** Rows of the census file on day 0. */
  carriers: number;
  /** Rows of the inspection file. */
  inspections: number;
  /** The same seed makes the same bytes. */
  seed: number;
  /** Day number (see format.ts) of the data date, which is day 0. */
  today: number;
  /**
   * Days after the data date: a few carriers are new, one in a hundred changes each day (the file shows
   * only its last change), and new inspections replace old ones.
   */
  day: number;
}

/** Filler in the neighborhood columns, so that rows are as long as real ones with officers and emails. */
export const PADDING = "NO STREETS ARE GIVEN IN SYNTHETIC FILES";

/** The data date when none is given. */
export const DEFAULT_DATA_DATE = "2026-10-03";

const NUMBERS_PER_HOLE = 66;
const MAX_CARRIERS = Math.floor(99_999_999 / NUMBERS_PER_HOLE) * (NUMBERS_PER_HOLE - 1);
/** The share of new carriers per day: FMCSA's file grew from 4,449,238 rows to 4,512,353 in 103 days of 2026. */
const NEW_A_DAY = 0.000138;
/** Days the inspection file covers: three years. */
export const DAYS_COVERED = 1_095;

/**
 * Checks the options and fills in the defaults.
 *
 * @throws {RangeError} Naming the option that is out of range.
 */
export function planDataset(
  { carriers, inspections, seed = 1, dataDate = DEFAULT_DATA_DATE, day = 0 }:
    & Pick<DatasetPlan, "carriers" | "inspections">
    & { seed?: number; dataDate?: string; day?: number },
): DatasetPlan {
  const plan = { carriers, inspections, seed, today: dayOf(dataDate), day };
  const bounds: [name: string, value: number, from: number, to: number][] = [
    ["carriers", carriers, 1, MAX_CARRIERS],
    ["day", day, 0, 365],
    ["carriers with the new ones", censusRows(plan), 1, MAX_CARRIERS],
    ["the day number of dataDate", plan.today, dayOf("1990-01-01"), dayOf("2059-12-31")],
    ["inspections", inspections, 0, 20_000_000],
    ["seed", seed, 0, 0xffff_ffff],
  ];
  for (const [name, value, from, to] of bounds) {
    if (Number.isInteger(value) && value >= from && value <= to) continue;
    throw new RangeError(
      `Cannot use ${name} ${value}: expected a whole number from ${from} to ${to}`,
    );
  }
  return plan;
}

/** The USDOT number of the carrier at an index; ascending from 1, with one number in 66 unused as in FMCSA's file. */
export function dotOf({ seed }: Pick<DatasetPlan, "seed">, index: number): number {
  const filled = NUMBERS_PER_HOLE - 1;
  const block = Math.floor(index / filled);
  const place = index % filled;
  const hole = 1 + (Math.imul(block + seed, 0x9e3779b1) >>> 0) % filled;
  return 1 + block * NUMBERS_PER_HOLE + place + (place >= hole ? 1 : 0);
}

/** Rows of the census file: those of day 0 and those added since. */
export function censusRows({ carriers, day }: Pick<DatasetPlan, "carriers" | "day">): number {
  return carriers + Math.floor(carriers * NEW_A_DAY * day);
}

/** The index of the oldest inspection still in the file; the number of rows stays the same. */
export function firstInspection({ inspections, day }: DatasetPlan): number {
  return Math.round(inspections * day / DAYS_COVERED);
}
