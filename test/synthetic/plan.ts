/**
 * A synthetic dataset: every carrier is a pure function of (options, index), so that the two files can be
 * written apart, in parallel and without memory of each other.
 *
 * @module
 */

import { dayOf } from "./days.ts";
import { censusRows, LAST_DAY } from "./later_days.ts";

/** What to make up. */
export interface CountryOptions {
  /** Rows of the census file. */
  carriers: number;
  /** Rows of the inspection file. */
  inspections: number;
  /** 0 to 4294967295; the same seed gives the same bytes. @default 1 */
  seed?: number;
  /** The day the files stand for, `YYYY-MM-DD`. @default "2026-10-03" */
  dataDate?: string;
  /** Days after the data date, 0 to 365: the same country with a part of it new or changed. @default 0 */
  day?: number;
  /** The lowest USDOT number. @default 1 */
  firstDot?: number;
  /** The lowest MC number given out. @default 1001 */
  firstDocket?: number;
  /** True leaves no gap between USDOT numbers, false leaves out one in 66 as the register does. @default false */
  dense?: boolean;
  /** Set behind every name, to mark it as synthetic. @default "" */
  nameNote?: string;
  /**
   * How MCS150_DATE is written: `old` as `YYYYMMDD HHMM` (files up to August 2026), `new` as `YYYYMMDD`,
   * `mixed` one row in four the old way. @default "mixed"
   */
  mcs150Times?: "old" | "new" | "mixed";
  /**
   * True makes rows as long as real ones, whose contact data is left out here: a fixed text in the
   * neighbourhood columns and `0` for vehicles a carrier has none of. @default false
   */
  padded?: boolean;
}

/** The options with nothing left open. */
export interface Country {
  /** On day 0. */
  carriers: number;
  inspections: number;
  seed: number;
  /** Day number of the data date (see days.ts), which is day 0. */
  today: number;
  day: number;
  firstDot: number;
  firstDocket: number;
  dense: boolean;
  nameNote: string;
  mcs150Times: "old" | "new" | "mixed";
  padded: boolean;
}

/** What {@link CountryOptions.padded} puts into the neighbourhood columns. */
export const PADDING = "NO STREET IS GIVEN IN THIS MADE-UP DATA";

/** The data date when none is given. */
export const DEFAULT_DATA_DATE = "2026-10-03";

const NUMBERS_PER_HOLE = 66;
const HIGHEST_DOT = 99_999_999;

/** Checks the options and fills in the defaults; throws a RangeError that names the option. */
export function planCountry(options: CountryOptions): Country {
  const dense = options.dense ?? false;
  const firstDot = whole("firstDot", options.firstDot ?? 1, { from: 1, to: HIGHEST_DOT });
  const room = HIGHEST_DOT - firstDot + 1;
  const most = dense ? room : Math.floor(room / NUMBERS_PER_HOLE) * (NUMBERS_PER_HOLE - 1);
  const carriers = whole("carriers", options.carriers, { from: 1, to: most });
  const day = whole("day", options.day ?? 0, { from: 0, to: LAST_DAY });
  whole("carriers with the new ones", censusRows({ carriers, day }), { from: 1, to: most });
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
    firstDot,
    firstDocket: whole("firstDocket", options.firstDocket ?? 1_001, { from: 1, to: 9_500_000 }),
    dense,
    nameNote: options.nameNote ?? "",
    mcs150Times: options.mcs150Times ?? "mixed",
    padded: options.padded ?? false,
  };
}

/** The USDOT number of the carrier at an index (0 to carriers - 1); ascending, with single holes. */
export function dotOf(country: Country, index: number): number {
  if (country.dense) return country.firstDot + index;
  const filled = NUMBERS_PER_HOLE - 1;
  const block = Math.floor(index / filled);
  const place = index % filled;
  const hole = 1 + (Math.imul(block + country.seed, 0x9e3779b1) >>> 0) % filled;
  return country.firstDot + block * NUMBERS_PER_HOLE + place + (place >= hole ? 1 : 0);
}

function whole(name: string, value: number, bounds: { from: number; to: number }): number {
  if (!Number.isInteger(value) || value < bounds.from || value > bounds.to) {
    throw new RangeError(
      `Cannot use ${name} ${value}: expected a whole number from ${bounds.from} to ${bounds.to}`,
    );
  }
  return value;
}
