/**
 * From a built snapshot to a store: what is not there yet.
 *
 * @module
 */

import { snapshotPath } from "../snapshot/manifest.ts";
import { readObject, sha256Hex } from "../snapshot/contents.ts";
import type { Source } from "../snapshot/source.ts";
import { eachAtOnce } from "./each_at_once.ts";
import { md5Of } from "./folder_store.ts";
import type { Inventory, Item } from "./inventory.ts";
import { immutableHeaders } from "./object_headers.ts";
import type { Store, StoredObject } from "./store.ts";

/** What an upload did. */
export interface Uploaded {
  /** Objects and bytes sent. */
  objects: number;
  bytes: number;
  /** Objects that were there already with the same content. */
  skipped: number;
}

/** How to upload. */
export interface UploadOptions {
  /** Objects at a time. */
  atOnce: number;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

/**
 * Uploads a snapshot, the manifest last and always: where a manifest is, the whole snapshot is, and its
 * age tells when the snapshot was last published.
 *
 * @throws {Error} When an object here is missing or damaged, or cannot be written there.
 */
export async function upload(
  store: Store,
  { source, inventory }: { source: Source; inventory: Inventory },
  { atOnce, signal, onProgress }: UploadOptions,
): Promise<Uploaded> {
  const there = new Map<string, StoredObject>();
  for await (const object of store.list(`${snapshotPath(inventory.entry.snapshot)}/`, signal)) {
    there.set(object.path, object);
  }
  const { items, manifestItem } = inventory;
  const result: Uploaded = { objects: 0, bytes: 0, skipped: 0 };
  const total = items.length + 1;
  const send = async ({ path }: Item, bytes: Uint8Array<ArrayBuffer>, stop: AbortSignal) => {
    await store.put(path, bytes, { ...immutableHeaders(path), signal: stop });
    result.objects++;
    result.bytes += bytes.length;
  };
  onProgress(0, total);
  await eachAtOnce(items, { atOnce, signal }, async (item, stop) => {
    const bytes = await readSound(source, item);
    const found = there.get(item.path);
    if (found?.bytes === bytes.length && await found.md5() === md5Of(bytes)) result.skipped++;
    else await send(item, bytes, stop);
    onProgress(result.objects + result.skipped, total);
  });
  const root = `${snapshotPath(inventory.entry.snapshot)}/`;
  if (items.length > 0) await store.settle(root);
  await send(manifestItem, await readSound(source, manifestItem), signal);
  await store.settle(root);
  onProgress(total, total);
  return result;
}

async function readSound(source: Source, { path, sha256 }: Item): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readObject(source, path);
  if (await sha256Hex(bytes) === sha256) return bytes;
  throw new Error(
    `Cannot publish "${path}" of ${source.name}: it is damaged. Build the snapshot again there`,
  );
}
