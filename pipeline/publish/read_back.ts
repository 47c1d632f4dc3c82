/**
 * Reads a snapshot back from where readers will find it, before they are sent there.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { readObject, sha256Hex } from "../snapshot/contents.ts";
import { GoldenRecords } from "../search/query/golden.ts";
import { shardPath, snapshotPath } from "../snapshot/manifest.ts";
import { patientSource } from "../snapshot/resilient_source.ts";
import { SnapshotReader } from "../snapshot/reader.ts";
import { type CarrierShard, decodeCarriers } from "../snapshot/shards.ts";
import type { Source } from "../snapshot/source.ts";
import { eachAtOnce } from "./each_at_once.ts";
import type { Inventory, Item } from "./inventory.ts";

/** Objects whose hashes are compared, and shards a carrier of which is looked up. */
const SAMPLED = 50;
const AT_ONCE = 8;
const WAITS = { first: 200, longest: 5_000 };

/** Where from and where to. */
export interface ReadBackOptions {
  /** The snapshot as built. */
  built: Source;
  /** The snapshot as readers find it. */
  published: Source;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Compares a sample of objects and looks up carriers by number, docket and name through the reader that
 * the service uses.
 *
 * @throws {Error} Says what is wrong with what readers would get.
 */
export async function readBack(inventory: Inventory, options: ReadBackOptions): Promise<void> {
  const { built, clock, signal } = options;
  const published = patientSource(options.published, { waits: WAITS, signal });
  await compareSample(published, inventory, signal);
  const golden = await pickRecords(built, inventory);
  const { snapshot, manifest_sha256 } = inventory.entry;
  const reader = new SnapshotReader(published, { clock });
  const problems = await reader.useOf(
    { id: snapshot, manifestSha256: manifest_sha256 },
    (pinned) => golden.lookUpIn(pinned),
  );
  signal.throwIfAborted();
  if (problems.length > 0) throw mismatch(published, problems.slice(0, 3).join("; "));
}

/**
 * Compares objects from all over the snapshot with their hashes, and the documents.
 *
 * @throws {Error} Names the first that is missing or other than it must be.
 */
export async function compareSample(
  published: Source,
  { items, manifestItem }: Inventory,
  signal: AbortSignal,
): Promise<void> {
  const documents = items.slice(-2); // The list of hashes and the report
  const sample = new Set([manifestItem, ...documents, ...spread(items)]);
  await eachAtOnce([...sample], { atOnce: AT_ONCE, signal }, async ({ path, sha256 }: Item) => {
    const bytes = await published.get(path, signal);
    if (bytes === null) throw mismatch(published, `"${path}" is missing`);
    if (await sha256Hex(bytes) !== sha256) throw mismatch(published, `"${path}" has other bytes`);
  });
}

async function pickRecords(built: Source, { entry, manifest, carrierShards }: Inventory) {
  const { width } = manifest.families.carriers;
  const shards: CarrierShard[] = [];
  for (const shard of spread(carrierShards)) {
    const path = `${snapshotPath(entry.snapshot)}/${shardPath("carriers", shard)}`;
    shards.push((await decodeCarriers(await readObject(built, path), { shard, width })).value);
  }
  const golden = new GoldenRecords(shards.reduce((sum, { length }) => sum + length, 0));
  for (const shard of shards) golden.offer(shard);
  return golden;
}

/** At most {@link SAMPLED} of the items, at even distances. */
function spread<T>(items: readonly T[]): T[] {
  const step = Math.max(1, Math.ceil(items.length / SAMPLED));
  return items.filter((_, i) => i % step === 0);
}

function mismatch({ name }: Source, what: string): Error {
  return new Error(
    `Cannot publish: read back from ${name}, ${what}. The pointer was not moved. Is that the address ` +
      "of this target, and does it hand out the bytes as they are?",
  );
}
