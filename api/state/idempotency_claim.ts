/**
 * What the store holds of an idempotency key, and what follows from it for a request with that key.
 *
 * @module
 */

import { sha256Hex } from "../../pipeline/snapshot/sums.ts";
import { ServiceError } from "../operations/errors.ts";
import type { KvEntry, KvKey, KvWrite } from "./kv.ts";

/** Milliseconds that a key is kept from its first use on. */
export const KEEP_MS = 24 * 3_600_000;

/** Milliseconds that other requests wait for the one that holds the claim. */
export const LEASE_MS = 30_000;

/** An answer as it was sent and will be sent again. */
export interface StoredResponse {
  status: number;
  headers: [name: string, value: string][];
  body: Uint8Array<ArrayBuffer>;
}

/** The value of a key. Times are milliseconds since the epoch. */
export interface ClaimRecord {
  /** {@link fingerprintOf} the body. */
  fingerprint: string;
  /** Names the request that holds the claim; new for each. */
  token: string;
  /** Until when the others wait for that request; of no meaning once there is an answer. */
  lease_until: number;
  expires_at: number;
  /** Null while the request is at work. Its body is empty when it stands in pieces. */
  response: StoredResponse | null;
  /** Number of pieces under {@link pieceKey} that hold the body; 0 when it stands in the response. */
  pieces: number;
}

/** The key of a claim: nothing of the client or the caller's key can be read from it. */
export async function claimKey(client: string, operation: string, key: string): Promise<KvKey> {
  return ["idempotency", await hashOf(JSON.stringify([client, operation, key]))];
}

/** The key of the n-th piece of an answer's body. */
export function pieceKey([, hash]: KvKey, token: string, n: number): KvKey {
  return ["idempotency_body", hash!, token, n];
}

/** SHA-256 of the canonical body, hex: spelling and white space of the body sent do not matter. */
export function fingerprintOf(dots: readonly number[]): Promise<string> {
  return hashOf(dots.join(","));
}

/**
 * Decides what a request with this fingerprint may do.
 *
 * @returns The answer to send again, or null when the request is to do the work.
 * @throws {ServiceError} `idempotency_key_reused` or `request_in_progress`.
 */
export function decide(
  { value: claim }: KvEntry<ClaimRecord>,
  { fingerprint, now }: { fingerprint: string; now: number },
): StoredResponse | null {
  if (claim === null || claim.expires_at <= now) return null;
  if (claim.fingerprint !== fingerprint) {
    throw new ServiceError(
      "idempotency_key_reused",
      "Cannot use this Idempotency-Key again: it came with another body before",
    );
  }
  const left = claim.lease_until - now;
  // One that is far longer than any comes from a clock that was put back.
  if (claim.response === null && left > 0 && left < 2 * LEASE_MS) throw inProgress(left);
  return claim.response;
}

/** The error of a request that another one with its key is at work for. */
export function inProgress(ms: number): ServiceError {
  return new ServiceError(
    "request_in_progress",
    "Cannot answer yet: an earlier request with this Idempotency-Key is still at work",
    { retryAfter: Math.max(1, Math.ceil(ms / 1000)) },
  );
}

/** The write of a short answer that is known at once, to be checked on the entry that was decided on. */
export function doneWrite(
  key: KvKey,
  { fingerprint, response, now }: { fingerprint: string; response: StoredResponse; now: number },
): KvWrite {
  const expires_at = now + KEEP_MS;
  return writeOf(
    key,
    { fingerprint, token: "", lease_until: 0, expires_at, response, pieces: 0 },
    now,
  );
}

/** The write of a claim, which the store cleans away some time after it has expired. */
export function writeOf(key: KvKey, value: ClaimRecord, now: number): KvWrite {
  return { key, value, expireIn: expireIn(value, now) };
}

/** The `expireIn` of whatever belongs to a claim. */
export function expireIn(claim: ClaimRecord, now: number): number {
  return Math.max(claim.expires_at - now, 0) + KEEP_MS;
}

function hashOf(text: string): Promise<string> {
  return sha256Hex(new TextEncoder().encode(text));
}
