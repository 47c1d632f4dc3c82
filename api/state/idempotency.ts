/**
 * Requests sent again with the same key: the work is done for one of them, and all get its answer.
 *
 * A key's record is a claim with a lease until the answer is stored in it. Every change is checked on its
 * versionstamp, so of two who believe they hold a claim only one can store an answer, and no answer goes
 * out before it is stored. Long answers are written beside the record first, under the token of the
 * claim, so that those of two claims never mix.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import { ServiceError } from "../operations/errors.ts";
import { abortable } from "./abortable.ts";
import {
  claimKey,
  type ClaimRecord,
  decide,
  expireIn,
  inProgress,
  KEEP_MS,
  LEASE_MS,
  pieceKey,
  type StoredResponse,
  writeOf,
} from "./idempotency_claim.ts";
import { getAll, type Kv, type KvCommit, type KvKey, KvUnavailable, type KvWrite } from "./kv.ts";
import { pack, unpack } from "./pieces.ts";

/** What {@link Idempotency} is wired from. */
export interface IdempotencyOptions {
  kv: Kv;
  clock: Clock;
  /** A text that no other request has. */
  newToken: () => string;
  /** A signal that is aborted after some milliseconds. @default AbortSignal.timeout */
  timeout?: (ms: number) => AbortSignal;
}

/** A request with an idempotency key. */
export interface KeyedRequest {
  /** Who asks: keys of two clients have nothing to do with each other, */
  client: string;
  /** nor have keys of two operations. */
  operation: string;
  key: string;
  /** Equal for equal bodies. */
  fingerprint: string;
}

/** Milliseconds for the work: the rest of the lease is for storing its answer. */
const WORK_MS = LEASE_MS * 2 / 3;

/** Bytes of an answer that stand in the record itself. */
const INLINE_BYTES = 16 * 1024;

/** Pieces written in one commit. */
const PIECES_A_COMMIT = 10;

/** Tries of a commit that meets a conflict, or whose answer is lost. */
const TRIES = 5;

/** Seconds after which trying again makes sense when the work took too long. */
const RETRY_AFTER = 10;

/** A claim as the request that made it holds it. */
interface Held {
  at: KvKey;
  record: ClaimRecord;
  versionstamp: string;
}

/** Does work once for all requests with the same key. */
export class Idempotency {
  readonly #kv: Kv;
  readonly #clock: Clock;
  readonly #newToken: () => string;
  readonly #timeout: (ms: number) => AbortSignal;

  constructor(options: IdempotencyOptions) {
    this.#kv = options.kv;
    this.#clock = options.clock;
    this.#newToken = options.newToken;
    this.#timeout = options.timeout ?? ((ms) => AbortSignal.timeout(ms));
  }

  /**
   * Does the work, or answers what it gave before. When the work throws, the key is free again. It has
   * no effect but its answer, as it may be done again when a request dies; its signal is aborted some
   * time before the others stop waiting for it, and it is not waited for any longer then.
   *
   * @throws {ServiceError} `idempotency_key_reused`, `request_in_progress`, or `upstream_unavailable`
   *   when the work took too long; and whatever the work throws.
   * @throws {KvUnavailable} Also when it is not known whether the answer was stored: asking again tells.
   */
  async run(
    { client, operation, key, fingerprint }: KeyedRequest,
    work: (signal: AbortSignal) => Promise<StoredResponse>,
  ): Promise<{ response: StoredResponse; replayed: boolean }> {
    const at = await claimKey(client, operation, key);
    const held = await this.#claim(at, fingerprint);
    if ("status" in held) return { response: held, replayed: true };
    try {
      return await this.#store(held, await this.#inTime(work));
    } catch (error) {
      await this.#release(held);
      throw error;
    }
  }

  /** The claim, or the answer of an earlier one. */
  async #claim(at: KvKey, fingerprint: string): Promise<Held | StoredResponse> {
    const token = this.#newToken();
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const entry = await this.#kv.get<ClaimRecord>(at);
      const { value, versionstamp } = entry;
      // An answer was lost, but not the commit.
      if (value?.token === token) return { at, record: value, versionstamp: versionstamp! };
      const now = this.#clock.now();
      const response = decide(entry, { fingerprint, now });
      if (response !== null) return await this.#whole(at, { ...value!, response });
      const record: ClaimRecord = {
        fingerprint,
        token,
        lease_until: now + LEASE_MS,
        expires_at: now + KEEP_MS,
        response: null,
        pieces: 0,
      };
      const written = await this.#commit({
        checks: [{ key: at, versionstamp }],
        writes: [writeOf(at, record, now)],
      });
      if (written !== null) return { at, record, versionstamp: written };
    }
    throw new KvUnavailable("Cannot claim an idempotency key: others are in the way");
  }

  async #inTime(work: (signal: AbortSignal) => Promise<StoredResponse>): Promise<StoredResponse> {
    const signal = this.#timeout(WORK_MS);
    try {
      return await abortable(work(signal), signal);
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
      throw new ServiceError(
        "upstream_unavailable",
        "The carrier data cannot be read fast enough at the moment; try again later",
        { retryAfter: RETRY_AFTER, cause: error },
      );
    }
  }

  /** Makes the answer that of the key, or gives the one that another request made it meanwhile. */
  async #store(
    { at, record, versionstamp }: Held,
    response: StoredResponse,
  ): Promise<{ response: StoredResponse; replayed: boolean }> {
    const { fingerprint, token } = record;
    const pieces = response.body.length <= INLINE_BYTES ? [] : pack(response.body);
    await this.#putPieces(pieces.map((value, n) => ({
      key: pieceKey(at, token, n),
      value,
      expireIn: expireIn(record, this.#clock.now()),
    })));
    const inline = pieces.length === 0 ? response : { ...response, body: new Uint8Array() };
    const done = { ...record, response: inline, pieces: pieces.length };
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const written = await this.#commit({
        checks: [{ key: at, versionstamp }],
        writes: [writeOf(at, done, this.#clock.now())],
      });
      if (written !== null) return { response, replayed: false };
      const entry = await this.#kv.get<ClaimRecord>(at);
      if (entry.value?.token === token && entry.value.response !== null) {
        return { response, replayed: false };
      }
      if (entry.versionstamp !== versionstamp) {
        const theirs = decide(entry, { fingerprint, now: this.#clock.now() });
        if (theirs === null) throw inProgress(0);
        return {
          response: await this.#whole(at, { ...entry.value!, response: theirs }),
          replayed: true,
        };
      }
    }
    throw new KvUnavailable("Cannot store an answer: others are in the way");
  }

  async #putPieces(writes: readonly KvWrite[]): Promise<void> {
    for (let from = 0; from < writes.length; from += PIECES_A_COMMIT) {
      const commit = { checks: [], writes: writes.slice(from, from + PIECES_A_COMMIT) };
      // Writing the same again does no harm.
      let attempt = 1;
      while (await this.#commit(commit) === null) {
        if (++attempt > TRIES) throw new KvUnavailable("Cannot store an answer: the store fails");
      }
    }
  }

  /** A response with the body that stands in pieces. */
  async #whole(
    at: KvKey,
    { response, pieces, token }: ClaimRecord & { response: StoredResponse },
  ): Promise<StoredResponse> {
    if (pieces === 0) return response;
    const keys = Array.from({ length: pieces }, (_, n) => pieceKey(at, token, n));
    const entries = await getAll<Uint8Array<ArrayBuffer>>(this.#kv, keys);
    const packed = entries.map(({ value }, n) => {
      if (value === null) throw new Error(`Cannot read a stored answer: piece ${n} is missing`);
      return value;
    });
    const parts = await Array.fromAsync(unpack(packed));
    return { ...response, body: new Uint8Array(await new Blob(parts).arrayBuffer()) };
  }

  /** Lets the next request start afresh at once; if that fails, it can when the lease is over. */
  async #release({ at, versionstamp }: Held): Promise<void> {
    await this.#commit({
      checks: [{ key: at, versionstamp }],
      writes: [{ key: at, delete: true }],
    });
  }

  /** Null when nothing was written, or it is not known: then reading tells. */
  async #commit(commit: KvCommit): Promise<string | null> {
    try {
      return await this.#kv.commit(commit);
    } catch (error) {
      if (error instanceof KvUnavailable) return null;
      throw error;
    }
  }
}

export {
  claimKey,
  type ClaimRecord,
  decide,
  doneWrite,
  fingerprintOf,
  type StoredResponse,
} from "./idempotency_claim.ts";
