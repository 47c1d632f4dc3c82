/**
 * The chain of a snapshot in a store: which snapshots it names, which of them are there, and whether it is
 * consistent.
 *
 * @module
 */

import { forEach } from "../concurrency.ts";
import { keptOf, type PastSnapshot } from "../snapshot/chain.ts";
import { sha256Hex } from "../bytes.ts";
import type { Keeps, Manifest, Pointer, PointerEntry } from "../snapshot/manifest.ts";
import { snapshotId, snapshotPath } from "../snapshot/paths.ts";
import { SnapshotReader } from "../snapshot/reader.ts";
import type { Source } from "../snapshot/source.ts";
import type { Store } from "./store.ts";

/** Documents read in parallel. */
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
 * What a store keeps of the chain of the snapshot that becomes current there. If older snapshots are missing,
 * `from` is the first one that the store has.
 *
 * @throws {RangeError} When a snapshot in the middle is missing.
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

/** The entry of an older snapshot; throws when the chain of the current one does not have it. */
export async function entryInChain(
  source: Source,
  { pointer, id }: { pointer: Pointer; id: string },
): Promise<PointerEntry> {
  for (const entry of [pointer, pointer.previous]) if (entry?.snapshot === id) return entry;
  const found = (await chainOf(source, pointer)).find((one) => one.id === id);
  if (found === undefined) {
    throw new RangeError(`Cannot verify ${id}: it is not in the chain of ${pointer.snapshot}`);
  }
  const { data_date, manifest_sha256 } = found;
  return { snapshot: id, data_date, manifest_sha256, sources: [] };
}

/** What is wrong with a snapshot's place in its chain, in words. */
export async function chainProblems(
  source: Source,
  { entry, manifest: { previous } }: { entry: PointerEntry; manifest: Manifest },
): Promise<string[]> {
  const past = (await chainOf(source, entry)).slice(0, -1);
  const problems = past
    .filter(({ id, data_date, manifest_sha256 }) =>
      id !== snapshotId({ data_date }, manifest_sha256)
    )
    .map(({ id }) => `past.json has ${id} with another date or hash than its id`);
  if (new Set(past.map(({ id }) => id)).size < past.length) {
    problems.push("past.json repeats an id");
  }
  if (chainText([past.at(-1)]) !== chainText([previous])) {
    problems.push(
      `past.json ends with ${past.at(-1)?.id ?? "nothing"}, the manifest's previous is ` +
        `${previous?.id ?? "absent"}`,
    );
  }
  if (previous === undefined) return problems;
  const path = `${snapshotPath(previous.id)}/manifest.json`;
  const bytes = await source.get(path);
  // A root may lack it: gc may have removed it, or it was never there.
  if (bytes !== null && await sha256Hex(bytes) !== previous.manifest_sha256) {
    problems.push(`"${path}" is not the manifest that this snapshot names as previous`);
  }
  return problems;
}
