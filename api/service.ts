/**
 * The service put together: snapshot, store, limits and state behind one app.
 *
 * @module
 */

import { after } from "../pipeline/clock.ts";
import { sleep } from "../pipeline/retry.ts";
import { openSource } from "../pipeline/snapshot/sources/open_source.ts";
import type { Source } from "../pipeline/snapshot/source.ts";
import { SnapshotReader } from "../pipeline/snapshot/reader.ts";
import { Alerts } from "./alerts/alerts.ts";
import type { Mailer } from "./alerts/smtp_mailer.ts";
import { type App, createApp } from "./http/app.ts";
import { batchMounts } from "./http/batches.ts";
import type { Mount, Pages, RequestLog } from "./http/exchange.ts";
import { latestMounts } from "./http/latest.ts";
import { lookupMounts } from "./http/lookups.ts";
import { probeMounts } from "./http/probes.ts";
import type { SurfaceDeps } from "./operations/operation.ts";
import { Pins } from "./state/idempotency.ts";
import { Jobs } from "./state/jobs.ts";
import { KeyedHash } from "./state/keyed_hash.ts";
import { DenoKv } from "./state/deno_kv.ts";
import { guardedKv, type Kv } from "./state/kv.ts";
import { PAGE_QUOTA, RateLimiter } from "./state/rate_limit.ts";
import { type Foreground, StorageBudget } from "./state/limits.ts";
import { EVALUATIONS, Slots } from "./state/slots.ts";

/** What MCP, /ask, A2A and the documents are made from. */
export type MountParts = Omit<SurfaceDeps, "signal">;

export interface PageParts extends MountParts {
  alerts: Alerts;
  jobs: Jobs;
  /** Folder or http(s) address with `current.json`; visitors see only an address. */
  snapshotUrl?: string | undefined;
  /** Whether a shared cache is in front of the service. */
  sharedCache: boolean;
}

interface CommonOptions extends Omit<MountParts, "reader"> {
  /** Proxies in front of the service whose `X-Forwarded-For` is believed. */
  proxyHops: number;
  /** Whether a shared cache is in front of the service. */
  sharedCache: boolean;
  /** Sends alert emails; null when there are no alerts. */
  mailer: Mailer | null;
  requests?: RequestLog | undefined;
  pages?: ((parts: PageParts) => Pages) | undefined;
}

export interface ServiceOptions extends CommonOptions {
  snapshotUrl: string;
  /** Whether each object read is compared with its line of SHA256SUMS. @default {false} */
  verifyShards?: boolean;
  /** Megabytes that the reader of the snapshot may cache. @default {128} */
  cacheMegabytes?: number;
  /** File of the store, `:memory:`, address of a KV Connect server, or undefined for the store of the host. */
  kvPath: string | undefined;
  /** Whether requests are counted in the store, for all processes on it, or in this process only. */
  countInStore: boolean;
  mounts?: (parts: MountParts) => Mount[];
}

export interface Service {
  app: App;
  reader: SnapshotReader;
  /** Sends what alerts are due: to be called every few minutes. Never throws. */
  sweep(): Promise<void>;
  /** Ends work that another process can continue. */
  stop(): Promise<void>;
  /** Stops, and closes the store. */
  close(): Promise<void>;
}

/** Milliseconds a lookup waits for the store before it is counted without. */
const COUNTING_MS = 1_000;

/**
 * Opens snapshot and store, and puts a service on them. Nothing is read before the first request.
 *
 * @throws {TypeError} When the location of the snapshot cannot be one.
 */
export function createService(options: ServiceOptions): Service {
  const { snapshotUrl, kvPath, countInStore, clock, log, cacheMegabytes = 128 } = options;
  const source = openSource(snapshotUrl, { clock, after, log });
  const reader = new SnapshotReader(source, {
    clock,
    verify: options.verifyShards ?? false,
    // Half for shards and half for the lists of the search.
    cacheBytes: cacheMegabytes / 2 * 1024 * 1024,
    onStale: (error) => log(`Keeps the older snapshot: ${error}`),
  });
  const store = new DenoKv(kvPath);
  const { app, alerts } = assembleService({
    ...options,
    reader,
    source,
    kv: guardedKv(store, { clock, log }),
    storeInPlace: () => store.inPlace(),
    // Its own guard: reads must not wait as long as batches and jobs may.
    countIn: countInStore
      ? guardedKv(store, { clock, timeout: COUNTING_MS, log: (line) => log(`Rate limit: ${line}`) })
      : null,
    sleep,
    mounts: options.mounts?.({ ...options, reader }) ?? [],
  });
  async function close(): Promise<void> {
    await alerts.stop();
    await store.close();
  }
  return { app, reader, sweep: () => alerts.sweep(), stop: () => alerts.stop(), close };
}

export interface Parts extends CommonOptions, Pick<PageParts, "reader" | "snapshotUrl"> {
  source: Source;
  kv: Kv;
  /** Rejects when the store is not where it was opened. */
  storeInPlace: () => Promise<void>;
  /** Where requests are counted; null for in this process only. */
  countIn: Kv | null;
  sleep: (ms: number) => Promise<void>;
  mounts?: readonly Mount[];
}

/** Clients beyond which pages share logs: theirs are ten times as long as those of the API. */
const MOST_VISITORS = 10_000;

export function assembleService(parts: Parts): { app: App; alerts: Alerts } {
  const { kv, countIn, clock, mounts = [] } = parts;
  const hash = new KeyedHash(kv);
  const budget = new StorageBudget(clock);
  const pins = new Pins({ kv, clock, hash, budget });
  const slots = new Slots(EVALUATIONS, after);
  const foreground: Foreground = { open: 0, cameAt: -Infinity };
  const jobs = new Jobs({ ...parts, pins, budget, slots, foreground });
  const alerts = new Alerts({ ...parts, hash, slots, newToken: () => crypto.randomUUID() });
  const pages = parts.pages?.({ ...parts, alerts, jobs });
  const store = countIn && { kv: countIn, hash: new KeyedHash(countIn) };
  const app = createApp({
    ...parts,
    mounts: [
      ...lookupMounts({ ...parts, foreground }),
      ...batchMounts({ ...parts, jobs, pins, slots }),
      ...latestMounts(parts),
      ...probeMounts(parts),
      ...mounts,
    ],
    limiter: new RateLimiter({ store, clock }),
    pages: pages && {
      ...pages,
      // In this process only: pages must not cost the store a commit.
      limiter: new RateLimiter({
        store: null,
        clock,
        maxClients: MOST_VISITORS,
        limit: PAGE_QUOTA,
      }),
    },
  });
  return { app, alerts };
}
