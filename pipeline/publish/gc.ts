/**
 * Removes snapshots that nobody can be reading any more.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { snapshotPath } from "../snapshot/manifest.ts";
import { PROBE_PREFIX } from "./conditions.ts";
import { Lease } from "./lease.ts";
import { readPointerOf } from "./pointer.ts";
import { KEEP_UPLOAD_MS } from "./retention.ts";
import type { Store } from "./store.ts";
import { survey, type Surveyed } from "./survey.ts";

/** How to clean up. */
export interface GcOptions {
  clock: Clock;
  /** Who does it, for the lease's message to others. */
  owner: string;
  /** Only tells what would go. */
  isDryRun?: boolean;
  signal?: AbortSignal;
  /** Told of each snapshot before it goes. */
  onRemove?: (snapshot: Surveyed) => void;
}

/** Paths removed between two looks at the lease. */
const BATCH = 1000;

/**
 * Removes what `planRetention` does not keep, under the lease, so that nothing goes that is being
 * uploaded. The manifest of a snapshot goes first: what is left of a snapshot when this is stopped is
 * "not whole", which `rollback` refuses and the next gc removes.
 *
 * @returns All snapshots as found; those with `kept` null are gone.
 */
export async function gc(store: Store, options: GcOptions): Promise<Surveyed[]> {
  const { clock, owner, isDryRun = false, onRemove = () => {} } = options;
  const signal = options.signal ?? new AbortController().signal;
  if (isDryRun) return await look(store, { clock, signal });
  await using lease = await Lease.take(store, { clock, owner, signal });
  const stop = AbortSignal.any([signal, lease.lost]);
  const snapshots = await look(store, { clock, signal: stop });
  for (const snapshot of snapshots) {
    if (snapshot.kept !== null) continue;
    onRemove(snapshot);
    const root = snapshotPath(snapshot.id);
    await lease.check();
    await store.delete([`${root}/manifest.json`], stop);
    let batch: string[] = [];
    for await (const { path } of store.list(`${root}/`, stop)) {
      batch.push(path);
      if (batch.length < BATCH) continue;
      await store.delete(batch, stop);
      batch = [];
    }
    await store.delete(batch, stop);
  }
  const probes: string[] = [];
  for await (const { path, modified } of store.list(PROBE_PREFIX, stop)) {
    if (clock.now() - modified > KEEP_UPLOAD_MS) probes.push(path);
  }
  await store.delete(probes, stop);
  return snapshots;
}

async function look(
  store: Store,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<Surveyed[]> {
  const { pointer } = await readPointerOf(store, signal);
  if (pointer === null) {
    throw new RangeError(
      `Cannot clean up ${store.name}: nothing is published there, so nothing says what to keep`,
    );
  }
  return await survey(store, { pointer, now: clock.now(), signal });
}
