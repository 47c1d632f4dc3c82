/**
 * A carrier to show in examples: one that the snapshot has. Web APIs only.
 *
 * @module
 */

import type { Snapshot } from "./pinned_snapshot.ts";
import type { CarrierRecord } from "./record/record.ts";

/** The carrier used in the documentation, which is in FMCSA's file and in the sample. */
const USUAL = 286_764;

/** The usual example, else the first carrier of the snapshot. Reads two shards at most; null when it has no carriers. */
export async function exampleRecord(
  snapshot: Pick<Snapshot, "manifest" | "carrier">,
): Promise<CarrierRecord | null> {
  const usual = await snapshot.carrier(USUAL);
  if (usual !== null) return usual;
  const { width, runs } = snapshot.manifest.families.carriers;
  const from = (runs[0]?.[0] ?? 0) * width;
  for (let dot = from; dot < from + width; dot++) {
    const record = await snapshot.carrier(dot);
    if (record !== null) return record;
  }
  return null;
}

/** The number of its first MC docket. */
export function exampleMc({ dockets = [] }: CarrierRecord): number | undefined {
  return dockets.find(({ prefix }) => prefix === "MC")?.number;
}
