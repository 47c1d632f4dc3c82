/**
 * Bounds that a build must keep before anything of it can be seen.
 *
 * @module
 */

import type { SnapshotReport } from "../report/figures.ts";
import type { GateResult } from "./report.ts";

/** A bound, what was measured, and what to tell the maintainer should it be broken. */
export interface Gate extends Pick<GateResult, "name" | "measured" | "unit" | "bound"> {
  /** Names the file. */
  broken: string;
}

/** The paths of the two files, for messages. */
export interface Paths {
  census: string;
  inspections: string;
}

/** A bound that was broken, in words for the maintainer. */
export interface GateFailure {
  gate: string;
  message: string;
}

/** Says which bounds a build broke. */
export class GateError extends Error {
  override name = "GateError";
  failures: GateFailure[];
  /** The report of what was built and refused. */
  refused: SnapshotReport;

  constructor(failures: GateFailure[], refused: SnapshotReport) {
    super(
      `The build stopped, nothing was changed:\n` +
        failures.map(({ message }) => `  - ${message}`).join("\n") +
        `\nLook at the file named above. If the data is right all the same, give --force "REASON"; ` +
        `the reason is kept in the snapshot`,
    );
    this.failures = failures;
    this.refused = refused;
  }
}

/** The bounds that were broken. */
export function failuresOf(gates: readonly Gate[]): GateFailure[] {
  return gates.filter((gate) => !holds(gate)).map(({ name, measured, unit, bound, broken }) => ({
    gate: name,
    message: `${broken} (${name}: ${quantity(measured, unit)}, allowed ${boundWords(bound, unit)})`,
  }));
}

/** The gates as the report tells of them. */
export function gateResults(gates: readonly Gate[], forced: boolean): GateResult[] {
  return gates.map((gate) => {
    const { name, measured, unit, bound } = gate;
    const passed = holds(gate);
    return { name, measured, unit, bound, passed, overridden: !passed && forced };
  });
}

/** A bound in words: `at most 0.1 %`, `-1 to 5 %`. */
export function boundWords(
  { min, max }: GateResult["bound"],
  unit: GateResult["unit"],
): string {
  if (min === undefined) return `at most ${quantity(max!, unit)}`;
  if (max === undefined) return `at least ${quantity(min, unit)}`;
  return `${min} to ${quantity(max, unit)}`;
}

/** A figure with its unit. */
export function quantity(value: number, unit: GateResult["unit"]): string {
  return `${value.toLocaleString("en-US", { maximumFractionDigits: 3 })} ${unit}`;
}

/** A part of a whole, in percent with three decimals; nothing of nothing is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : rounded(part / whole * 100);
}

/** Three decimals: what the report says is what was judged. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Days from one day to another, both `YYYY-MM-DD`. */
export function daysFrom(first: string, last: string): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000);
}

function holds({ measured, bound: { min = -Infinity, max = Infinity } }: Gate): boolean {
  return measured >= min && measured <= max;
}
