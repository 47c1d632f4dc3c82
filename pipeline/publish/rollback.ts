/**
 * Points back to a snapshot that was published before.
 *
 * @module
 */

import { sha256Hex } from "../bytes.ts";
import { listContents, readObject } from "../snapshot/contents.ts";
import { parseManifest, type Pointer, type PointerEntry } from "../snapshot/manifest.ts";
import { snapshotId, snapshotPath } from "../snapshot/paths.ts";
import { chainOf, heldKeeps } from "./held_chain.ts";
import { takeLease, type WriterOptions } from "./lease.ts";
import { movePointer, readPointerOf } from "./pointer.ts";
import { compareSample } from "./read_back.ts";
import { type Store, storeSource } from "./store.ts";

interface RollbackOptions extends WriterOptions {
  /** Id of the snapshot to go to; the previous one when absent. */
  to?: string | undefined;
  reason?: string | undefined;
}

/**
 * Points to a snapshot that is whole in the store. The one that was current is marked as withdrawn, so that
 * the next run does not publish it again. The next snapshot follows this one, so its chain omits the
 * snapshots in between.
 *
 * @throws {RangeError} When there is no such snapshot, or it is current.
 * @throws {Error} When it is not whole; {@link LeaseError} and {@link ConditionFailed} as `publish`.
 */
export async function rollback(store: Store, options: RollbackOptions): Promise<Pointer> {
  const { to: id, reason, clock } = options;
  await using lease = await takeLease(store, options);
  const { signal } = lease;
  const seen = await readPointerOf(store, signal);
  const current = seen.pointer;
  if (current === null) {
    throw new RangeError(`Cannot roll back ${store.name}: nothing is published there`);
  }
  const to = id === undefined ? current.previous : await entryById(store, { id, current });
  if (to === undefined) {
    throw new RangeError(
      `Cannot roll back ${store.name}: ${current.snapshot} has no previous snapshot`,
    );
  }
  if (to.snapshot === current.snapshot) {
    throw new RangeError(`Cannot roll back to ${to.snapshot}: it is current`);
  }
  await checkWhole(store, to, signal);
  const chain = await chainOf(storeSource(store), to);
  const keeps = await heldKeeps(store, { chain, keeps: current.keeps ?? store.keeps, signal });
  // Written again to renew its age, from which gc knows when the snapshot was last published.
  const path = `${snapshotPath(to.snapshot)}/manifest.json`;
  const manifest = await readObject(storeSource(store), path, signal);
  await store.put(path, manifest, { signal });
  await lease.check();
  return await movePointer(store, seen, { to, keeps, clock, reason, withdrawn: current.snapshot });
}

async function entryById(
  store: Store,
  { id, current }: { id: string; current: Pointer },
): Promise<PointerEntry> {
  for (const entry of [current, current.previous]) if (entry?.snapshot === id) return entry;
  const found = await store.get(`${snapshotPath(id)}/manifest.json`);
  if (found === null) {
    throw new RangeError(
      `Cannot roll back to ${id}: ${store.name} has no whole snapshot of that name. ` +
        "`snapshot status` lists those it has",
    );
  }
  const manifest = parseManifest(found.bytes);
  const manifest_sha256 = await sha256Hex(found.bytes);
  if (snapshotId(manifest, manifest_sha256) !== id) {
    throw new Error(`Cannot roll back to ${id}: its manifest is damaged`);
  }
  // The source files are unknown: they were listed only in this snapshot's own pointer, which is gone.
  return { snapshot: id, data_date: manifest.data_date, manifest_sha256, sources: [] };
}

/** Checks that every object is there and that a sample is undamaged. */
async function checkWhole(store: Store, entry: PointerEntry, signal: AbortSignal): Promise<void> {
  const source = storeSource(store);
  const contents = await listContents(source, entry);
  const missing = new Set(contents.objects.map(({ path }) => path));
  for await (const { path } of store.list(`${snapshotPath(entry.snapshot)}/`, signal)) {
    missing.delete(path);
  }
  const [first] = missing;
  const removed = ["search", "export"].map((part) => `${snapshotPath(entry.snapshot)}/${part}/`);
  const isGone = (path: string): boolean => removed.some((part) => path.startsWith(part));
  if (first !== undefined && missing.values().every(isGone)) {
    throw new Error(
      `Cannot roll back to ${entry.snapshot}: it is kept without its search index and files of all carriers, ` +
        "which gc removed. Go to a newer one (`snapshot status` lists them), or publish a corrected build",
    );
  }
  if (first !== undefined) {
    throw new Error(
      `Cannot roll back to ${entry.snapshot}: ${missing.size} of its objects are missing, ` +
        `e.g. "${first}"`,
    );
  }
  await compareSample(source, contents, signal);
}
