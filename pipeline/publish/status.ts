/**
 * What a store contains: snapshots, which of them gc keeps and why, and who works there; and gc, which removes
 * snapshots that no reader can still be using.
 *
 * @module
 */

import { type Manifest, parseManifest, type Pointer, snapshotPath } from "../snapshot/manifest.ts";
import { type LeaseRecord, readLease, takeLease, type WriterOptions } from "./lease.ts";
import { readPointerOf } from "./pointer.ts";
import type { Store } from "./store.ts";

export interface StoredSnapshot {
  id: string;
  /** Whether its manifest, which is written last, is there. */
  isWhole: boolean;
  /** When its manifest was last written, or without one any object of it; milliseconds. */
  modified: number;
  /** The day of its data, absent when it is not whole. */
  data_date?: string;
  /** Objects and bytes: by the manifest, or when it is not whole those that are there. */
  objects: number;
  bytes: number;
  /** Why gc keeps it; null when it does not. */
  kept: string | null;
}

export interface Status {
  target: string;
  pointer: Pointer | null;
  /** Whole days from the data date to now; null when nothing is published. */
  age_days: number | null;
  /** The last written first. */
  snapshots: StoredSnapshot[];
  lease: LeaseRecord | null;
}

const DAY_MS = 86_400_000;

/** Milliseconds that a snapshot stays after another took its place: readers and jobs may be on it. */
export const KEEP_MS = 7 * DAY_MS;

/** Milliseconds in which an interrupted upload can be resumed. */
const KEEP_UPLOAD_MS = DAY_MS;

/** Snapshots that stay, however old. */
const KEEP_NEWEST = 3;

export async function statusOf(
  store: Store,
  { clock, signal }: Pick<WriterOptions, "clock" | "signal">,
): Promise<Status> {
  const now = clock.now();
  const { pointer } = await readPointerOf(store, signal);
  const found: Omit<StoredSnapshot, "kept">[] = [];
  for (const id of await store.folders("s/", signal)) found.push(await measure(store, id, signal));
  const named = new Set([pointer, pointer?.previous].map((entry) => entry?.snapshot ?? ""));
  const plan = planRetention(found, { named, now });
  return {
    target: store.name,
    pointer,
    age_days: pointer && Math.floor((now - Date.parse(pointer.data_date)) / DAY_MS),
    snapshots: found.map((one) => ({ ...one, kept: plan.get(one.id) ?? null }))
      .sort((a, b) => b.modified - a.modified),
    lease: await readLease(store, { now, signal }),
  };
}

/**
 * Why each snapshot is kept, null for those that are not. A snapshot's seven days begin when the next
 * one was published: until then it was current.
 */
export function planRetention(
  found: readonly Pick<StoredSnapshot, "id" | "isWhole" | "modified">[],
  { named, now }: { named: ReadonlySet<string>; now: number },
): Map<string, string | null> {
  const plan = new Map<string, string | null>();
  const whole = found.filter(({ isWhole }) => isWhole)
    .toSorted((a, b) => b.modified - a.modified || (a.id < b.id ? 1 : -1));
  for (const [i, { id }] of whole.entries()) {
    const next = whole[i - 1];
    if (named.has(id)) plan.set(id, "the pointer names it");
    else if (i < KEEP_NEWEST) plan.set(id, `one of the newest ${KEEP_NEWEST}`);
    else plan.set(id, now - next!.modified < KEEP_MS ? "current less than 7 days ago" : null);
  }
  for (const { id, isWhole, modified } of found) {
    if (isWhole) continue;
    const isRecent = now - modified < KEEP_UPLOAD_MS;
    plan.set(id, isRecent || named.has(id) ? "not whole, uploaded in the last day" : null);
  }
  return plan;
}

async function measure(
  store: Store,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Omit<StoredSnapshot, "kept">> {
  const path = `${snapshotPath(id)}/manifest.json`;
  for await (const { modified, bytes } of store.list(path, signal)) {
    const manifest = await store.get(path, signal);
    if (manifest === null) break;
    return { id, isWhole: true, modified, ...sizeOf(parseManifest(manifest.bytes), bytes) };
  }
  const broken = { id, isWhole: false, modified: 0, objects: 0, bytes: 0 };
  for await (const object of store.list(`${snapshotPath(id)}/`, signal)) {
    broken.modified = Math.max(broken.modified, object.modified);
    broken.objects++;
    broken.bytes += object.bytes;
  }
  return broken;
}

function sizeOf(
  { data_date, families: { carriers, dockets }, search, files }: Manifest,
  manifestBytes: number,
): { data_date: string; objects: number; bytes: number } {
  const parts = [carriers, dockets, ...(search === undefined ? [] : [search])];
  const documents = Object.values(files);
  return {
    data_date,
    objects: parts.reduce((sum, { objects }) => sum + objects, documents.length + 1),
    bytes: [...parts, ...documents].reduce((sum, { bytes }) => sum + bytes, manifestBytes),
  };
}

/**
 * Removes what {@link planRetention} does not keep, under the lease, so that nothing is removed that is being
 * uploaded. The manifest of a snapshot is removed first: what is left of it when this is stopped is
 * "not whole", which `rollback` refuses and the next gc removes.
 *
 * @returns All snapshots as found; those with `kept` null are gone.
 */
export async function gc(store: Store, options: WriterOptions): Promise<StoredSnapshot[]> {
  await using lease = await takeLease(store, options);
  const { signal } = lease;
  const { pointer, snapshots } = await statusOf(store, { ...options, signal });
  if (pointer === null) {
    throw new RangeError(
      `Cannot clean up ${store.name}: nothing is published there, so nothing says what to keep`,
    );
  }
  for (const { id, kept } of snapshots) {
    if (kept !== null) continue;
    const root = snapshotPath(id);
    await lease.check();
    await store.delete([`${root}/manifest.json`], signal);
    const left = await Array.fromAsync(store.list(`${root}/`, signal), ({ path }) => path);
    await store.delete(left, signal);
  }
  return snapshots;
}
