/**
 * The object that says who may publish.
 *
 * @module
 */

import { z } from "zod";
import { PRIVATE_HEADERS } from "./object_headers.ts";
import { swap } from "./pointer.ts";
import type { Store } from "./store.ts";

/** Where the lease is. */
export const LEASE_PATH = "publish.lock";

const LeaseNote = z.object({
  /** Who, for people. */
  owner: z.string(),
  /** Which process. */
  id: z.string(),
  /** Counts the holders: a later one has a higher number. */
  generation: z.number().int().nonnegative(),
  /** An instant in UTC; one that has passed means free. */
  expires: z.iso.datetime(),
});

/** What the object says. */
export type LeaseNote = z.infer<typeof LeaseNote>;

/** The lease of a store as it stands, null when there never was one or nobody can read it. */
export async function readLease(store: Store, signal?: AbortSignal): Promise<LeaseNote | null> {
  return (await lookAtLease(store, signal)).note;
}

/** Whether somebody holds it at a time. */
export function isHeld(note: LeaseNote, now: number): boolean {
  return Date.parse(note.expires) > now;
}

/** The lease with the ETag to write over it by. */
export async function lookAtLease(
  store: Store,
  signal?: AbortSignal,
): Promise<{ note: LeaseNote | null; etag: string | null }> {
  const found = await store.get(LEASE_PATH, signal);
  if (found === null) return { note: null, etag: null };
  try {
    const note = LeaseNote.parse(JSON.parse(new TextDecoder().decode(found.bytes)));
    return { note, etag: found.etag };
  } catch {
    return { note: null, etag: found.etag }; // Nobody's: it may be written over
  }
}

/**
 * Writes the lease over what was seen.
 *
 * @throws {ConditionFailed} When somebody else was first.
 */
export async function writeLease(
  store: Store,
  { note, etag, signal }: { note: LeaseNote; etag: string | null; signal?: AbortSignal },
): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(note) + "\n");
  await swap(store, LEASE_PATH, {
    bytes,
    headers: PRIVATE_HEADERS,
    etag,
    ...(signal === undefined ? {} : { signal }),
  });
}
