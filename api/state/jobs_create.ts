/**
 * Making jobs: the snapshot and the day are pinned, the bounds are kept, and an idempotency key is
 * answered for, all in one commit.
 *
 * @module
 */

import type { Clock } from "../../pipeline/clock.ts";
import type { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { sha256Hex } from "../../pipeline/snapshot/sums.ts";
import { forCaller } from "../operations/operation.ts";
import { newYorkToday } from "../rules/calendar.ts";
import {
  claimKey,
  type ClaimRecord,
  decide,
  doneWrite,
  type StoredResponse,
} from "./idempotency_claim.ts";
import {
  OPEN_KEY,
  OPEN_LIMITS,
  OPEN_STORED_MS,
  type OpenJobs,
  type OpenLimits,
  withJob,
} from "./jobs_open.ts";
import {
  dotsKey,
  jobKey,
  type JobRecord,
  LIFE_MS,
  noteKeys,
  storedFor,
  viewOf,
} from "./jobs_record.ts";
import {
  type Kv,
  type KvCommit,
  type KvEntry,
  type KvKey,
  KvUnavailable,
  type KvWrite,
} from "./kv.ts";
import { PIECE_BYTES } from "./pieces.ts";

/** What jobs are made from. */
export interface JobsOptions {
  kv: Kv;
  clock: Clock;
  reader: SnapshotReader;
  /** A new UUID. */
  newId: () => string;
  limits?: OpenLimits;
}

/** A job to make. */
export interface NewJob {
  /** Who asks; only its hash is stored. */
  client: string;
  dots: readonly number[];
  /** Address of the service, without a final slash. */
  baseUrl: string;
  idempotency?: { key: string; fingerprint: string } | undefined;
  /** What the asker wants to find with the job again: at most {@link NOTE_BYTES}. */
  note?: Uint8Array<ArrayBuffer>;
}

/** The answer to a request for a job. */
export interface CreatedJob {
  response: StoredResponse;
  /** Whether it is the answer to an earlier request with the same key. */
  replayed: boolean;
  /** The job to be kicked; null when there is none, because the answer is replayed. */
  id: string | null;
}

/** The name of the operation in idempotency keys. */
const OPERATION = "createJob";

const TRIES = 10;

/** Seconds to wait before looking at a new job, by the number of its items. */
const ITEMS_PER_SECOND = 1_000;

/** Makes jobs. */
export class JobMaker {
  readonly #options: JobsOptions;
  #turn: Promise<unknown> = Promise.resolve();

  /** One for a process. */
  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /**
   * Makes a job on the current snapshot. Job, bound on the open jobs and the claim of the idempotency
   * key are written in one commit.
   *
   * @throws {ServiceError} `rate_limited`, `upstream_unavailable`, `idempotency_key_reused` or
   *   `request_in_progress`.
   * @throws {KvUnavailable} Also when it is not known whether the job was made: with a key, asking
   *   again tells; without one, the job runs and nobody looks at it.
   */
  async create(wanted: NewJob): Promise<CreatedJob> {
    const { kv, clock } = this.#options;
    const claim = await claimOf(wanted);
    const replay = claim && replayOf(await kv.get(claim.at), { claim, now: clock.now() });
    if (replay) return replay;
    const record = await this.#newRecord(wanted);
    // One at a time, or requests of one process would be in each other's way.
    const turn = this.#turn.then(() => this.#commit({ ...wanted, record, claim }));
    this.#turn = turn.catch(() => {});
    return await turn;
  }

  async #commit(
    { record, dots, note, claim }: Pick<NewJob, "dots" | "note"> & {
      record: JobRecord;
      claim: Claim | null;
    },
  ): Promise<CreatedJob> {
    const { kv, clock, limits = OPEN_LIMITS } = this.#options;
    const { id, client, created_at } = record;
    const key = jobKey(id);
    const response = acceptedOf(record);
    const expireIn = storedFor(record, created_at);
    const writes: KvWrite[] = [
      { key, value: record, expireIn },
      { key: dotsKey(id), value: Uint32Array.from(dots), expireIn },
    ];
    noteKeys(id).forEach((key, n) => {
      const value = note?.slice(n * PIECE_BYTES, (n + 1) * PIECE_BYTES);
      if (value?.length) writes.push({ key, value, expireIn });
    });
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const keys = claim === null ? [OPEN_KEY] : [OPEN_KEY, claim.at];
      const [open, claimed] = await kv.getMany<unknown>(keys) as [
        KvEntry<OpenJobs>,
        KvEntry<ClaimRecord>,
      ];
      const replay = claim && replayOf(claimed, { claim, now: clock.now() });
      if (replay) return replay;
      const job = { client, items: record.total, created_at };
      const value = withJob(open.value ?? {}, { id, job, limits });
      const all = [...writes, { key: OPEN_KEY, value, expireIn: OPEN_STORED_MS }];
      if (claim) all.push(doneWrite(claim.at, { ...claim, response, now: clock.now() }));
      if (await this.#made(key, { checks: claim ? [open, claimed] : [open], writes: all })) {
        return { response, replayed: false, id };
      }
    }
    throw new KvUnavailable("Cannot make the job: others are in the way");
  }

  /** Commits; when the answer is lost the job itself tells, as its id is new. */
  async #made(key: KvKey, commit: KvCommit): Promise<boolean> {
    const { kv } = this.#options;
    try {
      return await kv.commit(commit) !== null;
    } catch (error) {
      if ((await kv.get(key)).value !== null) return true;
      throw error;
    }
  }

  async #newRecord({ client, dots, baseUrl }: NewJob): Promise<JobRecord> {
    const { clock, newId } = this.#options;
    const snapshot = await this.#current();
    const now = clock.now();
    return {
      id: newId(),
      client: (await sha256Hex(new TextEncoder().encode(client))).slice(0, 32),
      ...snapshot,
      today: newYorkToday(now),
      base_url: baseUrl,
      total: dots.length,
      cursor: 0,
      pieces: 0,
      created_at: now,
      finished_at: null,
      lease_until: 0,
      attempts: 0,
      expires_at: now + LIFE_MS,
      token: "",
    };
  }

  async #current(): Promise<Pick<JobRecord, "snapshot_id" | "manifest_sha256" | "data_date">> {
    try {
      return await this.#options.reader.use(({ id, manifestSha256, manifest }) =>
        Promise.resolve({
          snapshot_id: id,
          manifest_sha256: manifestSha256,
          data_date: manifest.data_date,
        })
      );
    } catch (error) {
      throw forCaller(error);
    }
  }
}

interface Claim {
  at: KvKey;
  fingerprint: string;
}

async function claimOf({ client, idempotency }: NewJob): Promise<Claim | null> {
  if (idempotency === undefined) return null;
  const { key, fingerprint } = idempotency;
  return { at: await claimKey(client, OPERATION, key), fingerprint };
}

function replayOf(
  entry: KvEntry<ClaimRecord>,
  { claim, now }: { claim: Claim; now: number },
): CreatedJob | null {
  const response = decide(entry, { fingerprint: claim.fingerprint, now });
  return response === null ? null : { response, replayed: true, id: null };
}

function acceptedOf(record: JobRecord): StoredResponse {
  const job = viewOf(record);
  return {
    status: 202,
    headers: [
      ["Location", job.status_url],
      ["Retry-After", String(Math.ceil(record.total / ITEMS_PER_SECOND))],
      ["Snapshot-Id", record.snapshot_id],
    ],
    body: new TextEncoder().encode(JSON.stringify(job)),
  };
}
