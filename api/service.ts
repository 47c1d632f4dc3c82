/**
 * The service put together: snapshot, store, limits and state behind one app.
 *
 * @module
 */

import { after, type Clock, sleep } from "../pipeline/clock.ts";
import { openSource } from "../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../pipeline/snapshot/reader.ts";
import { Alerts } from "./alerts/alerts.ts";
import type { AlertsDesk } from "./alerts/desk.ts";
import type { Mailer } from "./alerts/mailer.ts";
import { type App, createApp } from "./http/app.ts";
import { probesOf } from "./http/probes.ts";
import type { Mount, PageRoom } from "./http/route.ts";
import type { RequestLog } from "./http/trace.ts";
import { lookUpItems } from "./operations/items.ts";
import type { Operation } from "./operations/operation.ts";
import { OPERATIONS } from "./operations/table.ts";
import { DenoKv } from "./state/deno_kv.ts";
import { GuardedKv } from "./state/guarded_kv.ts";
import { Idempotency } from "./state/idempotency.ts";
import { Jobs } from "./state/jobs.ts";
import { JobRunner } from "./state/jobs_runner.ts";
import type { Kv } from "./state/kv.ts";
import { RateLimiter } from "./state/rate_limit.ts";

/** What a service is put together from. */
export interface ServiceOptions {
  /** Folder or http(s) address that holds `current.json`. */
  snapshotUrl: string;
  /** Whether each object read is compared with its line of SHA256SUMS. @default {false} */
  verifyShards?: boolean | undefined;
  /** Address of the service, without a final slash. */
  baseUrl: string;
  /** File of the store, `:memory:`, or undefined for the store of the host. */
  kvPath: string | undefined;
  /** Whether requests are counted in the store, for all processes on it, or in this process only. */
  countInStore: boolean;
  /** Proxies in front of the service whose `X-Forwarded-For` is believed. */
  proxyHops: number;
  /** Sends the mails of the alerts; null when there are none. */
  mailer: Mailer | null;
  clock: Clock;
  log: (line: string) => void;
  /** Told of every request. */
  requests?: RequestLog | undefined;
  /** Paths answered by rooms above this one. */
  mounts?: (parts: MountParts) => Mount[];
  /** Pages for people, of a room above this one. */
  pages?: (parts: PageParts) => PageRoom;
}

/** What the rooms above are given to work with. */
export type MountParts = Pick<Parts, "reader" | "clock" | "baseUrl" | "log">;

/** What is to be taken up each minute when nobody works on it. */
export const SWEEPS = ["jobs", "alerts"] as const;

/** What pages are given to work with. */
export interface PageParts extends MountParts {
  alerts: AlertsDesk;
  jobs: Jobs;
  runner: JobRunner;
  /** Folder or http(s) address that holds `current.json`; only an address is told to visitors. */
  snapshotUrl?: string | undefined;
}

/** A service that is ready for requests. */
export interface Service {
  app: App;
  reader: SnapshotReader;
  /** Takes up one of {@link SWEEPS}. Never throws. */
  sweep(what: (typeof SWEEPS)[number]): Promise<void>;
  /** Hands the work over. Nothing is taken up any more. */
  stop(): Promise<void>;
  /** Hands the work over and closes the store. */
  close(): Promise<void>;
}

/** Pages and what they load: several requests a click, and a household or an office at one address. */
const PAGE_QUOTA = { limit: 600, windowMs: 60_000 } as const;

/** Milliseconds a lookup waits for the store before it is counted without. */
const COUNTING_MS = 1_000;

/**
 * Opens snapshot and store, and puts a service on them. Nothing is read before the first request.
 *
 * @throws {TypeError} When the location of the snapshot cannot be one.
 */
export function createService(options: ServiceOptions): Service {
  const { snapshotUrl, kvPath, countInStore, clock, log } = options;
  const reader = new SnapshotReader(openSource(snapshotUrl, { clock, after, log }), {
    clock,
    verify: options.verifyShards ?? false,
    onStale: (error) => log(`Goes on with the older snapshot: ${error}`),
  });
  const store = new DenoKv(kvPath);
  const kv = new GuardedKv(store, { clock, log });
  const { app, runner, alerts } = assemble({
    ...options,
    reader,
    kv,
    // A guard of its own: reads must not wait as long as bulk operations may.
    countIn: countInStore ? new GuardedKv(store, { clock, timeout: COUNTING_MS }) : null,
    sleep,
    mounts: options.mounts?.({ ...options, reader }) ?? [],
  });
  async function stop(): Promise<void> {
    await Promise.all([runner.stop(), alerts.stop()]);
  }
  async function close(): Promise<void> {
    await stop();
    await store.close();
  }
  const swept = { jobs: runner, alerts };
  return { app, reader, sweep: (what) => swept[what].sweep(), stop, close };
}

/** What the parts of a service share. */
export interface Parts
  extends Pick<ServiceOptions, "baseUrl" | "proxyHops" | "mailer" | "clock" | "log" | "requests"> {
  reader: SnapshotReader;
  kv: Kv;
  /** Where requests are counted; null for in this process only. */
  countIn: Kv | null;
  /** Waits some milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** @default {OPERATIONS} */
  operations?: readonly Operation[];
  mounts?: readonly Mount[];
  pages?: ServiceOptions["pages"] | undefined;
  snapshotUrl?: string | undefined;
}

/** Puts the app together, with what works behind it. */
export function assemble(parts: Parts): { app: App; runner: JobRunner; alerts: Alerts } {
  const { reader, kv, countIn, clock, sleep, log, operations = OPERATIONS } = parts;
  const newId = (): string => crypto.randomUUID();
  const lookUp = lookUpItems;
  const runner = new JobRunner({ kv, reader, clock, sleep, newToken: newId, lookUp, log });
  const jobs = new Jobs({ kv, clock, reader, newId });
  const alerts = new Alerts({ ...parts, newToken: newId });
  const room = parts.pages?.({ ...parts, alerts, jobs, runner });
  const app = createApp({
    ...parts,
    operations,
    probes: probesOf({ reader, kv, clock }),
    limiter: new RateLimiter({ kv: countIn, clock, owner: newId() }),
    bulk: { idempotency: new Idempotency({ kv, clock, newToken: newId }), jobs, runner },
    pages: room === undefined ? undefined : {
      room,
      // In this process only: pages must not cost the store a commit.
      limiter: new RateLimiter({ kv: null, clock, owner: newId(), ...PAGE_QUOTA }),
    },
  });
  return { app, runner, alerts };
}
