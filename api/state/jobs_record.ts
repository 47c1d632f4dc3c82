/**
 * What the store holds of a job, and what a caller sees of it.
 *
 * A job is a state machine in the store: whoever holds the lease commits results, cursor and a renewed
 * lease at once, checked on the versionstamp of the record, so a commit of one who lost the lease fails.
 *
 * @module
 */

import type { SnapshotName } from "../../pipeline/snapshot/reader.ts";
import type { KvKey } from "./kv.ts";
import { PIECE_BYTES } from "./pieces.ts";

const HOUR_MS = 3_600_000;

/** Milliseconds a worker may go without a commit before another may take the job over. */
export const LEASE_MS = 30_000;

/** Milliseconds that results are kept. */
export const RESULTS_MS = HOUR_MS;

/** Milliseconds after which a job that nobody could finish, e.g. for want of a running service, is given up. */
export const LIFE_MS = 24 * HOUR_MS;

/** The state of a job. Times are milliseconds since the epoch. */
export interface JobRecord {
  id: string;
  /** Hash of the client. */
  client: string;
  /** The snapshot and the day all runs of the job use. */
  snapshot_id: string;
  manifest_sha256: string;
  data_date: string;
  today: string;
  base_url: string;
  total: number;
  /** Items whose results are stored. */
  cursor: number;
  /** Pieces of results stored. */
  pieces: number;
  created_at: number;
  finished_at: number | null;
  /** 0 when nobody holds the lease. */
  lease_until: number;
  /** How often a worker has taken the job. */
  attempts: number;
  /** When the job is no longer there for callers. */
  expires_at: number;
  /** New with every commit: tells whether a commit whose answer was lost took place. */
  token: string;
}

/** Job without its results, as a caller sees it. */
export interface JobView {
  id: string;
  status: "queued" | "running" | "succeeded";
  total: number;
  done: number;
  created_at: string;
  finished_at: string | null;
  status_url: string;
  snapshot: { id: string; data_date: string };
}

/** Key of the {@link JobRecord}. */
export function jobKey(id: string): KvKey {
  return ["job", id];
}

/** Key of the numbers, a Uint32Array in the order asked. */
export function dotsKey(id: string): KvKey {
  return ["job_dots", id];
}

/** Bytes of a note, at most. */
export const NOTE_BYTES = 4 * PIECE_BYTES;

/** Keys of the parts of what was noted on the job, as many as it fills. */
export function noteKeys(id: string): KvKey[] {
  return Array.from({ length: NOTE_BYTES / PIECE_BYTES }, (_, n) => ["job_note", id, n]);
}

/** Key of the n-th piece: unpacked and put together the pieces are the items' JSON joined by commas. */
export function resultKey(id: string, n: number): KvKey {
  return ["job_results", id, n];
}

/** Prefix of the keys of finished jobs, oldest first. */
export const DONE_PREFIX: KvKey = ["jobs_done"];

/** Key that a finished job is found by when its time is over; the value is its number of pieces. */
export function doneKey(record: JobRecord): KvKey {
  return [...DONE_PREFIX, record.expires_at, record.id];
}

/** The snapshot a job is pinned to. */
export function snapshotOf(record: JobRecord): SnapshotName {
  return { id: record.snapshot_id, manifestSha256: record.manifest_sha256 };
}

/**
 * The `expireIn` of everything of a job. A job that ends does so within its life, so whatever was
 * written early outlives the last hour of the results, with an hour to spare.
 */
export function storedFor(record: JobRecord, now: number): number {
  return record.created_at + LIFE_MS + RESULTS_MS + HOUR_MS - now;
}

/**
 * Whether a worker may take the job: it is not finished, its life is not over, and no lease holds it.
 * A lease longer than any is of a clock that was put back.
 */
export function isFree(record: JobRecord, now: number): boolean {
  const leased = record.lease_until > now && record.lease_until <= now + LEASE_MS;
  return record.finished_at === null && record.expires_at > now && !leased;
}

/** What a caller sees of a record. */
export function viewOf(record: JobRecord): JobView {
  const { id, total, cursor, created_at, finished_at, base_url } = record;
  return {
    id,
    status: finished_at !== null ? "succeeded" : record.attempts > 0 ? "running" : "queued",
    total,
    done: cursor,
    created_at: new Date(created_at).toISOString(),
    finished_at: finished_at === null ? null : new Date(finished_at).toISOString(),
    status_url: `${base_url}/api/v1/jobs/${id}`,
    snapshot: { id: record.snapshot_id, data_date: record.data_date },
  };
}
