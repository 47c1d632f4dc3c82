/**
 * Stage 2, a number of a question with its role.
 *
 * @module
 */

import { parseDot, parseMc } from "../../operations/numbers.ts";
import type { NumberRole } from "../tokens/number_patterns.ts";

export interface NumberEntity {
  readonly role: NumberRole;
  readonly value: number;
  /** As typed, with the words that show its role. */
  readonly text: string;
  /** Of a docket. */
  readonly prefix?: "MC" | "MX" | "FF";
  /** For vehicles: the word for what is counted. */
  readonly noun?: string;
  /** The second of "20 and 21 trucks". */
  readonly also?: number;
  /** Added to the vehicles before: "plus 2 leased". */
  readonly added?: boolean;
  /** A range, a fraction, or "more than": not a single whole number. */
  readonly vague?: boolean;
  /** A docket only because of words elsewhere: "his MC number they gave me is 286764". */
  readonly mentioned?: boolean;
  /** A USDOT number without a word that says so. */
  readonly bare?: boolean;
  /** Either a USDOT number or a docket: "286764 mc". */
  readonly doubtful?: boolean;
  /** Why it isn't a valid number of its role. */
  readonly problem?: string;
}
export function isCarrierNumber(number: NumberEntity | null | undefined): boolean {
  return number?.role === "usdot" || number?.role === "docket";
}

/** Adds the problem to a carrier number that isn't valid. */
export function withProblem(number: NumberEntity, digits = String(number.value)): NumberEntity {
  if (!isCarrierNumber(number)) return number;
  try {
    (number.role === "usdot" ? parseDot : parseMc)(digits.replaceAll(/[, ]/g, ""));
    return number;
  } catch (error) {
    return { ...number, problem: (error as Error).message };
  }
}
