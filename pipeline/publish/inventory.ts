/**
 * The objects of a snapshot with their hashes, and the check that readers get them.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { forEach } from "../concurrency.ts";
import {
  expectedObjects,
  parseSums,
  readListed,
  readManifest,
  readObject,
  sha256Hex,
} from "../snapshot/contents.ts";
import { lookUpFailures } from "../search/query/golden.ts";
import { type Manifest, type PointerEntry, shardPath, snapshotPath } from "../snapshot/manifest.ts";
import { retryingSource } from "../snapshot/resilient_source.ts";
import { SnapshotReader } from "../snapshot/reader.ts";
import type { CarrierRecord } from "../snapshot/record.ts";
import { decodeCarriers } from "../snapshot/shards.ts";
import type { Source } from "../snapshot/source.ts";
import { lookUpAll } from "../snapshot/verify.ts";

/** An object and the hash of its bytes. */
export interface InventoryItem {
  /** Below the root. */
  path: string;
  sha256: string;
}

export interface Inventory {
  entry: PointerEntry;
  manifest: Manifest;
  manifestItem: InventoryItem;
  /** All but the manifest; the documents are the last. */
  items: InventoryItem[];
  /** Numbers of the carrier shards, ascending. */
  carrierShards: number[];
}

/**
 * Reads the documents of a snapshot and lists the objects it must have; reads no shard.
 *
 * @throws {Error} When a document is missing or damaged, or two do not agree.
 */
export async function takeInventory(source: Source, entry: PointerEntry): Promise<Inventory> {
  const manifest = await readManifest(source, entry);
  const root = snapshotPath(entry.snapshot);
  const bytes = await readListed(source, { root, manifest, name: "SHA256SUMS" });
  const sums = parseSums(bytes);
  const problems: string[] = [];
  const expected = expectedObjects(manifest, { sums, problems });
  const files = expected.filter(({ shard }) => shard === undefined).length;
  if (files !== (manifest.search?.objects ?? 0)) {
    problems.push(
      `SHA256SUMS lists ${files} files of the search index, the manifest another number`,
    );
  }
  if (problems.length > 0) throw new Error(`${root}: ${problems[0]}`);
  const items = [
    ...expected,
    ...Object.entries(manifest.files).map(([path, { sha256 }]) => ({ path, sha256 })),
  ].map(({ path, sha256 }) => ({ path: `${root}/${path}`, sha256 }));
  return {
    entry,
    manifest,
    manifestItem: { path: `${root}/manifest.json`, sha256: entry.manifest_sha256 },
    items,
    carrierShards: expected.flatMap(({ shard }) => shard?.family === "carriers" ? shard.shard : []),
  };
}

/** Objects whose hashes are compared, and carriers that are looked up. */
const SAMPLE_SIZE = 50;
const SAMPLED_AT_ONCE = 8;

/**
 * Compares a sample of a published snapshot with what was built, and looks up carriers by number, docket
 * and name through the reader that the service uses.
 *
 * @throws {Error} Says what is wrong with what readers would get.
 */
export async function readBack(
  inventory: Inventory,
  { built, published, clock, signal }: {
    built: Source;
    /** Where readers will find the snapshot. */
    published: Source;
    clock: Clock;
    signal: AbortSignal;
  },
): Promise<void> {
  const source = retryingSource(published, { signal });
  await compareSample(source, inventory, signal);
  const records = await pickRecords(built, inventory);
  const { snapshot, manifest_sha256 } = inventory.entry;
  const problems = await new SnapshotReader(source, { clock }).useOf(
    { id: snapshot, manifestSha256: manifest_sha256 },
    (snapshot) => lookUpAll(records, { snapshot, lookUp: lookUpFailures }),
  );
  signal.throwIfAborted();
  if (problems.length > 0) throw mismatch(published, problems.slice(0, 3).join("; "));
}

/**
 * Compares objects from all over a snapshot with their hashes, and all documents.
 *
 * @throws {Error} Names the first that is missing or different.
 */
export async function compareSample(
  published: Source,
  { items, manifestItem }: Inventory,
  signal: AbortSignal,
): Promise<void> {
  const documents = items.slice(-2); // The list of hashes and the report
  const sample = new Set([manifestItem, ...documents, ...spread(items)]);
  const limits = { atOnce: SAMPLED_AT_ONCE, signal };
  await forEach([...sample], limits, async ({ path, sha256 }, stop) => {
    const bytes = await published.get(path, stop);
    if (bytes === null) throw mismatch(published, `"${path}" is missing`);
    if (await sha256Hex(bytes) !== sha256) throw mismatch(published, `"${path}" has other bytes`);
  });
}

async function pickRecords(
  built: Source,
  { entry, manifest, carrierShards }: Inventory,
): Promise<CarrierRecord[]> {
  const { width } = manifest.families.carriers;
  const records: CarrierRecord[] = [];
  for (const shard of spread(carrierShards)) {
    const path = `${snapshotPath(entry.snapshot)}/${shardPath("carriers", shard)}`;
    records.push(...await decodeCarriers(await readObject(built, path), { shard, width }));
  }
  return spread(records);
}

/** At most {@link SAMPLE_SIZE} of the items, at even distances. */
function spread<T>(items: readonly T[]): T[] {
  const step = Math.max(1, Math.ceil(items.length / SAMPLE_SIZE));
  return items.filter((_, i) => i % step === 0);
}

function mismatch({ name }: Source, what: string): Error {
  return new Error(
    `Cannot publish: read back from ${name}, ${what}. The pointer was not moved. Is that the address ` +
      "of this target, and does it serve the bytes as they are?",
  );
}
