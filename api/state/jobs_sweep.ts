/**
 * Finding the jobs that nobody works on, and clearing away those that are over.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import { oldestFirst, OPEN_KEY, OPEN_STORED_MS, type OpenJobs, withoutJobs } from "./jobs_open.ts";
import { DONE_PREFIX, isFree, jobKey, type JobRecord, noteKeys, resultKey } from "./jobs_record.ts";
import { getAll, type Kv } from "./kv.ts";

/** Finished jobs that one sweep looks at. */
const SWEPT = 100;

/** What the sweep works with. */
export interface SweepParts {
  kv: Kv;
  clock: Clock;
}

/**
 * Ids of open jobs that nobody works on, oldest first. Drops open jobs whose record is gone or whose
 * life is over, so that they do not count any more.
 *
 * @throws {KvUnavailable}
 */
export async function freeJobs({ kv, clock }: SweepParts): Promise<string[]> {
  const entry = await kv.get<OpenJobs>(OPEN_KEY);
  const ids = oldestFirst(entry.value ?? {});
  const jobs = await getAll<JobRecord>(kv, ids.map(jobKey));
  const now = clock.now();
  const free = ids.filter((_, i) => jobs[i]!.value !== null && isFree(jobs[i]!.value!, now));
  const over = ids.filter((_, i) => (jobs[i]!.value?.expires_at ?? 0) <= now);
  if (over.length > 0) {
    const value = withoutJobs(entry.value ?? {}, over);
    // Refused when the record has changed meanwhile: then the next sweep drops them.
    await kv.commit({
      checks: [entry],
      writes: [{ key: OPEN_KEY, value, expireIn: OPEN_STORED_MS }],
    });
  }
  return free;
}

/**
 * Deletes finished jobs whose results have been kept as long as promised.
 *
 * @throws {KvUnavailable}
 */
export async function dropDone({ kv, clock }: SweepParts): Promise<void> {
  for (const { key, value: pieces } of await kv.list<number>(DONE_PREFIX, { limit: SWEPT })) {
    const [, expiresAt, id] = key as [string, number, string];
    if (expiresAt > clock.now()) return;
    const results = Array.from({ length: pieces! }, (_, n) => resultKey(id, n));
    const keys = [jobKey(id), ...noteKeys(id), key, ...results];
    await kv.commit({ checks: [], writes: keys.map((key) => ({ key, delete: true })) });
  }
}
