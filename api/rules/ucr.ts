/**
 * Fees of the Unified Carrier Registration Agreement, per entity and registration year.
 *
 * This module does not decide who pays. No public file shows whether a carrier paid.
 *
 * @module
 */
import type { UcrBracket, UcrFee } from "./schemas.ts";
// Fees in US dollars of the six brackets.
import TABLES from "./ucr_fees.json" with { type: "json" };

interface UcrTable {
  year: number;
  /** First day the table is in force, `YYYY-MM-DD`. */
  effectiveFrom: string;
  citation: string;
  url: string;
  /** Day the citation was last checked, `YYYY-MM-DD`. */
  lastChecked: string;
  brackets: readonly UcrBracket[];
}

/** The smallest fleet of each bracket. */
const FROM_VEHICLES = [0, 3, 6, 21, 101, 1001];

/** The tables, oldest first. A table stays in force until a rulemaking sets another. */
export const UCR_TABLES: readonly UcrTable[] = TABLES.map(({ fees, ...table }) => ({
  ...table,
  brackets: fees.map((fee_usd, i) => ({
    bracket: i + 1,
    min_vehicles: FROM_VEHICLES[i]!,
    max_vehicles: i + 1 === fees.length ? null : FROM_VEHICLES[i + 1]! - 1,
    fee_usd,
  })),
}));

/** Registration years that have a table, oldest first. */
export const UCR_YEARS: readonly number[] = UCR_TABLES.map((entry) => entry.year);

/** The registration year when none is given: the newest. */
export const DEFAULT_UCR_YEAR: number = Math.max(...UCR_YEARS);

/**
 * The fee of a fleet, with the whole table of the year. Brokers and leasing companies pay bracket 1
 * whatever fleet they file.
 *
 * @param vehicles A whole number from 0.
 * @param year One of {@link UCR_YEARS}.
 */
export function ucrFee({ vehicles, year }: { vehicles: number; year: number }): UcrFee {
  const table = UCR_TABLES.find((table) => table.year === year)!;
  const { bracket, fee_usd } = bracketOf(table, vehicles);
  return {
    year,
    vehicles,
    bracket,
    fee_usd,
    brackets: [...table.brackets],
    source: table.citation,
  };
}

/**
 * The table that governs a registration year, or undefined before the first one known.
 *
 * @param day `YYYY-MM-DD`. If given, only tables in force on that day count.
 */
export function ucrTableFor(year: number, day?: string): UcrTable | undefined {
  return UCR_TABLES.findLast((entry) =>
    entry.year <= year && (day === undefined || entry.effectiveFrom <= day)
  );
}

/** The bracket of a fleet, a whole number from 0, in a table. */
export function bracketOf({ brackets }: UcrTable, vehicles: number): UcrBracket {
  return brackets.findLast(({ min_vehicles }) => min_vehicles <= vehicles)!;
}

/**
 * The registration years open on a day: its own year and, from 1 October, the next.
 *
 * @param today `YYYY-MM-DD`.
 */
export function openUcrYears(today: string): number[] {
  const year = Number(today.slice(0, 4));
  return today.slice(5) >= "10-01" ? [year, year + 1] : [year];
}
