/**
 * Checks all objects of a snapshot, and looks up carriers through the service's reader.
 *
 * @module
 */

import { forEach } from "../concurrency.ts";
import { lacksSearch } from "../snapshot/chain.ts";
import { fnv1a, mix } from "../mix.ts";
import { lookUpFailures } from "../search/query/golden.ts";
import { listContents, type ListedObject, readObject, readSound } from "../snapshot/contents.ts";
import { type Manifest, parsePointer } from "../snapshot/manifest.ts";
import { POINTER_PATH } from "../snapshot/paths.ts";
import { type Snapshot, SnapshotReader } from "../snapshot/reader.ts";
import type { CarrierRecord } from "../snapshot/record/record.ts";
import { decodeCarrierRows, decodeDockets, type DocketShard } from "../snapshot/record/shards.ts";
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
  const note = (error: unknown): void => void problems.push(messageOf(error));
  try {
    const pointer = parsePointer(await readObject(source, POINTER_PATH));
    const entry = of === undefined ? pointer : await entryInChain(source, { pointer, id: of });
    result.snapshot = entry.snapshot;
    const { manifest, objects } = await listContents(source, entry);
    const mayLackSearch = lacksSearch(entry.data_date, pointer.data_date);
    const check = new ObjectCheck(source, { manifest, mayLackSearch, result });
    await forEach(objects, { atOnce: AT_ONCE, signal }, async (object) => {
      if (problems.length >= MAX_PROBLEMS) return;
      await check.add(object).catch(note);
      onProgress?.(result.objects, objects.length);
    });
    const { tally, golden } = check;
    result.carriers = tally.of("counts.carriers");
    result.isWithoutSearch = check.removed.has("search");
    problems.push(...await chainProblems(source, { entry, manifest }));
    // Totals over missing or damaged objects would only repeat their problems.
    if (problems.length === 0) {
      problems.push(...tally.compare(manifest, check.removed));
      const byName = !result.isWithoutSearch;
      const lookUp = (snapshot: Snapshot) => lookUpAll(snapshot, golden, { byName });
      const name = { id: entry.snapshot, manifestSha256: entry.manifest_sha256 };
      problems.push(...await new SnapshotReader(source).useOf(name, lookUp));
    }
  } catch (error) {
    note(error);
  }
  signal?.throwIfAborted();
  problems.length = Math.min(problems.length, MAX_PROBLEMS);
  return result;
}

/** Reads the objects of a snapshot and counts them and their contents. */
class ObjectCheck {
  readonly tally = new Tally();
  /** The parts of which gc removed at least one object. */
  readonly removed = new Set<Part>();
  /** Evenly spaced carriers, to look up again. */
  readonly golden: CarrierRecord[] = [];
  readonly #source: Source;
  readonly #manifest: Manifest;
  readonly #mayLackSearch: boolean;
  readonly #result: Verification;
  readonly #step: number;

  constructor(source: Source, { manifest, mayLackSearch, result }: {
    manifest: Manifest;
    /** Whether gc may have removed the search index and the export. */
    mayLackSearch: boolean;
    result: Verification;
  }) {
    this.#source = source;
    this.#manifest = manifest;
    this.#mayLackSearch = mayLackSearch;
    this.#result = result;
    this.#step = Math.max(1, Math.floor(manifest.counts.carriers / GOLDEN_LOOKUPS));
  }

  /** @throws {Error} When the object is missing or damaged. */
  async add(object: ListedObject): Promise<void> {
    const part = partOf(object);
    if (part && this.#mayLackSearch && await this.#wasRemoved(part, object)) return;
    const bytes = await readSound(this.#source, object);
    this.#result.objects++;
    this.#result.bytes += bytes.length;
    if (part) this.tally.add(`${part}.bytes`, bytes.length);
    if (object.shard === undefined) return;
    await this.#addShard(bytes, object.shard).catch((error) => {
      throw new Error(`"${object.path}": ${messageOf(error)}`);
    });
  }

  async #wasRemoved(part: Part, { path }: ListedObject): Promise<boolean> {
    if (!this.removed.has(part) && await this.#source.get(path) !== null) return false;
    this.removed.add(part);
    return true;
  }

  async #addShard(
    bytes: Uint8Array<ArrayBuffer>,
    { family, shard }: NonNullable<ListedObject["shard"]>,
  ): Promise<void> {
    const { tally, golden } = this;
    const range = { shard, width: this.#manifest.families[family].width };
    if (family === "dockets") tally.addDockets((await decodeDockets(bytes, range)).value);
    else {
      const { records, left } = await decodeCarrierRows(bytes, range);
      tally.add("counts.left", left.length);
      const seen = tally.of("counts.carriers");
      tally.addCarriers(records);
      golden.push(...records.filter((_, i) => (seen + i) % this.#step === 0));
    }
    tally.add(`families.${family}.bytes`, bytes.length);
  }
}

/** A part that gc removes from an old snapshot. It may have stopped before it removed all objects. */
const PARTS = ["search", "export"] as const;

type Part = typeof PARTS[number];

export function partOf({ path }: ListedObject): Part | undefined {
  return PARTS.find((part) => path.includes(`/${part}/`));
}

/** Looks up carriers as the service does. Returns the failures, in words. */
export async function lookUpAll(
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
