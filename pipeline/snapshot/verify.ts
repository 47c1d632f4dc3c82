/**
 * Re-reads a whole snapshot as the service would and holds it against its manifest.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { expectedObjects, readListed, readManifest, readObject } from "./contents.ts";
import { parsePointer } from "./documents.ts";
import { GoldenRecords } from "./golden.ts";
import { POINTER_PATH, snapshotPath } from "./manifest.ts";
import { SnapshotReader } from "./reader.ts";
import {
  type CarrierShard,
  decodeCarriers,
  decodeDockets,
  type DocketShard,
  isRecord,
} from "./shards.ts";
import type { Source } from "./source.ts";
import { parseSums, sha256Hex } from "./sums.ts";
import { Tally } from "./tally.ts";

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
