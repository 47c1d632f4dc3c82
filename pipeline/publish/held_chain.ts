/**
 * The chain of a snapshot in a store: which snapshots it names, and what of it is there.
 *
 * @module
 */

import { forEach } from "../concurrency.ts";
import { keptOf, type PastSnapshot } from "../snapshot/chain.ts";
import { type Keeps, type PointerEntry, snapshotPath } from "../snapshot/manifest.ts";
import { SnapshotReader } from "../snapshot/reader.ts";
import type { Source } from "../snapshot/source.ts";
import type { Store } from "./store.ts";

/** Documents read at a time. */
export const READ_AT_ONCE = 16;

/** The chain up to a snapshot, the oldest first and this one last; throws when it cannot be read. */
export async function chainOf(
  source: Source,
  { snapshot, manifest_sha256 }: Pick<PointerEntry, "snapshot" | "manifest_sha256">,
): Promise<readonly PastSnapshot[]> {
  const name = { id: snapshot, manifestSha256: manifest_sha256 };
  return await new SnapshotReader(source).useOf(name, (found) => found.chain());
}

/** The snapshots as text, to compare. */
export function chainText(chain: readonly (PastSnapshot | undefined)[]): string {
  return chain.map((one) => one && `${one.data_date} ${one.id} ${one.manifest_sha256}`).join("\n");
}

/**
 * What a store keeps of a chain whose last snapshot becomes current there: `from` says where the chain
 * begins there, if older ones are not there.
 *
 * @throws {RangeError} When a snapshot in the middle is not there.
 */
export async function heldKeeps(
  store: Store,
  { chain, keeps: { from: _, ...keeps }, signal }: {
    chain: readonly PastSnapshot[];
    keeps: Keeps;
    signal: AbortSignal;
  },
): Promise<Keeps> {
  const kept = keptOf(chain, keeps);
  const missing = new Set<string>();
  await forEach(kept.slice(0, -1), { atOnce: READ_AT_ONCE, signal }, async ({ id }, stop) => {
    const found = await store.get(`${snapshotPath(id)}/manifest.json`, stop);
    if (found === null) missing.add(id);
  });
  const first = kept.findIndex(({ id }) => !missing.has(id));
  const hole = kept.slice(first).find(({ id }) => missing.has(id));
  if (hole !== undefined) {
    throw new RangeError(
      `Cannot point ${store.name} to ${kept.at(-1)!.id} and keep ${keeps.days} days and ` +
        `${keeps.month_ends} month ends: ${hole.id} of its chain is no longer there, and older ones are. ` +
        "Keep fewer days, or build a new snapshot",
    );
  }
  return first === 0 ? keeps : { ...keeps, from: kept[first]!.id };
}
