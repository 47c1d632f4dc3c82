/**
 * A proof of a carrier on the golden snapshot's first day, with the chain to the second.
 *
 * @module
 */

import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { makeProof } from "../../../pipeline/snapshot/proof.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";

/** Root of the golden snapshot. */
export const GOLDEN_ROOT: string = new URL("./golden", import.meta.url).pathname;

/** The proven carrier. */
export const PROVEN = 99;

const golden = () => new SnapshotReader(folderSource(GOLDEN_ROOT));

/** Its record on the first day. */
export function carrierOf(dot: number): Promise<CarrierRecord | null> {
  return golden().useAsOf("2026-10-02", (first) => first.carrier(dot));
}

/** The text of the proof, and the hashes of the two manifests. */
export async function goldenProof(): Promise<
  { text: string; manifestSha256: string; laterSha256: string }
> {
  const reader = golden();
  const later = await reader.current();
  const first = await reader.useAsOf("2026-10-02", (one) => Promise.resolve(one));
  const text = (await makeProof(first, { dot: PROVEN, later }))!;
  return { text, manifestSha256: first.manifestSha256, laterSha256: later.manifestSha256 };
}
