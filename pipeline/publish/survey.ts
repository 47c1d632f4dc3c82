/**
 * What lies in a store: snapshots, whole or not.
 *
 * @module
 */

import { type Manifest, parseManifest, type Pointer, snapshotPath } from "../snapshot/manifest.ts";
import { type Found, planRetention } from "./retention.ts";
import type { Store } from "./store.ts";

/** A snapshot in a store. */
export interface Surveyed extends Found {
  /** The day of its data, absent when it is not whole. */
  data_date?: string;
  /** Objects and bytes: by the manifest, or when it is not whole those that are there. */
  objects: number;
  bytes: number;
  /** Why gc keeps it, null when it does not. */
  kept: string | null;
}

/** Looks at all snapshots of a store, the one written last first. */
export async function survey(
  store: Store,
  { pointer, now, signal }: { pointer: Pointer | null; now: number; signal?: AbortSignal },
): Promise<Surveyed[]> {
  const found: Omit<Surveyed, "kept">[] = [];
  for (const id of await store.folders("s/", signal)) found.push(await lookAt(store, id, signal));
  const named = new Set([pointer, pointer?.previous].map((entry) => entry?.snapshot ?? ""));
  const plan = planRetention(found, { named, now });
  return found.map((one) => ({ ...one, kept: plan.get(one.id) ?? null }))
    .toSorted((a, b) => b.modified - a.modified);
}

async function lookAt(
  store: Store,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Omit<Surveyed, "kept">> {
  const path = `${snapshotPath(id)}/manifest.json`;
  for await (const { modified, bytes } of store.list(path, signal)) {
    const manifest = await store.get(path, signal);
    if (manifest === null) break;
    return { id, isWhole: true, modified, ...measure(parseManifest(manifest.bytes), bytes) };
  }
  const broken = { id, isWhole: false, modified: 0, objects: 0, bytes: 0 };
  for await (const object of store.list(`${snapshotPath(id)}/`, signal)) {
    broken.modified = Math.max(broken.modified, object.modified);
    broken.objects++;
    broken.bytes += object.bytes;
  }
  return broken;
}

function measure(
  { data_date, families: { carriers, dockets }, search, files }: Manifest,
  manifestBytes: number,
): Pick<Surveyed, "objects" | "bytes"> & { data_date: string } {
  const parts = [carriers, dockets, ...(search === undefined ? [] : [search])];
  const documents = Object.values(files);
  return {
    data_date,
    objects: parts.reduce((sum, { objects }) => sum + objects, documents.length + 1),
    bytes: [...parts, ...documents].reduce((sum, { bytes }) => sum + bytes, manifestBytes),
  };
}
