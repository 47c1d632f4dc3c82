/**
 * Two days of a small snapshot, and every kind of store to publish them to.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname } from "node:path";
import type { Clock } from "../../../pipeline/clock.ts";
import { folderStore } from "../../../pipeline/publish/folder_store.ts";
import { LEASE_PATH } from "../../../pipeline/publish/lease.ts";
import { openStore } from "../../../pipeline/publish/open_store.ts";
import { publish, type PublishOptions } from "../../../pipeline/publish/publish.ts";
import type { S3Patience } from "../../../pipeline/publish/s3_store.ts";
import type { Store } from "../../../pipeline/publish/store.ts";
import type { PastSnapshot } from "../../../pipeline/snapshot/chain.ts";
import { type Keeps, parsePointer, type Pointer } from "../../../pipeline/snapshot/manifest.ts";
import { POINTER_PATH } from "../../../pipeline/snapshot/paths.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { httpSource } from "../../../pipeline/snapshot/sources/http_source.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import type { Source } from "../../../pipeline/snapshot/source.ts";
import {
  buildFiles,
  censusCsv,
  censusRow,
  inspectionCsv,
  inspectionRow,
  tempDir,
  tree,
} from "../compile/files.ts";
import { MemorySource, NEVER_LATE, type Objects, putSnapshot, record } from "../snapshot/memory.ts";
import { BUCKET, KEYS, type S3Server, serveS3 } from "./s3_server.ts";

/** A built snapshot; a copy that may be modified. */
export interface Day {
  id: string;
  source: MemorySource;
}

/** Two snapshots; the second, of the next day, follows the first. */
export interface Days {
  first: Day;
  second: Day;
  dots: readonly number[];
}

/** USDOT numbers by dataset size; each carrier has one more power unit on the second day. */
const DOTS = { one: [1], small: [1, 150], usual: [1, 150, 250, 4250, 90_000_001] };
const FLEET = 50;

type Size = keyof typeof DOTS;

const built = new Map<string, Promise<Objects>>();

/** Both days, built once per process. Small ones have few objects, and no search index. */
export async function twoDays(size: Size = "usual"): Promise<Days> {
  const previous = await builtDay(0, { size });
  const second = await builtDay(1, { size, previous });
  // A fresh source: sources count their reads, and the build read from the previous one.
  return { first: await builtDay(0, { size }), second, dots: DOTS[size] };
}

/** The nth day's snapshot, which follows another one or begins a chain; built once per process. */
export async function builtDay(
  day: number,
  { size = "usual", previous }: { size?: Size | undefined; previous?: Day } = {},
): Promise<Day> {
  const key = `${size} ${day} ${previous?.id}`;
  const building = built.get(key) ?? buildDay(day, { size, previous });
  built.set(key, building);
  const objects = await building;
  return {
    id: parsePointer(objects.get(POINTER_PATH)!).snapshot,
    source: new MemorySource(new Map(objects)),
  };
}

async function buildDay(
  day: number,
  { size, previous }: { size: Size; previous: Day | undefined },
): Promise<Objects> {
  await using dir = await tempDir();
  const census = DOTS[size].map((dot) =>
    censusRow(dot, {
      POWER_UNITS: String(FLEET + day),
      DOCKET1PREFIX: "MC",
      DOCKET1: String(dot % 5000),
      DOCKET1_STATUS_CODE: "A",
    })
  );
  await buildFiles(dir.path, {
    census: censusCsv(census),
    inspections: inspectionCsv([inspectionRow(1, 150)]),
  }, {
    dataDate: dayAfter("2026-10-03", day),
    search: size === "usual",
    ...(previous && { previous: previous.source }),
  });
  const files = await tree(`${dir.path}/out`);
  return new Map([...files].map(([path, hex]) => [path.slice(1), Uint8Array.fromHex(hex)]));
}

/** The retention of the root in {@link chainObjects}. */
const CHAIN_KEEPS: Keeps = { days: 10, month_ends: 1 };

/** The snapshots of consecutive days, each named after its day, of one carrier with the day as its name. */
export function chainObjects(
  { first, days, without = [] }: { first: string; days: number; without?: string[] },
): { objects: Objects; chain: readonly PastSnapshot[]; keeps: Keeps } {
  const objects: Objects = new Map();
  let past: PastSnapshot[] = [];
  for (let n = 0; n < days; n++) {
    const day = dayAfter(first, n);
    if (without.includes(day)) continue;
    const carriers = [record(7, { legal_name: day })];
    const more = { past, keeps: CHAIN_KEEPS, search: true, export: true };
    past = putSnapshot(objects, { id: day, dataDate: day, carriers, ...more });
  }
  return { objects, chain: past, keeps: CHAIN_KEEPS };
}

export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The name of {@link chainObjects}' carrier as a reader gets it for a day. */
export async function nameOn(reader: SnapshotReader, day: string): Promise<string | undefined> {
  return await reader.useAsOf(day, async (found) => (await found.carrier(7))?.legal_name);
}

/** Writes a snapshot root into a folder. */
export async function writeRoot(
  dir: string,
  { source }: { source: Pick<MemorySource, "objects"> },
): Promise<void> {
  for (const [path, bytes] of source.objects) {
    await Deno.mkdir(dirname(`${dir}/${path}`), { recursive: true });
    await Deno.writeFile(`${dir}/${path}`, bytes);
  }
}

/** A clock at a day after the build. It runs, and can be moved. */
export class MovedClock implements Clock {
  ahead = 0;

  now(): number {
    return Date.now() + this.ahead;
  }
}

/** Default options of publish() in tests. */
export function options(more: Partial<PublishOptions> = {}): PublishOptions {
  return { clock: new MovedClock(), owner: "a test", first: true, ...more };
}

/** Longer than a working server takes, even on a busy machine. */
const BUSY_MS = 600_000;

/** A server's bucket as a store that doesn't wait between retries. */
export function bucketStore(
  server: Pick<S3Server, "url">,
  { target = `s3://${BUCKET}`, env: changes = {}, ...patience }: S3Patience & {
    target?: string;
    env?: Record<string, string>;
  } = {},
): Store {
  const env: Record<string, string> = { ...s3Environment(server), ...changes };
  return openStore(target, {
    env: (name) => env[name],
    patience: { tries: 8, timeout: BUSY_MS, wait: () => Promise.resolve(), ...patience },
  });
}

/** The environment variables for a server. */
export function s3Environment({ url }: Pick<S3Server, "url">): Record<string, string> {
  return {
    S3_ENDPOINT: url,
    AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
  };
}

/** A bucket to which the first one or two days were published, and its pointer. */
export async function published(count: 0 | 1 | 2, size?: Size) {
  const days = await twoDays(size);
  const server = serveS3({ pageSize: 4 });
  const store = bucketStore(server);
  for (const { source } of [days.first, days.second].slice(0, count)) {
    await publish(source, store, options());
  }
  return {
    ...days,
    days,
    server,
    store,
    publish: ({ source }: Pick<Day, "source">, more: Partial<PublishOptions> = {}) =>
      publish(source, store, options(more)),
    pointer: (): Pointer => parsePointer(server.objects.get(POINTER_PATH)!.bytes),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Gives the lease of a bucket to another publisher. */
export function loseLease({ objects }: Pick<S3Server, "objects">): void {
  const stored = objects.get(LEASE_PATH)!;
  const record = { ...JSON.parse(new TextDecoder().decode(stored.bytes)), id: "another" };
  const bytes = new TextEncoder().encode(JSON.stringify(record));
  objects.set(LEASE_PATH, { ...stored, bytes, etag: '"another"' });
}

/** A store's objects below `s/` by path, with their bytes as text. */
export async function contentOf(store: Store): Promise<Map<string, string>> {
  const content = new Map<string, string>();
  for await (const { path } of store.list("s/")) {
    content.set(path, (await store.get(path))!.bytes.toHex());
  }
  return new Map([...content].sort());
}

/** The expected {@link contentOf} after a day is published. */
export function builtContent(...days: Day[]): Map<string, string> {
  const content = days.flatMap(({ source }) =>
    [...source.objects].filter(([path]) => path.startsWith("s/"))
      .map(([path, bytes]) => [path, bytes.toHex()] as const)
  );
  return new Map(content.sort());
}

/** A reader that polls for all carriers, and fails on a mixed snapshot. */
export function pollWhole(
  source: Source,
  { first, second, dots }: Days,
): { seen: string[]; stop: () => Promise<void> } {
  const seen: string[] = [];
  let isOver = false;
  const clock = new MovedClock();
  const reader = new SnapshotReader(source, {
    clock,
    pointerAge: 0,
    cacheBytes: 0,
    after: NEVER_LATE,
  });
  const polling = (async () => {
    while (!isOver) {
      const { id, records } = await reader.use(async (snapshot) => ({
        id: snapshot.id,
        records: await Promise.all(dots.map((dot) => snapshot.carrier(dot))),
      }));
      const day = [first.id, second.id].indexOf(id);
      assert.deepEqual(records.map((found) => found?.power_units), dots.map(() => FLEET + day));
      if (seen.at(-1) !== id) seen.push(id);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  polling.catch(() => {}); // Rethrown by stop()
  return {
    seen,
    async stop(): Promise<void> {
      isOver = true;
      await polling;
    },
  };
}

/** An empty target, and how readers find it. */
interface Target extends AsyncDisposable {
  store: Store;
  source: Source;
}

/** How to create each kind of target. */
export const TARGETS: Record<string, () => Target | Promise<Target>> = {
  async folder() {
    const dir = await tempDir();
    const root = `${dir.path}/public`;
    return { ...dir, store: folderStore(root), source: folderSource(root) };
  },
  "S3 with small pages": () => {
    const server = serveS3({ pageSize: 3 });
    const store = bucketStore(server, { target: `s3://${BUCKET}/fmcsa/v1` });
    const source = httpSource(store.name.replace("s3:/", server.url), {
      fetch,
      after: NEVER_LATE,
    });
    return { store, source, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
  },
};
