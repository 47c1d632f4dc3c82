/**
 * All objects of a snapshot, with their hashes.
 *
 * @module
 */

import { expectedObjects, parseSums, readListed, readManifest } from "../snapshot/contents.ts";
import { type Manifest, type PointerEntry, snapshotPath } from "../snapshot/manifest.ts";
import type { Source } from "../snapshot/source.ts";
import type { Store } from "./store.ts";

/** An object and what it must be. */
export interface Item {
  /** Below the root. */
  path: string;
  sha256: string;
}

/** What a snapshot consists of. */
export interface Inventory {
  entry: PointerEntry;
  manifest: Manifest;
  manifestItem: Item;
  /** All but the manifest. */
  items: Item[];
  /** Numbers of the carrier shards, ascending. */
  carrierShards: number[];
}

/**
 * Reads the documents of a snapshot and lists what must be there; reads no shard.
 *
 * @throws {Error} When a document is missing or damaged, or two do not agree.
 */
export async function takeInventory(source: Source, entry: PointerEntry): Promise<Inventory> {
  const manifest = await readManifest(source, entry);
  const root = snapshotPath(entry.snapshot);
  const bytes = await readListed(source, { root, manifest, name: "SHA256SUMS" });
  const sums = parseSums(new TextDecoder().decode(bytes));
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

/** A store as the reader of snapshots wants it. */
export function storeSource(store: Store): Source {
  return {
    name: store.name,
    get: async (path, signal) => (await store.get(path, signal))?.bytes ?? null,
  };
}
