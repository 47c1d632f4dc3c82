/**
 * Removes snapshots that no reader can still be using.
 *
 * @module
 */

import { snapshotPath } from "../snapshot/manifest.ts";
import { takeLease, type WriterOptions } from "./lease.ts";
import { PROBE_PREFIX } from "./open_store.ts";
import { readPointerOf } from "./pointer.ts";
import { KEEP_UPLOAD_MS, listSnapshots, type StoredSnapshot } from "./status.ts";
import type { Store } from "./store.ts";

interface GcOptions extends WriterOptions {
  /** Called for each snapshot before it is removed. */
  onRemove?: (snapshot: StoredSnapshot) => void;
}

/**
 * Removes what `planRetention` does not keep, under the lease, so that nothing is removed that is being
 * uploaded. The manifest of a snapshot is removed first: what is left of it when this is stopped is
 * "not whole", which `rollback` refuses and the next gc removes.
 *
 * @returns All snapshots as found; those with `kept` null are gone.
 */
export async function gc(store: Store, options: GcOptions): Promise<StoredSnapshot[]> {
  const { clock, onRemove = () => {} } = options;
  await using lease = await takeLease(store, options);
  const { signal } = lease;
  const snapshots = await planGc(store, { clock, signal });
  for (const snapshot of snapshots) {
    if (snapshot.kept !== null) continue;
    onRemove(snapshot);
    const root = snapshotPath(snapshot.id);
    await lease.check();
    await store.delete([`${root}/manifest.json`], signal);
    const left = await Array.fromAsync(store.list(`${root}/`, signal), ({ path }) => path);
    await store.delete(left, signal);
  }
  const probes: string[] = [];
  for await (const { path, modified } of store.list(PROBE_PREFIX, signal)) {
    if (clock.now() - modified > KEEP_UPLOAD_MS) probes.push(path);
  }
  await store.delete(probes, signal);
  return snapshots;
}

/** All snapshots of a store, with what {@link gc} would do with each. */
export async function planGc(
  store: Store,
  { clock, signal }: Pick<WriterOptions, "clock" | "signal">,
): Promise<StoredSnapshot[]> {
  const { pointer } = await readPointerOf(store, signal);
  if (pointer === null) {
    throw new RangeError(
      `Cannot clean up ${store.name}: nothing is published there, so nothing says what to keep`,
    );
  }
  return await listSnapshots(store, { pointer, now: clock.now(), signal });
}
