/**
 * Checks a sample of a snapshot where readers find it.
 *
 * @module
 */

import { forEach } from "../concurrency.ts";
import {
  type ListedObject,
  readObject,
  readSound,
  type SnapshotContents,
} from "../snapshot/contents.ts";
import type { PointerEntry } from "../snapshot/manifest.ts";
import { SnapshotReader } from "../snapshot/reader.ts";
import type { CarrierRecord } from "../snapshot/record/record.ts";
import { decodeCarriers } from "../snapshot/record/shards.ts";
import type { Source } from "../snapshot/source.ts";
import { messageOf } from "../text.ts";
import { lookUpAll, partOf } from "./verify.ts";

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
  const small = objects.filter((object) => partOf(object) !== "export");
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
