/**
 * A lease that keeps two publishers apart: an object that names its holder and until when.
 *
 * What makes a publish safe is the compare-and-swap of the pointer. The lease saves two publishers from
 * working for nothing, and gc from removing what another is uploading.
 *
 * @module
 */

import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import { sleep } from "../retry.ts";
import { isHeld, type LeaseNote, lookAtLease, writeLease } from "./lease_note.ts";
import { ConditionFailed, type Store } from "./store.ts";

/** Clocks of publishers must agree within half of this. */
const TERM_MS = 60_000;
const RENEWALS_PER_TERM = 3;
const RELEASE_MS = 5_000;

/** Somebody else holds the lease. */
export class LeaseHeld extends Error {
  override readonly name = "LeaseHeld";
}

/** How to take a lease. */
export interface LeaseOptions {
  clock: Clock;
  /** Who asks, for the message to others. */
  owner: string;
  /** Milliseconds that it holds without renewal. @default {60000} */
  term?: number;
  signal?: AbortSignal;
}

/** A lease that is held and renewed until it is disposed of. */
export class Lease implements AsyncDisposable {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #term: number;
  readonly #lost = new AbortController();
  readonly #done = new AbortController();
  readonly #renewing: Promise<void>;
  #note: LeaseNote;

  private constructor(store: Store, note: LeaseNote, { clock, term = TERM_MS }: LeaseOptions) {
    this.#store = store;
    this.#note = note;
    this.#clock = clock;
    this.#term = term;
    this.#renewing = this.#renew();
  }

  /**
   * Takes the lease.
   *
   * @throws {LeaseHeld} When somebody else has it; says who, and until when.
   */
  static async take(store: Store, options: LeaseOptions): Promise<Lease> {
    const { clock, owner, term = TERM_MS, signal } = options;
    const { note: before, etag } = await lookAtLease(store, signal);
    if (before !== null && isHeld(before, clock.now())) throw heldBy(before, store);
    const note: LeaseNote = {
      owner,
      id: randomUUID(),
      generation: (before?.generation ?? 0) + 1,
      expires: new Date(clock.now() + term).toISOString(),
    };
    try {
      await writeLease(store, { note, etag, ...(signal === undefined ? {} : { signal }) });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const { note: winner } = await lookAtLease(store, signal);
      throw winner === null ? error : heldBy(winner, store);
    }
    return new Lease(store, note, options);
  }

  /** Aborts when the lease could not be renewed in time or somebody else took it. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Makes sure that the lease is still ours, now.
   *
   * @throws {LeaseHeld} When it is not.
   */
  async check(): Promise<void> {
    this.#lost.signal.throwIfAborted();
    const { note } = await lookAtLease(this.#store);
    if (note?.id !== this.#note.id) throw takenBy(note, this.#store);
    if (!isHeld(note, this.#clock.now())) {
      throw new LeaseHeld(`Lost the lease of ${this.#store.name}: it ran out. Run this again`);
    }
  }

  /** Gives it back, best effort: it runs out by itself. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#done.abort();
    await this.#renewing;
    const signal = AbortSignal.timeout(RELEASE_MS);
    try {
      const { note, etag } = await lookAtLease(this.#store, signal);
      if (note?.id !== this.#note.id) return;
      const expires = new Date(this.#clock.now()).toISOString();
      await writeLease(this.#store, { note: { ...note, expires }, etag, signal });
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
      } catch (error) {
        const isOver = !isHeld(this.#note, this.#clock.now());
        if (!isOver && !(error instanceof LeaseHeld)) continue;
        return this.#lost.abort(
          error instanceof LeaseHeld ? error : new LeaseHeld(
            `Lost the lease of ${this.#store.name}: it could not be renewed. Run this again`,
            { cause: error },
          ),
        );
      }
    }
  }

  async #renewOnce(): Promise<void> {
    const signal = AbortSignal.timeout(this.#term / RENEWALS_PER_TERM);
    const { note, etag } = await lookAtLease(this.#store, signal);
    if (note?.id !== this.#note.id) throw takenBy(note, this.#store);
    const expires = new Date(this.#clock.now() + this.#term).toISOString();
    const renewed = { ...this.#note, expires };
    await writeLease(this.#store, { note: renewed, etag, signal });
    this.#note = renewed;
  }
}

function heldBy({ owner, expires }: LeaseNote, { name }: Store): LeaseHeld {
  return new LeaseHeld(
    `Cannot work on ${name}: ${owner} does, and holds it until ${expires}. Wait for it to end; ` +
      "if it was killed, the lease runs out by itself",
  );
}

function takenBy(note: LeaseNote | null, { name }: Store): LeaseHeld {
  const taker = note?.owner ?? "somebody who removed it";
  return new LeaseHeld(
    `Lost the lease of ${name} to ${taker}. Nothing of ours is visible there; run this again when ` +
      "it is free",
  );
}
