/**
 * Idempotency keys: a key is bound to a body and a pin, which is the snapshot and day from which the answer
 * is computed again. Of simultaneous requests, one commit wins and the others replay its pin.
 *
 * @module
 */

import { hash } from "node:crypto";
import type { Clock } from "../../pipeline/clock.ts";
import type { SnapshotName } from "../../pipeline/snapshot/reader.ts";
import { ServiceError } from "../operations/errors.ts";
import type { AskedNumbers } from "../operations/numbers.ts";
import type { SnapshotFacts } from "../rules/schemas.ts";
import type { KeyedHash } from "./keyed_hash.ts";
import { type Kv, type KvEntry, type KvWrite, transact } from "./kv.ts";
import type { StorageBudget } from "./storage_budget.ts";

/** How long a key stays bound after its first use, in milliseconds. */
export const KEEP_MS = 24 * 3_600_000;

const PIN_BYTES = 1_000;

/** A request with an idempotency key. Keys of different clients, or of different operations, are separate. */
export interface KeyedRequest extends AskedNumbers {
  client: string;
  operation: string;
  key: string;
}

export interface Pinned {
  snapshot: SnapshotName;
  /** The snapshot, as described in answers. */
  facts: SnapshotFacts;
  today: string;
  /** The day asked for, if any; `today` is then the same day. */
  asOf?: string | undefined;
  /** The id of what was created, if anything was. */
  job?: { id: string; total: number; created_at: number };
}

interface Pin extends Pinned {
  fingerprint: string;
  token: string;
  /** Milliseconds since the epoch. */
  expires_at: number;
}

interface PinParts {
  kv: Kv;
  clock: Clock;
  hash: KeyedHash;
  budget: StorageBudget;
}

export class Pins {
  readonly #parts: PinParts;

  constructor(parts: PinParts) {
    this.#parts = parts;
  }

  /**
   * What a key is bound to, null when it is free.
   *
   * @throws {ServiceError} `idempotency_key_reused`.
   */
  async find(request: KeyedRequest): Promise<Pinned | null> {
    const { key, fingerprint } = await this.#namesOf(request);
    const [entry] = await this.#parts.kv.get<Pin>([key]);
    return this.#boundTo(entry, fingerprint);
  }

  /**
   * Binds a key, with further writes in the same commit, unless it is bound already.
   *
   * @returns What the key is bound to, and whether this call bound it.
   * @throws {ServiceError} `idempotency_key_reused`, or as {@link StorageBudget.charge}.
   * @throws {KvUnavailable} Also when it is not known whether the key was bound. Sending the request again
   *   shows whether it was.
   */
  async bind(
    request: KeyedRequest,
    pinned: Pinned,
    writes: readonly KvWrite[] = [],
  ): Promise<{ pinned: Pinned; first: boolean }> {
    const { kv, clock, budget } = this.#parts;
    const { key, fingerprint } = await this.#namesOf(request);
    const token = crypto.randomUUID();
    const stored = { client: request.client, bytes: PIN_BYTES, ms: KEEP_MS };
    return await budget.charge(
      stored,
      () =>
        transact<{ pinned: Pinned; first: boolean }>({ kv }, [key], (entry) => {
          const theirs = this.#boundTo(entry, fingerprint);
          if (theirs !== null) return { result: { pinned: theirs, first: false } };
          const value: Pin = { ...pinned, fingerprint, token, expires_at: clock.now() + KEEP_MS };
          const write = { key, value, expireIn: KEEP_MS };
          return { result: { pinned, first: true }, writes: [write, ...writes] };
        }),
    );
  }

  #boundTo({ value: pin }: KvEntry<Pin>, fingerprint: string): Pinned | null {
    if (pin === null || pin.expires_at <= this.#parts.clock.now()) return null;
    if (pin.fingerprint === fingerprint) return pin;
    throw new ServiceError(
      "idempotency_key_reused",
      "Cannot use this Idempotency-Key again: it came with another body before",
    );
  }

  /**
   * The store's key, and a fingerprint of the numbers and the day asked for, which ignores spelling and white
   * space of the body.
   */
  async #namesOf({ client, operation, key, dots, asOf }: KeyedRequest) {
    const name = await this.#parts.hash.of("key", client, operation, key);
    const asked = asOf === undefined ? dots.join(",") : `${dots.join(",")} as of ${asOf}`;
    const fingerprint = hash("sha256", asked);
    return { key: ["pin", name], fingerprint };
  }
}
