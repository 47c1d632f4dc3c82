/**
 * Removes snapshots, and search indexes and files of all carriers of kept ones, that no reader can still be using.
 *
 * @module
 */

import { snapshotPath } from "../snapshot/paths.ts";
import { takeLease, type WriterOptions } from "./lease.ts";
import { type Status, statusOf } from "./status.ts";
import type { Store } from "./store.ts";

/**
 * Removes what the plan of {@link statusOf} does not keep, under the lease, so that nothing is removed during
 * its upload. A snapshot's manifest is removed first: if gc is stopped, the rest is "not whole", so
 * `rollback` refuses it and the next gc removes it. Of a kept snapshot, only the search index and the files
 * of all carriers are removed, which no lookup reads.
 *
 * @returns The store as it was before; the snapshots with `kept` null are gone now.
 */
export async function gc(store: Store, options: WriterOptions): Promise<Status> {
  await using lease = await takeLease(store, options);
  const { signal } = lease;
  const status = await statusOf(store, { ...options, signal });
  if (status.pointer === null) {
    throw new RangeError(
      `Cannot clean up ${store.name}: nothing is published there, so nothing says what to keep`,
    );
  }
  for (const { id, kept, losesSearch } of status.snapshots) {
    if (kept !== null && !losesSearch) continue;
    const root = snapshotPath(id);
    await lease.check();
    if (kept === null) await store.delete([`${root}/manifest.json`], signal);
    for (const below of kept === null ? [""] : ["search/", "export/"]) {
      const listed = store.list(`${root}/${below}`, signal);
      await store.delete(await Array.fromAsync(listed, ({ path }) => path), signal);
    }
  }
  return status;
}
