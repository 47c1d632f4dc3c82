/**
 * The largest fleets. A build lists them in its report, and the next build looks them up through the reader
 * that the service uses.
 *
 * @module
 */

import { lookUpFailures } from "../search/query/golden.ts";
import type { Snapshot } from "../snapshot/pinned_snapshot.ts";
import type { CarrierRecord } from "../snapshot/record/record.ts";
import { type Gate, gateOf, percentOf, type ReportPair } from "./gates.ts";

const LARGEST = 100;
/** Fleets whose number, dockets and name are looked up. */
const GOLDEN = 50;

/** The active carriers with the most power units among some records. Plain data: a worker posts it. */
export type Fleets = [dot: number, powerUnits: number][];

/** Adds a record. */
export function noteFleet(fleets: Fleets, { dot, status, power_units = 0 }: CarrierRecord): void {
  // The implausibly large fleets in the census belong to inactive carriers.
  if (status !== "A" || power_units === 0) return;
  fleets.push([dot, power_units]);
  if (fleets.length > 20 * LARGEST) keepLargest(fleets);
}

/** Keeps the largest, the largest first. The result does not depend on input order. */
export function keepLargest(fleets: Fleets): Fleets {
  fleets.sort(([a, x], [b, y]) => y - x || a - b);
  fleets.length = Math.min(fleets.length, LARGEST);
  return fleets;
}

/** Gates that look up the previous snapshot's largest fleets in the new snapshot. */
export async function lookupGates(
  snapshot: Snapshot,
  { previous, paths: { census } }: Pick<ReportPair, "previous" | "paths">,
): Promise<Gate[]> {
  const { largest } = previous.landmarks;
  if (largest.length === 0) return [];
  const found: CarrierRecord[] = [];
  for (const dot of largest) {
    const record = await snapshot.carrier(dot);
    if (record !== null) found.push(record);
  }
  const golden = found.slice(0, GOLDEN);
  const failed: string[] = [];
  for (const record of golden) {
    const [failure] = await lookUpFailures(snapshot, record);
    if (failure !== undefined) failed.push(failure);
  }
  const sound = golden.length - failed.length;
  const lacks = `${census} lacks ${largest.length - found.length} of the ${largest.length} ` +
    "largest fleets of the previous snapshot";
  const fails = `Lookups fail in the snapshot made from ${census}: ${failed[0] ?? "none is there"}`;
  return [
    gateOf(["largest_fleets", percentOf(found.length, largest.length), "%", { min: 98 }, lacks]),
    gateOf(["golden_lookups", percentOf(sound, golden.length), "%", { min: 98 }, fails]),
  ];
}
