/**
 * The distributions of a report, in order: what each counts, the column that it is read from, the order of
 * its rows, and the meaning of its labels.
 *
 * @module
 */

import { CARGO } from "../snapshot/record/members.ts";
import TABLE from "./distributions.json" with { type: "json" };

export type DistributionName = keyof typeof TABLE;

/** Labels with counts, in the order to draw them. */
export type Distribution = [label: string, count: number][];

interface DistributionFacts {
  title: string;
  /** What is counted. Carriers and dockets are counted in the census. */
  unit: "carriers" | "dockets" | "inspections";
  explanation: string;
  /**
   * `label` sorts by label, `listed` uses the order of `labels`, and a number shows that many of the most
   * frequent.
   */
  order: "label" | "listed" | number;
  shape?: "columns";
  /** Words for the labels; others are shown as they are. */
  labels?: Record<string, string>;
}

export const DISTRIBUTIONS = {
  ...TABLE,
  cargo: { ...TABLE.cargo, labels: { ...CARGO, ...TABLE.cargo.labels } },
} as Record<DistributionName, DistributionFacts>;

export const DISTRIBUTION_NAMES = Object.keys(TABLE) as DistributionName[];

/** Puts the rows of a distribution in order. */
export function arranged(name: DistributionName, counts: Map<string, number>): Distribution {
  const { order, labels = {} } = DISTRIBUTIONS[name];
  if (order === "listed") {
    return Object.keys(labels).map((label) => [label, counts.get(label) ?? 0]);
  }
  const rows = [...counts].sort(([a], [b]) => a < b ? -1 : 1);
  return order === "label" ? rows : rows.sort(([, a], [, b]) => b - a).slice(0, order);
}

const FLEET_BANDS: readonly [label: string, max: number][] = [
  ["0", 0],
  ["1", 1],
  ["2-5", 5],
  ["6-20", 20],
  ["21-100", 100],
  ["101-1000", 1000],
  ["1001+", Infinity],
];

/** The label of a fleet size. */
export function fleetBand(powerUnits: number | undefined): string {
  if (powerUnits === undefined) return "not reported";
  return FLEET_BANDS.find(([, max]) => powerUnits <= max)![0];
}
