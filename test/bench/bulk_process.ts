/**
 * One bulk lookup in its own process: `bulk_process.ts TASK SNAPSHOT FILE`, where the file has
 * `{warm, dots}`. Prints a {@link BulkCost} as JSON.
 *
 * @module
 */

import { findItems } from "../../api/operations/batch.ts";
import { lookupCarrier } from "../../api/operations/lookup.ts";
import { perform } from "../../api/operations/operation.ts";
import { DenoKv } from "../../api/state/deno_kv.ts";
import { newYorkToday } from "../../api/rules/new_york.ts";
import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { note, print } from "../../pipeline/io.ts";
import { sleep } from "../../pipeline/retry.ts";
import { openSource } from "../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { BASE_URL, testApp } from "../api/http/service.ts";
import { ownCpuSeconds, peakBytes } from "./processes.ts";

/** The costs of a run. */
export interface BulkCost {
  seconds: number;
  cpuSeconds: number;
  /** Bytes of the snapshot's objects. */
  bytesRead: number;
  /** Output bytes: JSON, gzipped for a job. */
  bytesOut: number;
  /** Peak resident memory minus that before; NaN where the system does not report it. */
  growthBytes: number;
}

/** Concurrent lookups during warm-up. */
const WARMERS = 32;

const [task, snapshot, file] = Deno.args as ["loop" | "batch" | "job", string, string];
const { warm, dots }: Record<"warm" | "dots", number[]> = JSON.parse(await Deno.readTextFile(file));
let bytesRead = 0;
const { name, get } = openSource(snapshot);
const source = {
  name,
  async get(path: string, signal?: AbortSignal) {
    const bytes = await get(path, signal);
    bytesRead += bytes?.length ?? 0;
    return bytes;
  },
};
const clock = SYSTEM_CLOCK;
const reader = new SnapshotReader(source, { clock });
const context = { today: newYorkToday(clock.now()), baseUrl: BASE_URL };
const folder = await Deno.makeTempDir();
const kv = new DenoKv(`${folder}/kv`);

/** Each returns the number of output bytes. */
const TASKS = {
  loop: () => lookUp(dots),

  async batch() {
    const items = await reader.use((snapshot) => findItems(dots, { ...context, snapshot }));
    return JSON.stringify(items).length;
  },

  async job() {
    const { app } = testApp({ kv, clock, reader, source, sleep, countIn: null, log: note });
    const created = await app.fetch(
      new Request(`${BASE_URL}/api/v1/jobs`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ dots: dots.map(String) }),
      }),
    );
    const results = await app.fetch(
      new Request(created.headers.get("location")!, { headers: { "Accept-Encoding": "gzip" } }),
    );
    let bytes = 0;
    for await (const part of results.body!) bytes += part.length;
    return bytes;
  },
};

await kv.get([["opens"]]);
const part = Math.ceil(warm.length / WARMERS);
await Promise.all(
  Array.from({ length: WARMERS }, (_, i) => lookUp(warm.slice(i * part, (i + 1) * part))),
);
bytesRead = 0;
// On Linux, peak memory counts from here.
await Deno.writeTextFile("/proc/self/clear_refs", "5").catch(() => {});
const before = peakBytes();
const cpu = ownCpuSeconds();
const start = performance.now();
const bytesOut = await TASKS[task]();
const cost: BulkCost = {
  seconds: (performance.now() - start) / 1000,
  cpuSeconds: ownCpuSeconds() - cpu,
  bytesRead,
  bytesOut,
  growthBytes: Math.max(0, peakBytes() - before),
};
await kv.close();
await Deno.remove(folder, { recursive: true });
print(JSON.stringify(cost));

async function lookUp(dots: readonly number[]): Promise<number> {
  let bytes = 0;
  for (const dot of dots) {
    const options = { ...context, reader, finish: JSON.stringify };
    bytes += (await perform(lookupCarrier, { dot: String(dot) }, options)).answer.length;
  }
  return bytes;
}
