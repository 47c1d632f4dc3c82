/**
 * The snapshot that answers, for pages that go on without one.
 *
 * @module
 */

import {
  type Snapshot,
  type SnapshotReader,
  SnapshotUnavailable,
} from "../../pipeline/snapshot/reader.ts";

/** What the snapshot says of itself; undefined when none can be read now. */
export async function currentSnapshot(
  reader: SnapshotReader,
): Promise<Pick<Snapshot, "id" | "manifest"> | undefined> {
  try {
    return await reader.use((snapshot) => Promise.resolve(snapshot));
  } catch (error) {
    if (error instanceof SnapshotUnavailable) return undefined;
    throw error;
  }
}
