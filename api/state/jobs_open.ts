/**
 * The one record that names all jobs not yet finished: what the sweep goes by, and the exact bound on
 * the work taken on. It changes in the commits that make and finish a job.
 *
 * @module
 */

import { ServiceError } from "../operations/errors.ts";
import type { KvKey } from "./kv.ts";

/** Key of the {@link OpenJobs}. */
export const OPEN_KEY: KvKey = ["jobs_open"];

/** `expireIn` of the record: it is written anew with every job, and jobs live a day. */
export const OPEN_STORED_MS = 48 * 3_600_000;

/** An open job. */
export interface OpenJob {
  /** Hash of the client. */
  client: string;
  items: number;
  /** Milliseconds since the epoch. */
  created_at: number;
}

/** Open jobs by id. */
export type OpenJobs = Readonly<Record<string, OpenJob>>;

/** What may be open at a time. The record of that many jobs stays below 32 KB. */
export interface OpenLimits {
  /** Items of one client. */
  clientItems: number;
  /** Items in all. */
  items: number;
  /** Jobs in all. */
  jobs: number;
}

/** The limits of the service. */
export const OPEN_LIMITS: OpenLimits = { clientItems: 20_000, items: 100_000, jobs: 200 };

/** Seconds until trying again makes sense. */
const RETRY_AFTER = 10;

/**
 * Adds a job.
 *
 * @throws {ServiceError} `rate_limited`, when that would break a limit.
 */
export function withJob(
  open: OpenJobs,
  { id, job, limits }: { id: string; job: OpenJob; limits: OpenLimits },
): OpenJobs {
  const jobs = Object.values(open);
  const own = itemsOf(jobs.filter(({ client }) => client === job.client));
  if (own + job.items > limits.clientItems) {
    throw full(
      `${own} numbers of yours are waiting, at most ${limits.clientItems} may wait at a time`,
    );
  }
  if (jobs.length >= limits.jobs || itemsOf(jobs) + job.items > limits.items) {
    throw full("the service has as many jobs as it takes at a time");
  }
  return { ...open, [id]: job };
}

/** Drops jobs. */
export function withoutJobs(open: OpenJobs, ids: Iterable<string>): OpenJobs {
  const left: Record<string, OpenJob> = { ...open };
  for (const id of ids) delete left[id];
  return left;
}

/** Ids of open jobs, oldest first. */
export function oldestFirst(open: OpenJobs): string[] {
  const jobs = Object.entries(open).sort(([, a], [, b]) => a.created_at - b.created_at);
  return jobs.map(([id]) => id);
}

function itemsOf(jobs: readonly OpenJob[]): number {
  return jobs.reduce((sum, { items }) => sum + items, 0);
}

function full(why: string): ServiceError {
  return new ServiceError(
    "rate_limited",
    `Cannot take this job: ${why}; try again when a job has finished`,
    { retryAfter: RETRY_AFTER },
  );
}
