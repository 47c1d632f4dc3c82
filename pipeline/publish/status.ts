/**
 * How a published root stands.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import type { Pointer } from "../snapshot/manifest.ts";
import { isHeld, type LeaseNote, readLease } from "./lease_note.ts";
import { readPointerOf } from "./pointer.ts";
import type { Store } from "./store.ts";
import { survey, type Surveyed } from "./survey.ts";

/** The state of a store. */
export interface Status {
  target: string;
  pointer: Pointer | null;
  /** Whole days from the data date to now; null when nothing is published. */
  age_days: number | null;
  /** The last written first. */
  snapshots: Surveyed[];
  /** Who works there now. */
  lease: Omit<LeaseNote, "id"> | null;
}

/** Looks; changes nothing. */
export async function statusOf(
  store: Store,
  { clock, signal }: { clock: Clock; signal?: AbortSignal },
): Promise<Status> {
  const now = clock.now();
  const { pointer } = await readPointerOf(store, signal);
  const note = await readLease(store, signal);
  return {
    target: store.name,
    pointer,
    age_days: pointer === null
      ? null
      : Math.floor((now - Date.parse(pointer.data_date)) / 86_400_000),
    snapshots: await survey(store, { pointer, now, ...(signal === undefined ? {} : { signal }) }),
    lease: note !== null && isHeld(note, now)
      ? { owner: note.owner, generation: note.generation, expires: note.expires }
      : null,
  };
}
