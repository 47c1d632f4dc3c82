/**
 * Carriers that are looked up in a finished snapshot, through the reader that will serve it: the largest
 * fleets of the previous snapshot, and some at random.
 *
 * @module
 */

import { mix } from "../mix.ts";
import { lookUpFailures } from "../search/query/golden.ts";
import type { Snapshot } from "../snapshot/pinned_snapshot.ts";
import type { CarrierRecord } from "../snapshot/record.ts";
import { type Gate, percentOf, type ReportPair } from "./gates.ts";

const LARGEST = 100;
/** Carriers whose number, dockets and name are looked up. */
const GOLDEN = 50;
/** The stream of {@link mix} that draws them. */
const STREAM = 40;

/** Active carriers with most power units, among some records. Plain data: a worker posts it. */
export type Fleets = [dot: number, powerUnits: number][];

/** Adds a record. */
export function noteFleet(fleets: Fleets, { dot, status, power_units = 0 }: CarrierRecord): void {
  // The fleets of inactive carriers are the absurd ones.
  if (status !== "A" || power_units === 0) return;
  fleets.push([dot, power_units]);
  if (fleets.length > 20 * LARGEST) keepLargest(fleets);
}

/** Leaves the largest, the largest first. The result does not depend on the order in which they came. */
export function keepLargest(fleets: Fleets): Fleets {
  fleets.sort(([a, x], [b, y]) => y - x || a - b);
  fleets.length = Math.min(fleets.length, LARGEST);
  return fleets;
}

/** Gates that look carriers up in what was built. */
export async function lookupGates(
  snapshot: Snapshot,
  { previous, paths: { census } }: Pick<ReportPair, "previous" | "paths">,
): Promise<Gate[]> {
  const { largest } = previous.landmarks;
  let gone = 0;
  for (const dot of largest) if (await snapshot.carrier(dot) === null) gone++;
  const fleets: Gate = {
    name: "largest_fleets",
    measured: percentOf(largest.length - gone, largest.length),
    unit: "%",
    bound: { min: 98 },
    broken:
      `${census} lacks ${gone} of the ${largest.length} largest fleets of the previous snapshot`,
  };
  const failed: string[] = [];
  const drawn = await drawCarriers(snapshot);
  for (const record of drawn) failed.push(...(await lookUpFailures(snapshot, record)).slice(0, 1));
  const golden: Gate = {
    name: "golden_lookups",
    measured: percentOf(drawn.length - failed.length, drawn.length),
    unit: "%",
    bound: { min: 98 },
    broken: `Lookups fail in the snapshot made from ${census}: ${failed[0]}`,
  };
  return [...(largest.length === 0 ? [] : [fleets]), ...(drawn.length === 0 ? [] : [golden])];
}

/** Carriers from all over the snapshot, other ones each day. */
async function drawCarriers(snapshot: Snapshot): Promise<CarrierRecord[]> {
  const { data_date, families: { carriers: { width, runs } } } = snapshot.manifest;
  const shards = runs.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i)
  );
  const drawn = new Map<number, CarrierRecord>();
  for (let i = 0; shards.length > 0 && i < GOLDEN; i++) {
    const random = mix(Date.parse(data_date) / 1000, i, STREAM);
    const first = shards[random % shards.length]! * width;
    for (let place = 0; place < width; place++) {
      const dot = first + (random + place) % width;
      const record = await snapshot.carrier(dot);
      if (record === null) continue;
      drawn.set(dot, record);
      break;
    }
  }
  return [...drawn.values()];
}
