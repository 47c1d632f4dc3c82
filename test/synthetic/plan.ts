/**
 * What a synthetic dataset contains: every carrier is a pure function of (plan, index), so that the two
 * files can be written separately, in parallel and without memory of each other.
 *
 * @module
 */

import { dayOf } from "./format.ts";

/** Options of {@link planDataset}. */
interface DatasetOptions {
  /** Rows of the census file. */
  carriers: number;
  /** Rows of the inspection file. */
  inspections: number;
  /** 0 to 4294967295; the same seed makes the same bytes. @default {1} */
  seed?: number;
  /** The date of the files, `YYYY-MM-DD`. @default {"2026-10-03"} */
  dataDate?: string;
  /**
   * Days after the data date, 0 to 365: a few carriers are new, one in a hundred changes each day (the
   * file shows its last change only), and old inspections give way to new ones. @default {0}
   */
  day?: number;
  /**
   * True makes rows as long as real ones, whose officers and email addresses are left out here: a fixed
   * text in the neighborhood columns. @default {false}
   */
  padded?: boolean;
}

/** The options, checked and complete. */
export interface DatasetPlan {
  /** On day 0. */
  carriers: number;
  inspections: number;
  seed: number;
  /** Day number (see format.ts) of the data date, which is day 0. */
  today: number;
  day: number;
  padded: boolean;
}

/** What {@link DatasetOptions.padded} puts into the neighborhood columns. */
export const PADDING = "NO STREETS ARE GIVEN IN SYNTHETIC FILES";

/** The data date when none is given. */
export const DEFAULT_DATA_DATE = "2026-10-03";

const NUMBERS_PER_HOLE = 66;
const MOST_CARRIERS = Math.floor(99_999_999 / NUMBERS_PER_HOLE) * (NUMBERS_PER_HOLE - 1);
/** The share of new carriers a day: FMCSA's file grew from 4,449,238 rows to 4,512,353 in 103 days of 2026. */
const NEW_A_DAY = 0.000138;
/** Days the inspection file covers: three years. */
export const DAYS_COVERED = 1_095;

/**
 * Checks the options and fills in the defaults.
 *
 * @throws {RangeError} Naming the option that is out of range.
 */
export function planDataset(options: DatasetOptions): DatasetPlan {
  const carriers = whole("carriers", options.carriers, { from: 1, to: MOST_CARRIERS });
  const day = whole("day", options.day ?? 0, { from: 0, to: 365 });
  whole("carriers with the new ones", censusRows({ carriers, day }), {
    from: 1,
    to: MOST_CARRIERS,
  });
  const today = dayOf(options.dataDate ?? DEFAULT_DATA_DATE);
  if (today < dayOf("1990-01-01") || today > dayOf("2060-01-01")) {
    throw new RangeError(`Cannot use dataDate "${options.dataDate}": expected 1990 to 2059`);
  }
  return {
    carriers,
    inspections: whole("inspections", options.inspections, { from: 0, to: 20_000_000 }),
    seed: whole("seed", options.seed ?? 1, { from: 0, to: 0xffff_ffff }),
    today,
    day,
    padded: options.padded ?? false,
  };
}

/** The USDOT number of the carrier at an index; ascending from 1, with one number in 66 left out as in FMCSA's file. */
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

/** The index of the first inspection that the file still contains; the number of rows stays. */
export function firstInspection({ inspections, day }: DatasetPlan): number {
  return Math.round(inspections * day / DAYS_COVERED);
}

function whole(name: string, value: number, bounds: { from: number; to: number }): number {
  if (!Number.isInteger(value) || value < bounds.from || value > bounds.to) {
    throw new RangeError(
      `Cannot use ${name} ${value}: expected a whole number from ${bounds.from} to ${bounds.to}`,
    );
  }
  return value;
}
