/**
 * A lease that keeps two publishers apart: an object that names its owner and when it expires.
 *
 * What makes a publish safe is the compare-and-swap of the pointer. The lease saves two publishers from
 * working for nothing, and gc from removing what another is uploading.
 *
 * @module
 */

import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../clock.ts";
import { sleep } from "../retry.ts";
import { compareAndSwap, ConditionFailed, PRIVATE_HEADERS, type Store } from "./store.ts";

/** Where the lease is. */
export const LEASE_PATH = "publish.lock";

/** Clocks of publishers must agree within half of this. */
const TERM_MS = 60_000;
const RENEWALS_PER_TERM = 3;
const RELEASE_MS = 5_000;

const LeaseRecord = z.object({
  /** Who, for people. */
  owner: z.string(),
  /** Which process. */
  id: z.string(),
  /** One more with each owner. */
  generation: z.number().int().nonnegative(),
  /** An instant in UTC; one that has passed means free. */
  expires: z.iso.datetime(),
});

/** The object at {@link LEASE_PATH}. */
export type LeaseRecord = z.infer<typeof LeaseRecord>;

/** Another owner has the lease, or it was lost. */
export class LeaseError extends Error {
  override readonly name = "LeaseError";
}

/** Who works on a store, and until when. */
export interface WriterOptions {
  clock: Clock;
  /** Who, for the lease's message to others. */
  owner: string;
  signal?: AbortSignal | undefined;
}

/** A lease that is renewed until it is disposed of. */
export class Lease implements AsyncDisposable {
  /** Aborts with the signal given, and when the lease is lost. */
  readonly signal: AbortSignal;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #term: number;
  readonly #lost = new AbortController();
  readonly #done = new AbortController();
  readonly #renewing: Promise<void>;
  #record: LeaseRecord;

  private constructor(
    store: Store,
    record: LeaseRecord,
    { clock, term, signal }: { clock: Clock; term: number; signal: AbortSignal | undefined },
  ) {
    this.#store = store;
    this.#record = record;
    this.#clock = clock;
    this.#term = term;
    this.signal = AbortSignal.any([this.#lost.signal, ...(signal === undefined ? [] : [signal])]);
    this.#renewing = this.#renew();
  }

  /**
   * Takes the lease.
   *
   * @param options.term Milliseconds until it expires unless it is renewed.
   * @throws {LeaseError} When another owner has it; names it, and until when.
   */
  static async take(
    store: Store,
    { clock, owner, signal, term = TERM_MS }: WriterOptions & { term?: number },
  ): Promise<Lease> {
    const { record: previous, etag } = await read(store, signal);
    if (previous !== null && isActive(previous, clock.now())) throw takenError(previous, store);
    const record: LeaseRecord = {
      owner,
      id: randomUUID(),
      generation: (previous?.generation ?? 0) + 1,
      expires: new Date(clock.now() + term).toISOString(),
    };
    try {
      await write(store, record, { etag, signal });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const { record: winner } = await read(store, signal);
      throw winner === null ? error : takenError(winner, store);
    }
    return new Lease(store, record, { clock, term, signal });
  }

  /**
   * Reads whether the lease is still ours.
   *
   * @throws {LeaseError} When it is not. Throws the reason of {@link Lease.signal} when that is aborted.
   */
  async check(): Promise<void> {
    this.signal.throwIfAborted();
    const { record } = await read(this.#store);
    if (record?.id !== this.#record.id) throw lostError(record, this.#store);
    if (!isActive(record, this.#clock.now())) {
      throw new LeaseError(`Lost the lease of ${this.#store.name}: it expired. Run this again`);
    }
    this.signal.throwIfAborted();
  }

  /** Releases it, best effort: it expires by itself. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#done.abort();
    await this.#renewing;
    const signal = AbortSignal.timeout(RELEASE_MS);
    try {
      const { record, etag } = await read(this.#store, signal);
      if (record?.id !== this.#record.id) return;
      const expires = new Date(this.#clock.now()).toISOString();
      await write(this.#store, { ...record, expires }, { etag, signal });
    } catch {
      // Nothing to do about it, and what was worked for is done or has failed already
    }
  }

  async #renew(): Promise<void> {
    const stop = this.#done.signal;
    while (!stop.aborted) {
      await sleep(this.#term / RENEWALS_PER_TERM, stop).catch(() => {});
      if (stop.aborted) return;
      try {
        await this.#renewOnce();
      } catch (cause) {
        if (cause instanceof LeaseError) return this.#lost.abort(cause);
        if (isActive(this.#record, this.#clock.now())) continue;
        const message =
          `Lost the lease of ${this.#store.name}: it could not be renewed. Run this again`;
        return this.#lost.abort(new LeaseError(message, { cause }));
      }
    }
  }

  async #renewOnce(): Promise<void> {
    const signal = AbortSignal.timeout(this.#term / RENEWALS_PER_TERM);
    const { record, etag } = await read(this.#store, signal);
    if (record?.id !== this.#record.id) throw lostError(record, this.#store);
    const expires = new Date(this.#clock.now() + this.#term).toISOString();
    const renewed = { ...this.#record, expires };
    await write(this.#store, renewed, { etag, signal });
    this.#record = renewed;
  }
}

/** The owner of a store's lease now; null without one. */
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

function write(
  store: Store,
  value: LeaseRecord,
  { etag, signal }: { etag: string | null; signal: AbortSignal | undefined },
): Promise<void> {
  return compareAndSwap(store, LEASE_PATH, { value, etag, headers: PRIVATE_HEADERS, signal });
}

function takenError({ owner, expires }: LeaseRecord, { name }: Store): LeaseError {
  return new LeaseError(
    `Cannot work on ${name}: ${owner} has the lease until ${expires}. Wait for it to end; if it was ` +
      "killed, the lease expires by itself",
  );
}

function lostError(record: LeaseRecord | null, { name }: Store): LeaseError {
  const winner = record?.owner ?? "an unknown owner";
  return new LeaseError(
    `Lost the lease of ${name} to ${winner}. Nothing of ours is visible there; run this again when it ` +
      "is free",
  );
}
