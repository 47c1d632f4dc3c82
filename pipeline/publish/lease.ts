/**
 * A lease that keeps two publishers apart: an object that names its owner and when it expires.
 *
 * The compare-and-swap of the pointer is what makes publishing safe. The lease prevents two publishers from
 * doing the same work, and gc from removing what another process is uploading.
 *
 * @module
 */

import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../clock.ts";
import { sleep as realSleep } from "../retry.ts";
import { compareAndSwap, ConditionFailed, type Store } from "./store.ts";

export const LEASE_PATH = "publish.lock";

/** Publishers' clocks must agree within half of this. */
const TERM_MS = 60_000;
const RENEWALS_PER_TERM = 3;
const RELEASE_MS = 5_000;

const LeaseRecord = z.object({
  owner: z.string(),
  id: z.string(),
  /** A time in UTC; one in the past means that the lease is free. */
  expires: z.iso.datetime(),
});

/** The object at {@link LEASE_PATH}. */
export type LeaseRecord = z.infer<typeof LeaseRecord>;

/** Another owner has the lease, or it was lost. */
export class LeaseError extends Error {
  override readonly name = "LeaseError";
}

export interface WriterOptions {
  clock: Clock;
  /** The owner's name, for messages to others. */
  owner: string;
  signal?: AbortSignal | undefined;
}

/** A lease that renews itself until it is disposed of, which releases it. */
export interface Lease extends AsyncDisposable {
  /** Aborts with the given signal, and when the lease is lost. */
  signal: AbortSignal;
  /**
   * Checks that the lease is still ours.
   *
   * @throws {LeaseError} When it is not. Throws the reason of {@link Lease.signal} when that is aborted.
   */
  check(): Promise<void>;
}

/**
 * @param options.sleep Waits until the next renewal; tests pass their own.
 * @throws {LeaseError} When another owner has it; names the owner and the end of its lease.
 * @throws {Error} When the store's server ignores the conditions of writes.
 */
export async function takeLease(
  store: Store,
  { clock, owner, signal: outer, sleep = realSleep }: WriterOptions & { sleep?: typeof realSleep },
): Promise<Lease> {
  const ours: LeaseRecord = { owner, id: randomUUID(), expires: "" };
  async function write(ms: number, etag: string | null, signal?: AbortSignal): Promise<void> {
    const value = { ...ours, expires: new Date(clock.now() + ms).toISOString() };
    await compareAndSwap(store, LEASE_PATH, { value, etag, signal });
    ours.expires = value.expires;
  }

  const { record: previous, etag } = await read(store, outer);
  if (previous !== null && isActive(previous, clock.now())) throw takenError(previous, store);
  try {
    await write(TERM_MS, etag, outer);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const { record: winner } = await read(store, outer);
    throw winner === null ? error : takenError(winner, store);
  }
  const lost = new AbortController();
  const done = new AbortController();
  const signal = AbortSignal.any([lost.signal, ...(outer === undefined ? [] : [outer])]);
  const why = (what: string): string => `Lost the lease of ${store.name}${what}. Run this again`;

  /** Reads our record; returns its etag. */
  async function checkOurs(signal?: AbortSignal): Promise<string | null> {
    const { record, etag } = await read(store, signal);
    if (record?.id === ours.id) return etag;
    const winner = record?.owner ?? "an unknown owner";
    throw new LeaseError(`${why(` to ${winner}`)}: nothing of ours is visible there`);
  }

  async function keepRenewing(): Promise<void> {
    const pause = TERM_MS / RENEWALS_PER_TERM;
    for (;;) {
      await sleep(pause, done.signal).catch(() => {});
      if (done.signal.aborted) return;
      try {
        const limit = AbortSignal.timeout(pause);
        await write(TERM_MS, await checkOurs(limit), limit);
      } catch (cause) {
        if (cause instanceof LeaseError) return lost.abort(cause);
        if (isActive(ours, clock.now())) continue;
        return lost.abort(new LeaseError(why(": it could not be renewed"), { cause }));
      }
    }
  }

  const renewing = keepRenewing();
  const lease: Lease = {
    signal,
    async check(): Promise<void> {
      signal.throwIfAborted();
      await checkOurs();
      if (!isActive(ours, clock.now())) throw new LeaseError(why(": it expired"));
      signal.throwIfAborted();
    },
    async [Symbol.asyncDispose](): Promise<void> {
      done.abort();
      await renewing;
      // Best effort: the lease expires by itself, and the work has already succeeded or failed.
      const limit = AbortSignal.timeout(RELEASE_MS);
      await checkOurs(limit).then((etag) => write(0, etag, limit)).catch(() => {});
    },
  };
  try {
    await checkConditions(store, ours, signal);
    return lease;
  } catch (error) {
    await lease[Symbol.asyncDispose]();
    throw error;
  }
}

/** Tries to write the lease again under conditions that are not met, which must fail. */
async function checkConditions(
  store: Store,
  ours: LeaseRecord,
  signal: AbortSignal,
): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(ours));
  for (const ifMatch of [null, `"${"0".repeat(32)}"`]) {
    try {
      await store.put(LEASE_PATH, bytes, { ifMatch, signal });
    } catch (error) {
      if (error instanceof ConditionFailed) continue;
      throw error;
    }
    throw new Error(
      `Cannot work on ${store.name}: its server ignores If-Match or If-None-Match on writes, so two ` +
        "publishers could undo each other's pointer. Use a server that honors them",
    );
  }
}

/** The current owner of a store's lease; null without one. */
export async function readLease(
  store: Store,
  { now, signal }: { now: number; signal?: AbortSignal | undefined },
): Promise<LeaseRecord | null> {
  const { record } = await read(store, signal);
  return record !== null && isActive(record, now) ? record : null;
}

function isActive({ expires }: LeaseRecord, now: number): boolean {
  return Date.parse(expires) > now;
}

async function read(
  store: Store,
  signal?: AbortSignal,
): Promise<{ record: LeaseRecord | null; etag: string | null }> {
  const found = await store.get(LEASE_PATH, signal);
  if (found === null) return { record: null, etag: null };
  const { bytes, etag } = found;
  try {
    return { record: LeaseRecord.parse(JSON.parse(new TextDecoder().decode(bytes))), etag };
  } catch {
    return { record: null, etag }; // No owner: it may be overwritten
  }
}

function takenError({ owner, expires }: LeaseRecord, { name }: Store): LeaseError {
  return new LeaseError(
    `Cannot work on ${name}: ${owner} has the lease until ${expires}. Wait for it to end; if it was ` +
      "killed, the lease expires by itself",
  );
}
