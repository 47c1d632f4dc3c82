/**
 * Re-reads a whole snapshot as the service would and holds it against its manifest.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { GoldenRecords } from "../search/query/golden.ts";
import {
  expectedObjects,
  parseSums,
  readListed,
  readManifest,
  readObject,
  sha256Hex,
} from "./contents.ts";
import { type Manifest, parsePointer, POINTER_PATH, snapshotPath } from "./manifest.ts";
import { SnapshotReader } from "./reader.ts";
import {
  type CarrierShard,
  decodeCarriers,
  decodeDockets,
  type DocketShard,
  isRecord,
} from "./shards.ts";
import type { Source } from "./source.ts";

/** How to verify. */
export interface VerifyOptions {
  clock: Clock;
  /** Objects read at once. @default {16} */
  concurrency?: number;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** What a verification found. */
export interface Verification {
  snapshot: string;
  objects: number;
  /** Compressed bytes of all shards read. */
  bytes: number;
  carriers: number;
  /** What is wrong where, at most {@link MAX_PROBLEMS} lines; empty for a sound snapshot. */
  problems: string[];
}

/** Problems listed before a verification gives up: the snapshot is lost then. */
export const MAX_PROBLEMS = 100;

/** Verifies the snapshot that `current.json` of a source points to. */
export async function verifySnapshot(
  source: Source,
  options: VerifyOptions,
): Promise<Verification> {
  const problems: string[] = [];
  const result: Verification = { snapshot: "", objects: 0, bytes: 0, carriers: 0, problems };
  const pointer = await attempt(
    problems,
    async () => parsePointer(await readObject(source, POINTER_PATH)),
  );
  if (pointer === undefined) return result;
  result.snapshot = pointer.snapshot;
  const manifest = await attempt(problems, () => readManifest(source, pointer));
  if (manifest === undefined) return result;
  const root = snapshotPath(pointer.snapshot);
  const sums = await attempt(problems, async () => {
    const bytes = await readListed(source, { root, manifest, name: "SHA256SUMS" });
    return parseSums(new TextDecoder().decode(bytes));
  });
  await attempt(problems, () => readListed(source, { root, manifest, name: "report.json" }));
  if (sums === undefined) return result;
  const tally = new Tally();
  const golden = new GoldenRecords(manifest.counts.carriers);
  const objects = expectedObjects(manifest, { sums, problems });
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < objects.length && problems.length < MAX_PROBLEMS) {
      options.signal?.throwIfAborted();
      const object = objects[next++]!;
      await attempt(problems, async () => {
        const bytes = await readObject(source, `${root}/${object.path}`);
        result.objects++;
        result.bytes += bytes.length;
        if (await sha256Hex(bytes) !== object.sha256) {
          throw new Error(
            `"${root}/${object.path}" is not what SHA256SUMS says (${bytes.length} bytes)`,
          );
        }
        if (object.shard === undefined) return tally.addSearchFile(bytes.length);
        const { family, shard } = object.shard;
        const range = { shard, width: manifest.families[family].width };
        const decode = family === "carriers" ? decodeCarriers : decodeDockets;
        const { value } = await decode(bytes, range).catch((error) => {
          throw new Error(`"${object.path}": ${error instanceof Error ? error.message : error}`);
        });
        tally.addBytes(family, bytes.length);
        if (family === "carriers") {
          const bad = (value as CarrierShard).find((record) => !isRecord(record));
          if (bad) throw new Error(`"${object.path}": record ${bad.dot} is malformed`);
          tally.addCarriers(value as CarrierShard);
          golden.offer(value as CarrierShard);
        } else {
          tally.addDockets(value as DocketShard);
        }
      });
      options.onProgress?.(result.objects, objects.length);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 16 }, worker));
  result.carriers = tally.counts.carriers;
  // Sums over objects that are missing or broken would only repeat what was said of those.
  if (problems.length === 0) {
    problems.push(...tally.compare(manifest));
    await attempt(problems, async () => {
      problems.push(...await golden.lookUp(new SnapshotReader(source, options), pointer));
    });
  }
  problems.length = Math.min(problems.length, MAX_PROBLEMS);
  return result;
}

async function attempt<T>(problems: string[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw error;
    problems.push(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** Counts of all shards read so far. */
export class Tally {
  readonly counts: Manifest["counts"] = {
    carriers: 0,
    active: 0,
    inactive: 0,
    pending: 0,
    dockets: 0,
    inspections: 0,
    carriers_inspected: 0,
  };
  #bytes = { carriers: 0, dockets: 0 };
  #search = { objects: 0, bytes: 0 };
  #docketNumbers = 0;
  #indexedDockets = 0;
  // Sums of hashes: equal when records and index hold the same pairs of docket and carrier.
  #recordPairs = 0;
  #indexPairs = 0;

  addBytes(family: keyof Manifest["families"], bytes: number): void {
    this.#bytes[family] += bytes;
  }

  addSearchFile(bytes: number): void {
    this.#search.objects++;
    this.#search.bytes += bytes;
  }

  addCarriers(records: CarrierShard): void {
    const { counts } = this;
    for (const { dot, status, dockets = [], inspections } of records) {
      counts.carriers++;
      if (status === "A") counts.active++;
      else if (status === "I") counts.inactive++;
      else counts.pending++;
      counts.dockets += dockets.length;
      counts.inspections += inspections?.total ?? 0;
      if (inspections) counts.carriers_inspected++;
      for (const { prefix, number } of dockets) {
        this.#recordPairs = (this.#recordPairs + pairHash(prefix, number, dot)) >>> 0;
      }
    }
  }

  addDockets(shard: DocketShard): void {
    for (const [prefix, numbers] of Object.entries(shard)) {
      for (const [number, dots] of Object.entries(numbers)) {
        this.#docketNumbers++;
        this.#indexedDockets += dots.length;
        for (const dot of dots) {
          this.#indexPairs = (this.#indexPairs + pairHash(prefix, Number(number), dot)) >>> 0;
        }
      }
    }
  }

  /** Where the counts are not those of the manifest, in words. */
  compare(manifest: Manifest): string[] {
    const { carriers, dockets } = manifest.families;
    const expected: [what: string, found: number, said: number][] = [
      ...Object.entries(this.counts).map(([name, count]) =>
        [`counts.${name}`, count, manifest.counts[name as keyof Manifest["counts"]]] as [
          string,
          number,
          number,
        ]
      ),
      ["families.carriers.items", this.counts.carriers, carriers.items],
      ["families.carriers.bytes", this.#bytes.carriers, carriers.bytes],
      ["families.dockets.items", this.#docketNumbers, dockets.items],
      ["families.dockets.bytes", this.#bytes.dockets, dockets.bytes],
      ["search.objects", this.#search.objects, manifest.search?.objects ?? 0],
      ["search.bytes", this.#search.bytes, manifest.search?.bytes ?? 0],
    ];
    const problems = expected.filter(([, found, said]) => found !== said)
      .map(([what, found, said]) => `The manifest's ${what} is ${said}, the shards hold ${found}`);
    if (this.#indexedDockets !== this.counts.dockets || this.#recordPairs !== this.#indexPairs) {
      problems.push("The docket index does not hold the dockets of the carrier records");
    }
    return problems;
  }
}

function pairHash(prefix: string, number: number, dot: number): number {
  let hash = Math.imul(number, 0x9e3779b1) ^ Math.imul(dot, 0x85ebca6b);
  for (let i = 0; i < prefix.length; i++) hash = Math.imul(hash ^ prefix.charCodeAt(i), 0xc2b2ae35);
  return (hash ^ (hash >>> 15)) >>> 0;
}
