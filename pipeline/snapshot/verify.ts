/**
 * Re-reads a whole snapshot as the service would and compares it with its manifest.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { forEach } from "../concurrency.ts";
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

const AT_ONCE = 16;

/** Verifies the snapshot that `current.json` of a source points to. */
export async function verifySnapshot(
  source: Source,
  { clock, lookUp, onProgress, signal }: VerifyOptions,
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
  const golden: CarrierRecord[] = [];
  const step = Math.max(1, Math.floor(manifest.counts.carriers / GOLDEN_LOOKUPS));
  const objects = expectedObjects(manifest, { sums, problems });

  async function verifyObject({ path, sha256, shard: of }: ExpectedObject): Promise<void> {
    const bytes = await readObject(source, `${root}/${path}`);
    result.objects++;
    result.bytes += bytes.length;
    await checkSha256(`${root}/${path}`, { bytes, sha256, by: "SHA256SUMS" });
    if (of === undefined) {
      tally.add("search.objects");
      return tally.add("search.bytes", bytes.length);
    }
    const { family, shard } = of;
    const range = { shard, width: manifest!.families[family].width };
    try {
      if (family === "dockets") tally.addDockets((await decodeDockets(bytes, range)).value);
      else {
        const records = await decodeCarriers(bytes, range);
        const seen = tally.of("counts.carriers");
        tally.addCarriers(records);
        golden.push(...records.filter((_, i) => (seen + i) % step === 0));
      }
    } catch (error) {
      throw new Error(`"${path}": ${messageOf(error)}`);
    }
    tally.add(`families.${family}.bytes`, bytes.length);
  }

  await forEach(objects, { atOnce: AT_ONCE, signal }, async (object) => {
    if (problems.length >= MAX_PROBLEMS) return;
    await attempt(problems, () => verifyObject(object));
    onProgress?.(result.objects, objects.length);
  });
  result.carriers = tally.of("counts.carriers");
  // Sums over objects that are missing or broken would only repeat their problems.
  if (problems.length === 0) {
    problems.push(...tally.compare(manifest));
    await attempt(problems, () =>
      new SnapshotReader(source, { clock }).use(async (snapshot) => {
        if (snapshot.id !== pointer.snapshot) return; // The pointer moved
        problems.push(...await lookUpAll(golden, { snapshot, lookUp }));
      }));
  }
  problems.length = Math.min(problems.length, MAX_PROBLEMS);
  return result;
}

async function attempt<T>(problems: string[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    problems.push(messageOf(error));
    return undefined;
  }
}

/** Looks records up in one snapshot; returns what fails, in words. */
export async function lookUpAll(
  records: readonly CarrierRecord[],
  { snapshot, lookUp }: { snapshot: Snapshot; lookUp: LookUp },
): Promise<string[]> {
  const problems: string[] = [];
  for (const record of records) problems.push(...await lookUp(snapshot, record));
  return problems;
}

/** What a record adds to each count of the manifest. */
const COUNTS: Record<keyof Manifest["counts"], (record: CarrierRecord) => number> = {
  carriers: () => 1,
  active: ({ status }) => Number(status === "A"),
  inactive: ({ status }) => Number(status === "I"),
  pending: ({ status }) => Number(status === "P"),
  dockets: ({ dockets = [] }) => dockets.length,
  inspections: ({ inspections }) => inspections?.total ?? 0,
  carriers_inspected: ({ inspections }) => Number(inspections !== undefined),
};

/** Counts what the shards contain, under the manifest's names for it. */
class Tally {
  readonly #found = new Map<string, number>();
  // Dockets of all records less those of the index, and the same of their hashes modulo 2^32: 0 when both
  // have the same pairs of docket and carrier.
  #dockets = 0;
  #pairs = 0;

  add(name: string, count = 1): void {
    this.#found.set(name, this.of(name) + count);
  }

  of(name: string): number {
    return this.#found.get(name) ?? 0;
  }

  addCarriers(records: readonly CarrierRecord[]): void {
    this.add("families.carriers.items", records.length);
    for (const [name, count] of Object.entries(COUNTS)) {
      this.add(`counts.${name}`, records.reduce((sum, record) => sum + count(record), 0));
    }
    for (const { dot, dockets = [] } of records) {
      this.#dockets += dockets.length;
      for (const { prefix, number } of dockets) {
        this.#pairs = (this.#pairs + pairHash(prefix, number, dot)) >>> 0;
      }
    }
  }

  addDockets(shard: DocketShard): void {
    for (const [prefix, numbers] of Object.entries(shard)) {
      this.add("families.dockets.items", Object.keys(numbers).length);
      for (const [number, dots] of Object.entries(numbers)) {
        this.#dockets -= dots.length;
        for (const dot of dots) {
          this.#pairs = (this.#pairs - pairHash(prefix, Number(number), dot)) >>> 0;
        }
      }
    }
  }

  /** Where the counts are not those of the manifest, in words. */
  compare({ counts, families: { carriers, dockets }, search }: Manifest): string[] {
    const said: Record<string, number> = {
      ...Object.fromEntries(Object.entries(counts).map(([name, n]) => [`counts.${name}`, n])),
      "families.carriers.items": carriers.items,
      "families.carriers.bytes": carriers.bytes,
      "families.dockets.items": dockets.items,
      "families.dockets.bytes": dockets.bytes,
      "search.objects": search?.objects ?? 0,
      "search.bytes": search?.bytes ?? 0,
    };
    const problems = Object.entries(said).filter(([name, n]) => this.of(name) !== n)
      .map(([name, n]) => `The manifest's ${name} is ${n}, the shards have ${this.of(name)}`);
    if (this.#dockets !== 0 || this.#pairs !== 0) {
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
