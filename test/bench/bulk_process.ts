/**
 * One bulk lookup in its own process: `bulk_process.ts TASK SNAPSHOT FILE`, where the file has
 * `{warm, dots}`. Prints a {@link BulkCost} as JSON.
 *
 * @module
 */

import { findItems } from "../../api/operations/batch.ts";
import { lookupCarrier } from "../../api/operations/lookup.ts";
import { perform } from "../../api/operations/operation.ts";
import { assemble } from "../../api/service.ts";
import { DenoKv } from "../../api/state/deno_kv.ts";
import type { Kv, KvCommit } from "../../api/state/kv.ts";
import { newYorkToday } from "../../api/rules/calendar.ts";
import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { sleep } from "../../pipeline/retry.ts";
import { note, print } from "../../pipeline/io.ts";
import { openSource } from "../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import type { Source } from "../../pipeline/snapshot/source.ts";
import { ownCpuSeconds, peakBytes } from "./processes.ts";

/** What is done with the numbers. */
type BulkTask = "loop" | "batch" | "job";

/** What it cost. */
export interface BulkCost {
  seconds: number;
  cpuSeconds: number;
  commits: number;
  /** Objects of the snapshot read, and their bytes. */
  reads: number;
  bytesRead: number;
  /** Bytes that came out: JSON, that of a job gzipped. */
  bytesOut: number;
  /** Most resident memory, less that before; NaN where the system does not report it. */
  growthBytes: number;
}

/** Lookups at a time before what is measured. */
const WARMERS = 32;

const BASE_URL = "https://carriers.example";

async function main(task: BulkTask, snapshot: string, file: string): Promise<BulkCost> {
  const { warm, dots } = JSON.parse(await Deno.readTextFile(file)) as Record<string, number[]>;
  const cost = { commits: 0, reads: 0, bytesRead: 0 };
  const stored = openSource(snapshot);
  const source: Source = {
    name: stored.name,
    async get(path, signal) {
      const bytes = await stored.get(path, signal);
      cost.reads++;
      cost.bytesRead += bytes?.length ?? 0;
      return bytes;
    },
  };
  const clock = SYSTEM_CLOCK;
  const reader = new SnapshotReader(source, { clock });
  const today = newYorkToday(clock.now());
  const context = { today, baseUrl: BASE_URL };

  async function loop(dots: readonly number[]): Promise<number> {
    let bytes = 0;
    for (const dot of dots) {
      const performance = { ...context, reader, finish: JSON.stringify };
      bytes += (await perform(lookupCarrier, { dot: String(dot) }, performance)).answer.length;
    }
    return bytes;
  }

  async function batch(): Promise<number> {
    const items = await reader.use((snapshot) => findItems(dots!, { ...context, snapshot }));
    return JSON.stringify(items).length;
  }

  async function job(kv: Kv): Promise<number> {
    const { app } = assemble({
      kv,
      clock,
      reader,
      source,
      storeInPlace: () => Promise.resolve(),
      countIn: null,
      proxyHops: 0,
      sharedCache: false,
      mailer: null,
      sleep,
      baseUrl: BASE_URL,
      log: note,
    });
    const created = await app.fetch(
      new Request(`${BASE_URL}/api/v1/jobs`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ dots: dots!.map(String) }),
      }),
    );
    const results = await app.fetch(
      new Request(created.headers.get("location")!, { headers: { "Accept-Encoding": "gzip" } }),
    );
    let bytes = 0;
    for await (const part of results.body!) bytes += part.length;
    return bytes;
  }

  const folder = await Deno.makeTempDir();
  const kv = new DenoKv(`${folder}/kv`);
  const counted: Kv = {
    get: (keys) => kv.get(keys),
    list: (prefix, options) => kv.list(prefix, options),
    commit(commit: KvCommit) {
      cost.commits++;
      return kv.commit(commit);
    },
  };
  try {
    await kv.get([["opens"]]);
    const part = Math.ceil(warm!.length / WARMERS);
    await Promise.all(
      Array.from({ length: WARMERS }, (_, i) => loop(warm!.slice(i * part, (i + 1) * part))),
    );
    Object.assign(cost, { commits: 0, reads: 0, bytesRead: 0 });
    const before = await residentBytes();
    const cpu = ownCpuSeconds();
    const start = performance.now();
    const bytesOut = task === "loop"
      ? await loop(dots!)
      : task === "batch"
      ? await batch()
      : await job(counted);
    const seconds = (performance.now() - start) / 1000;
    return {
      seconds,
      cpuSeconds: ownCpuSeconds() - cpu,
      ...cost,
      bytesOut,
      growthBytes: Math.max(0, peakBytes() - before),
    };
  } finally {
    await kv.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Resident memory now; {@link peakBytes} starts again from here. Linux only. */
async function residentBytes(): Promise<number> {
  await Deno.writeTextFile("/proc/self/clear_refs", "5").catch(() => {});
  return peakBytes();
}

const [task, snapshot, file] = Deno.args;
print(JSON.stringify(await main(task as BulkTask, snapshot!, file!)));
