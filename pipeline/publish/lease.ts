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
  { sleep = realSleep, ...options }: WriterOptions & { sleep?: typeof realSleep },
): Promise<Lease> {
  const lease = new HeldLease(store, options);
  await lease.take();
  lease.keep(sleep);
  try {
    await lease.checkConditions();
    return lease;
  } catch (error) {
    await lease[Symbol.asyncDispose]();
    throw error;
  }
}

class HeldLease implements Lease {
  readonly signal: AbortSignal;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #outer: AbortSignal | undefined;
  readonly #ours: LeaseRecord;
  readonly #lost = new AbortController();
  readonly #done = new AbortController();
  #renewing: Promise<void> | undefined;

  constructor(store: Store, { clock, owner, signal }: WriterOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#outer = signal;
    this.#ours = { owner, id: randomUUID(), expires: "" };
    this.signal = AbortSignal.any([this.#lost.signal, ...(signal === undefined ? [] : [signal])]);
  }

  async take(): Promise<void> {
    const store = this.#store;
    const { record: previous, etag } = await read(store, this.#outer);
    if (previous !== null && isActive(previous, this.#clock.now())) {
      throw takenError(previous, store);
    }
    try {
      await this.#write(TERM_MS, etag, this.#outer);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const { record: winner } = await read(store, this.#outer);
      throw winner === null ? error : takenError(winner, store);
    }
  }

  /** Renews it until it is disposed of or lost. */
  keep(sleep: typeof realSleep): void {
    this.#renewing = this.#renew(sleep);
  }

  async check(): Promise<void> {
    this.signal.throwIfAborted();
    await this.#checkOurs();
    if (!this.#isActive()) throw new LeaseError(this.#why(": it expired"));
    this.signal.throwIfAborted();
  }

  /** Tries to write the lease again under conditions that are not met, which must fail. */
  async checkConditions(): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify(this.#ours));
    for (const ifMatch of [null, `"${"0".repeat(32)}"`]) {
      try {
        await this.#store.put(LEASE_PATH, bytes, { ifMatch, signal: this.signal });
      } catch (error) {
        if (error instanceof ConditionFailed) continue;
        throw error;
      }
      throw new Error(
        `Cannot work on ${this.#store.name}: its server ignores If-Match or If-None-Match on writes, ` +
          "so two publishers could undo each other's pointer. Use a server that honors them",
      );
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#done.abort();
    await this.#renewing;
    // Best effort: the lease expires by itself, and the work has already succeeded or failed.
    const limit = AbortSignal.timeout(RELEASE_MS);
    await this.#checkOurs(limit).then((etag) => this.#write(0, etag, limit)).catch(() => {});
  }

  async #renew(sleep: typeof realSleep): Promise<void> {
    const pause = TERM_MS / RENEWALS_PER_TERM;
    for (;;) {
      await sleep(pause, this.#done.signal).catch(() => {});
      if (this.#done.signal.aborted) return;
      try {
        const limit = AbortSignal.timeout(pause);
        await this.#write(TERM_MS, await this.#checkOurs(limit), limit);
      } catch (cause) {
        if (cause instanceof LeaseError) return this.#lost.abort(cause);
        if (this.#isActive()) continue;
        const error = new LeaseError(this.#why(": it could not be renewed"), { cause });
        return this.#lost.abort(error);
      }
    }
  }

  async #write(ms: number, etag: string | null, signal?: AbortSignal): Promise<void> {
    const value = { ...this.#ours, expires: new Date(this.#clock.now() + ms).toISOString() };
    await compareAndSwap(this.#store, LEASE_PATH, { value, etag, signal });
    this.#ours.expires = value.expires;
  }

  /** Reads our record; returns its etag. */
  async #checkOurs(signal?: AbortSignal): Promise<string | null> {
    const { record, etag } = await read(this.#store, signal);
    if (record?.id === this.#ours.id) return etag;
    const winner = record?.owner ?? "an unknown owner";
    throw new LeaseError(`${this.#why(` to ${winner}`)}: nothing of ours is visible there`);
  }

  #isActive(): boolean {
    return isActive(this.#ours, this.#clock.now());
  }

  #why(what: string): string {
    return `Lost the lease of ${this.#store.name}${what}. Run this again`;
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
