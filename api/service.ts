/**
 * Assembles the service: one app over the snapshot, the store, the limits and the state.
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
import { type App, HttpApp } from "./http/app.ts";
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
import type { Foreground } from "./state/pacer.ts";
import { StorageBudget } from "./state/storage_budget.ts";
import { EVALUATIONS, Slots } from "./state/slots.ts";

/** Dependencies of MCP, `/ask`, A2A and the documents. */
export type MountParts = Omit<SurfaceDeps, "signal">;

export interface PageParts extends MountParts {
  kv: Kv;
  alerts: Alerts;
  jobs: Jobs;
  /** Folder or http(s) URL with `current.json`. Shown to visitors only if it is a URL. */
  snapshotUrl?: string | undefined;
  /** Whether a shared cache is in front of the service. */
  sharedCache: boolean;
}

interface CommonOptions extends Omit<MountParts, "reader"> {
  /** Number of proxies in front of the service whose `X-Forwarded-For` is trusted. */
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
  /** Whether to check each object that is read against SHA256SUMS. @default {false} */
  verifyShards?: boolean;
  /** Cache of the snapshot reader, in megabytes. @default {128} */
  cacheMegabytes?: number;
  /** File of the store, `:memory:`, URL of a KV Connect server, or undefined for the host's own store. */
  kvPath: string | undefined;
  /** Whether to count requests in the store, shared by all its processes, or in this process only. */
  countInStore: boolean;
  mounts?: (parts: MountParts) => Mount[];
}

export interface Service {
  app: App;
  reader: SnapshotReader;
  /** Sends the alerts that are due. Call it every few minutes. Never throws. */
  sweep(): Promise<void>;
  /** Stops sending alerts; another process can continue. */
  stop(): Promise<void>;
  /** Calls `stop` and closes the store. */
  close(): Promise<void>;
}

/** Milliseconds to wait for the store before a request is counted in this process instead. */
const COUNTING_MS = 1_000;

/**
 * Creates a service on a snapshot and a store. Reads nothing before the first request.
 *
 * @throws {TypeError} When `snapshotUrl` is not a valid location.
 */
export function createService(options: ServiceOptions): Service {
  const { snapshotUrl, kvPath, countInStore, clock, log, cacheMegabytes = 128 } = options;
  const source = openSource(snapshotUrl, { clock, after, log });
  const reader = new SnapshotReader(source, {
    clock,
    verify: options.verifyShards ?? false,
    // The reader uses this much for shards and again as much for posting lists.
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
    // A separate guard, because lookups must not wait for the store as long as batches and jobs may.
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
  /** Rejects when the store's file was deleted or replaced after it was opened. */
  storeInPlace: () => Promise<void>;
  /** Store to count requests in; null to count in this process only. */
  countIn: Kv | null;
  sleep: (ms: number) => Promise<void>;
  mounts?: readonly Mount[];
}

/** Clients with their own request log for pages. Fewer than for the API, because a log can be ten times as long. */
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
  const app = new HttpApp({
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
      // Counted in this process only, so that pages do not cost a commit in the store.
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
