/**
 * Re-reads a whole snapshot as the service would and compares it with its manifest.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { messageOf } from "../text.ts";
import {
  checkSha256,
  type ExpectedObject,
  expectedObjects,
  parseSums,
  readListed,
  readManifest,
  readObject,
} from "./contents.ts";
import { type Manifest, parsePointer, POINTER_PATH, snapshotPath } from "./manifest.ts";
import { type Snapshot, SnapshotReader } from "./reader.ts";
import type { CarrierRecord } from "./record.ts";
import { decodeCarriers, decodeDockets, type DocketShard } from "./shards.ts";
import type { Source } from "./source.ts";

/** Looks a carrier up in a snapshot the way the service does; returns what fails, in words. */
type LookUp = (snapshot: Snapshot, record: CarrierRecord) => Promise<string[]>;

export interface VerifyOptions {
  clock: Clock;
  /** Applied to {@link GOLDEN_LOOKUPS} records when all objects were read. */
  lookUp: LookUp;
  /** Objects read at once. @default {16} */
  concurrency?: number;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

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

/** Carriers looked up again after all shards were read. */
export const GOLDEN_LOOKUPS = 50;

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
  const listed = (name: keyof Manifest["files"]) => readListed(source, { root, manifest, name });
  const sums = await attempt(problems, async () => parseSums(await listed("SHA256SUMS")));
  await attempt(problems, () => listed("report.json"));
  if (sums === undefined) return result;
  const tally = new Tally();
  const golden = new GoldenRecords(manifest.counts.carriers);
  const objects = expectedObjects(manifest, { sums, problems });

  async function verifyObject({ path, sha256, shard: of }: ExpectedObject): Promise<void> {
    const bytes = await readObject(source, `${root}/${path}`);
    result.objects++;
    result.bytes += bytes.length;
    await checkSha256(`${root}/${path}`, { bytes, sha256, by: "SHA256SUMS" });
    if (of === undefined) return tally.addSearchFile(bytes.length);
    const { family, shard } = of;
    const range = { shard, width: manifest!.families[family].width };
    try {
      if (family === "dockets") tally.addDockets((await decodeDockets(bytes, range)).value);
      else {
        const records = await decodeCarriers(bytes, range);
        tally.addCarriers(records);
        golden.offer(records);
      }
    } catch (error) {
      throw new Error(`"${path}": ${messageOf(error)}`);
    }
    tally.addBytes(family, bytes.length);
  }

  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < objects.length && problems.length < MAX_PROBLEMS) {
      options.signal?.throwIfAborted();
      const object = objects[next++]!;
      await attempt(problems, () => verifyObject(object));
      options.onProgress?.(result.objects, objects.length);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 16 }, worker));
  result.carriers = tally.counts.carriers;
  // Sums over objects that are missing or broken would only repeat their problems.
  if (problems.length === 0) {
    problems.push(...tally.compare(manifest));
    await attempt(problems, () =>
      new SnapshotReader(source, options).use(async (snapshot) => {
        if (snapshot.id !== pointer.snapshot) return; // The pointer moved
        problems.push(...await golden.lookUpIn(snapshot, options.lookUp));
      }));
  }
  problems.length = Math.min(problems.length, MAX_PROBLEMS);
  return result;
}

async function attempt<T>(problems: string[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw error;
    problems.push(messageOf(error));
    return undefined;
  }
}

/** Golden records: a few from all over a snapshot, to be looked up again. */
export class GoldenRecords {
  readonly #step: number;
  readonly #records: CarrierRecord[] = [];
  #seen = 0;

  /** @param carriers Records that will be offered. */
  constructor(carriers: number) {
    this.#step = Math.max(1, Math.floor(carriers / GOLDEN_LOOKUPS));
  }

  offer(records: readonly CarrierRecord[]): void {
    for (const record of records) {
      if (this.#seen++ % this.#step === 0) this.#records.push(record);
    }
  }

  /** Looks the records up in one snapshot; returns what fails, in words. */
  async lookUpIn(snapshot: Snapshot, lookUp: LookUp): Promise<string[]> {
    const problems: string[] = [];
    for (const record of this.#records) problems.push(...await lookUp(snapshot, record));
    return problems;
  }
}

/** Counts what the shards contain, to compare with what the manifest says. */
class Tally {
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
  // Sums of hashes: equal when records and index have the same pairs of docket and carrier.
  #recordPairs = 0;
  #indexPairs = 0;

  addBytes(family: keyof Manifest["families"], bytes: number): void {
    this.#bytes[family] += bytes;
  }

  addSearchFile(bytes: number): void {
    this.#search.objects++;
    this.#search.bytes += bytes;
  }

  addCarriers(records: readonly CarrierRecord[]): void {
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
  compare({ counts, families: { carriers, dockets }, search }: Manifest): string[] {
    const names = Object.keys(this.counts) as (keyof Manifest["counts"])[];
    const expected: [what: string, found: number, said: number][] = [
      ...names.map((name): [string, number, number] => [
        `counts.${name}`,
        this.counts[name],
        counts[name],
      ]),
      ["families.carriers.items", this.counts.carriers, carriers.items],
      ["families.carriers.bytes", this.#bytes.carriers, carriers.bytes],
      ["families.dockets.items", this.#docketNumbers, dockets.items],
      ["families.dockets.bytes", this.#bytes.dockets, dockets.bytes],
      ["search.objects", this.#search.objects, search?.objects ?? 0],
      ["search.bytes", this.#search.bytes, search?.bytes ?? 0],
    ];
    const problems = expected.filter(([, found, said]) => found !== said)
      .map(([what, found, said]) => `The manifest's ${what} is ${said}, the shards have ${found}`);
    if (this.#indexedDockets !== this.counts.dockets || this.#recordPairs !== this.#indexPairs) {
      problems.push("The docket index does not match the dockets of the carrier records");
    }
    return problems;
  }
}

function pairHash(prefix: string, number: number, dot: number): number {
  let hash = Math.imul(number, 0x9e3779b1) ^ Math.imul(dot, 0x85ebca6b);
  for (let i = 0; i < prefix.length; i++) hash = Math.imul(hash ^ prefix.charCodeAt(i), 0xc2b2ae35);
  return (hash ^ (hash >>> 15)) >>> 0;
}
