/**
 * Checks a snapshot through the service's reader: all of it, or a sample of what was published.
 *
 * @module
 */

import { forEach } from "../concurrency.ts";
import { lacksSearch } from "../snapshot/chain.ts";
import { fnv1a, mix } from "../mix.ts";
import { lookUpFailures } from "../search/query/golden.ts";
import {
  listContents,
  type ListedObject,
  readObject,
  readSound,
  type SnapshotContents,
} from "../snapshot/contents.ts";
import { type Manifest, parsePointer, type PointerEntry } from "../snapshot/manifest.ts";
import { POINTER_PATH } from "../snapshot/paths.ts";
import { type Snapshot, SnapshotReader } from "../snapshot/reader.ts";
import type { CarrierRecord } from "../snapshot/record/record.ts";
import {
  decodeCarrierRows,
  decodeCarriers,
  decodeDockets,
  type DocketShard,
} from "../snapshot/record/shards.ts";
import type { Source } from "../snapshot/source.ts";
import { messageOf } from "../text.ts";
import { chainProblems, entryInChain } from "./held_chain.ts";

export interface Verification {
  snapshot: string;
  /** Whether gc removed its search index because it is old. */
  isWithoutSearch: boolean;
  objects: number;
  /** Compressed bytes of all shards read. */
  bytes: number;
  carriers: number;
  /** What is wrong and where, at most {@link MAX_PROBLEMS} lines; empty for a good snapshot. */
  problems: string[];
}

/** Problems listed before verification gives up on the snapshot. */
export const MAX_PROBLEMS = 100;

/** Carriers looked up again after all shards were read. */
export const GOLDEN_LOOKUPS = 50;

const AT_ONCE = 16;

/** Verifies the snapshot that `current.json` of a source points to, or another one `of` its chain. */
export async function verifySnapshot(
  source: Source,
  { of, onProgress, signal }: {
    of?: string | undefined;
    onProgress?: (done: number, total: number) => void;
    signal?: AbortSignal;
  } = {},
): Promise<Verification> {
  const problems: string[] = [];
  const result: Verification = {
    snapshot: "",
    isWithoutSearch: false,
    objects: 0,
    bytes: 0,
    carriers: 0,
    problems,
  };
  async function attempt(work: () => Promise<void>): Promise<void> {
    await work().catch((error) => problems.push(messageOf(error)));
  }
  await attempt(async () => {
    const pointer = parsePointer(await readObject(source, POINTER_PATH));
    const entry = of === undefined ? pointer : await entryInChain(source, { pointer, id: of });
    result.snapshot = entry.snapshot;
    const mayLackSearch = lacksSearch(entry.data_date, pointer.data_date);
    const { manifest, objects } = await listContents(source, entry);
    const tally = new Tally();
    const removed = new Set<Part>();
    const golden: CarrierRecord[] = [];
    const step = Math.max(1, Math.floor(manifest.counts.carriers / GOLDEN_LOOKUPS));

    async function verifyObject(object: ListedObject): Promise<void> {
      const part = partOf(object);
      if (part && mayLackSearch && (removed.has(part) || await source.get(object.path) === null)) {
        removed.add(part);
        return;
      }
      const bytes = await readSound(source, object);
      result.objects++;
      result.bytes += bytes.length;
      if (part) tally.add(`${part}.bytes`, bytes.length);
      const { path, shard: at } = object;
      if (at === undefined) return;
      const { family, shard } = at;
      const range = { shard, width: manifest.families[family].width };
      try {
        if (family === "dockets") tally.addDockets((await decodeDockets(bytes, range)).value);
        else {
          const { records, left } = await decodeCarrierRows(bytes, range);
          tally.add("counts.left", left.length);
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
      await attempt(() => verifyObject(object));
      onProgress?.(result.objects, objects.length);
    });
    result.carriers = tally.of("counts.carriers");
    result.isWithoutSearch = removed.has("search");
    problems.push(...await chainProblems(source, { entry, manifest }));
    // Totals over missing or damaged objects would only repeat their problems.
    if (problems.length > 0) return;
    const byName = !result.isWithoutSearch;
    problems.push(...tally.compare(manifest, removed));
    const name = { id: entry.snapshot, manifestSha256: entry.manifest_sha256 };
    const lookUp = (snapshot: Snapshot) => lookUpAll(snapshot, golden, { byName });
    problems.push(...await new SnapshotReader(source).useOf(name, lookUp));
  });
  signal?.throwIfAborted();
  problems.length = Math.min(problems.length, MAX_PROBLEMS);
  return result;
}

/** A part that gc removes from an old snapshot. It may have stopped before it removed all objects. */
const PARTS = ["search", "export"] as const;

type Part = typeof PARTS[number];

function partOf({ path }: ListedObject): Part | undefined {
  return PARTS.find((part) => path.includes(`/${part}/`));
}

/** Objects whose hashes are compared, and carriers that are looked up. */
const SAMPLE_SIZE = 50;
const SAMPLED_AT_ONCE = 8;

/**
 * Compares a sample of a published snapshot with what was built, and looks up carriers by number, docket
 * and name through the reader that the service uses.
 *
 * @throws {Error} Says what is wrong with the data that readers would get.
 */
export async function readBack(
  { snapshot, manifest_sha256 }: PointerEntry,
  { contents, built, published, signal }: {
    contents: SnapshotContents;
    built: Source;
    /** Where readers will find the snapshot. */
    published: Source;
    signal: AbortSignal;
  },
): Promise<void> {
  const records = await pickRecords(built, contents);
  try {
    await compareSample(published, contents, signal);
    const problems = await new SnapshotReader(published).useOf(
      { id: snapshot, manifestSha256: manifest_sha256 },
      (snapshot) => lookUpAll(snapshot, records),
    );
    if (problems.length > 0) throw new Error(problems.slice(0, 3).join("; "));
  } catch (cause) {
    signal.throwIfAborted();
    throw new Error(
      `Cannot publish: read back from ${published.name}: ${
        messageOf(cause)
      }. The pointer was not ` +
        "moved. Is that the address of this target, and does it serve the bytes as they are?",
      { cause },
    );
  }
}

/**
 * Compares objects from all over a snapshot with their hashes, and all documents.
 *
 * @throws {BrokenObject} Names the first that is missing or different.
 */
export async function compareSample(
  published: Source,
  { objects }: SnapshotContents,
  signal: AbortSignal,
): Promise<void> {
  const documents = objects.filter(({ by }) => by !== "SHA256SUMS");
  // The export is hundreds of megabytes; the store compared it with its hash.
  const small = objects.filter(({ path }) => !path.includes("/export/"));
  const sample = new Set([...documents, ...spread(small)]);
  await forEach([...sample], { atOnce: SAMPLED_AT_ONCE, signal }, async (object, stop) => {
    await readSound(published, object, stop);
  });
}

async function pickRecords(
  built: Source,
  { manifest: { families }, objects }: SnapshotContents,
): Promise<CarrierRecord[]> {
  const { width } = families.carriers;
  const records: CarrierRecord[] = [];
  for (const { path, shard } of spread(objects.filter(isCarrierShard))) {
    const range = { shard: shard!.shard, width };
    records.push(...await decodeCarriers(await readObject(built, path), range));
  }
  return spread(records);
}

function isCarrierShard({ shard }: ListedObject): boolean {
  return shard?.family === "carriers";
}

/** At most {@link SAMPLE_SIZE} of the items, evenly spaced. */
function spread<T>(items: readonly T[]): T[] {
  const step = Math.max(1, Math.ceil(items.length / SAMPLE_SIZE));
  return items.filter((_, i) => i % step === 0);
}

/** Looks up carriers as the service does. Returns the failures, in words. */
async function lookUpAll(
  snapshot: Snapshot,
  records: readonly CarrierRecord[],
  options?: { byName: boolean },
): Promise<string[]> {
  const problems: string[] = [];
  for (const record of records) problems.push(...await lookUpFailures(snapshot, record, options));
  return problems;
}

/** What a record contributes to each count of the manifest. */
const COUNTS: {
  [name in Exclude<keyof Manifest["counts"], "left">]-?: (record: CarrierRecord) => number;
} = {
  carriers: () => 1,
  active: ({ status }) => Number(status === "A"),
  inactive: ({ status }) => Number(status === "I"),
  pending: ({ status }) => Number(status === "P"),
  dockets: ({ dockets = [] }) => dockets.length,
  inspections: ({ inspections }) => inspections?.total ?? 0,
  carriers_inspected: ({ inspections }) => Number(inspections !== undefined),
  orders: ({ orders = [], orders_total = orders.length }) => orders_total,
};

/** Counts the contents of the shards, under the manifest's names. */
class Tally {
  readonly #found = new Map<string, number>();
  // Number of dockets in all records minus those in the index, and the same for their hashes modulo 2^32:
  // both are 0 when records and index have the same pairs of docket and carrier.
  #dockets = 0;
  #pairs = 0;

  add(name: string, count: number): void {
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

  /** Where the counts differ from the manifest, in words. Those of removed parts are not compared. */
  compare(
    { counts, families: { carriers, dockets }, ...parts }: Manifest,
    removed: ReadonlySet<Part>,
  ): string[] {
    const said: Record<string, number> = {
      "counts.left": 0,
      "counts.orders": 0,
      ...Object.fromEntries(Object.entries(counts).map(([name, n]) => [`counts.${name}`, n])),
      "families.carriers.items": carriers.items,
      "families.carriers.bytes": carriers.bytes,
      "families.dockets.items": dockets.items,
      "families.dockets.bytes": dockets.bytes,
    };
    for (const part of PARTS) {
      if (!removed.has(part)) said[`${part}.bytes`] = parts[part]?.bytes ?? 0;
    }
    const problems = Object.entries(said).filter(([name, n]) => this.of(name) !== n)
      .map(([name, n]) => `The manifest's ${name} is ${n}, the shards have ${this.of(name)}`);
    if (this.#dockets !== 0 || this.#pairs !== 0) {
      problems.push("The docket index does not match the dockets of the carrier records");
    }
    return problems;
  }
}

function pairHash(prefix: string, number: number, dot: number): number {
  return mix(fnv1a(prefix), number, dot);
}
