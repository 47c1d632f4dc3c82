/**
 * The contents of a store: snapshots, their chain, what gc does with each, and who holds the lease.
 *
 * @module
 */

import { forEach } from "../concurrency.ts";
import { DAY_MS } from "../dates.ts";
import { type ChainGap, gapsOf, keptOf, type PastSnapshot } from "../snapshot/chain.ts";
import { sha256Hex } from "../bytes.ts";
import {
  type Keeps,
  type Manifest,
  ordersWords,
  parseManifest,
  type Pointer,
} from "../snapshot/manifest.ts";
import { snapshotPath } from "../snapshot/paths.ts";
import { messageOf } from "../text.ts";
import { chainOf, chainText, READ_AT_ONCE } from "./held_chain.ts";
import { type LeaseRecord, readLease, type WriterOptions } from "./lease.ts";
import { readPointerOf } from "./pointer.ts";
import { type FoundSnapshot, keptReasons, planRetention, type Retention } from "./retention.ts";
import { type Store, storeSource } from "./store.ts";

/** A snapshot in a store, and what gc does with it. */
export interface StoredSnapshot extends FoundSnapshot, Retention {
  /** Objects and bytes: from the manifest, or from the listing when the snapshot is not whole. */
  objects: number;
  bytes: number;
}

/** The chain of the current snapshot. */
export interface ChainStatus {
  /** Snapshots in it, and its first data date. */
  snapshots: number;
  first_day: string;
  /** Those that are kept, and their first data date. */
  kept: number;
  kept_first_day: string;
  /** How many are kept only because they are the last of a month. */
  kept_month_ends: number;
  /** How long they are kept; null when nothing removes them. */
  keeps: Keeps | null;
  /** How many of those kept no longer have a search index. */
  without_search: number;
  /** Days between two data dates without a snapshot, the oldest first. */
  gaps: ChainGap[];
  /** Where the manifests disagree with the chain, in words. */
  problems: string[];
}

export interface Status {
  target: string;
  pointer: Pointer | null;
  /** Whole days from the data date to now; null when nothing is published. */
  age_days: number | null;
  /** Whether the current snapshot includes out-of-service orders, in words; null when they were not wanted. */
  orders: string | null;
  /** Null when nothing is published. */
  chain: ChainStatus | null;
  /** The most recently written first. */
  snapshots: StoredSnapshot[];
  lease: LeaseRecord | null;
}

/** @throws {Error} When the chain cannot be read, because then nothing shows what to keep. */
export async function statusOf(
  store: Store,
  { clock, signal }: Pick<WriterOptions, "clock" | "signal">,
): Promise<Status> {
  const now = clock.now();
  const { pointer } = await readPointerOf(store, signal);
  const found: Measured[] = [];
  await forEach(
    await store.folders("s/", signal),
    { atOnce: READ_AT_ONCE, signal },
    async (id, stop) => void found.push(await measure(store, id, stop)),
  );
  const chain = pointer === null ? [] : await readChain(store, pointer);
  const plan = planRetention(found, {
    named: new Set([pointer, pointer?.previous].map((entry) => entry?.snapshot ?? "")),
    chained: new Map([
      ...await keptBefore(store, { pointer, found }),
      ...keptReasons(chain, pointer?.keeps),
    ]),
    current: pointer?.data_date ?? "",
    now,
  });
  return {
    target: store.name,
    pointer,
    age_days: pointer && Math.floor((now - Date.parse(pointer.data_date)) / DAY_MS),
    orders: found.find(({ id }) => id === pointer?.snapshot)?.link?.orders ?? null,
    chain: pointer && describeChain(chain, { keeps: pointer.keeps, found }),
    snapshots: found.map(({ link: _, ...one }) => ({ ...one, ...plan.get(one.id)! }))
      .sort((a, b) => b.modified - a.modified),
    lease: await readLease(store, { now, signal }),
  };
}

async function readChain(
  store: Store,
  entry: Pick<Pointer, "snapshot" | "manifest_sha256">,
): Promise<readonly PastSnapshot[]> {
  return await chainOf(storeSource(store), entry).catch((cause) => {
    const what = `Cannot read the chain of ${entry.snapshot} in ${store.name}: ${messageOf(cause)}`;
    throw new Error(`${what}. Publish it again, or roll back`, { cause });
  });
}

/**
 * What the previous pointer kept. Readers may still use it, and after a rollback a maintainer may return to
 * it.
 */
async function keptBefore(
  store: Store,
  { pointer, found }: { pointer: Pointer | null; found: readonly FoundSnapshot[] },
): Promise<Map<string, string>> {
  const previous = pointer?.previous;
  const isThere = found.some(({ id, isWhole }) => isWhole && id === previous?.snapshot);
  if (previous === undefined || !isThere) return new Map();
  const kept = keptOf(await readChain(store, previous), pointer?.keeps);
  return new Map(kept.map(({ id }) => [id, "kept by the pointer before"]));
}

/** What a manifest says about its place in a chain. */
interface Link {
  manifest_sha256: string;
  previous: PastSnapshot | undefined;
  orders: string | undefined;
}

interface Measured extends Omit<StoredSnapshot, keyof Retention> {
  link?: Link;
}

function describeChain(
  chain: readonly PastSnapshot[],
  { keeps, found }: { keeps: Keeps | undefined; found: readonly Measured[] },
): ChainStatus {
  const there = new Map(found.flatMap((one) => one.link ? [[one.id, one]] : []));
  const kept = keptOf(chain, keeps);
  const problems = kept.filter(({ id }) => !there.has(id))
    .map(({ id }) => `${id} is to be kept and is not there`);
  for (const [i, { id, manifest_sha256 }] of chain.entries()) {
    const link = there.get(id)?.link;
    if (link === undefined) continue;
    if (link.manifest_sha256 !== manifest_sha256) {
      problems.push(`The manifest of ${id} is not the one that the chain names`);
    } else if (chainText([link.previous]) !== chainText([chain[i - 1]])) {
      problems.push(
        `${id} follows ${link.previous?.id ?? "nothing"}, the chain has ` +
          `${chain[i - 1]?.id ?? "nothing"} before it`,
      );
    }
  }
  return {
    snapshots: chain.length,
    first_day: chain[0]!.data_date,
    kept: kept.length,
    kept_first_day: kept[0]!.data_date,
    kept_month_ends: kept.length - keptOf(chain, keeps && { ...keeps, month_ends: 0 }).length,
    keeps: keeps ?? null,
    without_search: kept.filter(({ id }) => there.get(id)?.isSearchRemoved).length,
    gaps: gapsOf(chain),
    problems,
  };
}

async function measure(
  store: Store,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Measured> {
  const root = snapshotPath(id);
  const path = `${root}/manifest.json`;
  for await (const { modified, bytes } of store.list(path, signal)) {
    const found = await store.get(path, signal);
    if (found === null) break;
    const manifest = parsed(path, found.bytes);
    const isThere = async (part: "search" | "export"): Promise<boolean> =>
      manifest[part] !== undefined && await hasAny(store, `${root}/${part}/`, signal);
    const has = { search: await isThere("search"), export: await isThere("export") };
    return {
      id,
      isWhole: true,
      modified,
      ...sizeOf(manifest, { manifestBytes: bytes, has }),
      isSearchRemoved: manifest.search !== undefined && !has.search,
      link: {
        manifest_sha256: await sha256Hex(found.bytes),
        previous: manifest.previous,
        orders: ordersWords(manifest),
      },
    };
  }
  const broken = { id, isWhole: false, modified: 0, objects: 0, bytes: 0, isSearchRemoved: false };
  for await (const object of store.list(`${root}/`, signal)) {
    broken.modified = Math.max(broken.modified, object.modified);
    broken.objects++;
    broken.bytes += object.bytes;
  }
  return broken;
}

function parsed(path: string, bytes: Uint8Array): Manifest {
  try {
    return parseManifest(bytes);
  } catch (cause) {
    throw new Error(`Cannot use "${path}": ${messageOf(cause)}`, { cause });
  }
}

async function hasAny(
  store: Store,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for await (const _ of store.list(prefix, signal)) return true;
  return false;
}

function sizeOf(
  { data_date, families: { carriers, dockets }, files, ...manifest }: Manifest,
  { manifestBytes, has }: { manifestBytes: number; has: Record<"search" | "export", boolean> },
): Pick<StoredSnapshot, "data_date" | "objects" | "bytes" | "search" | "export"> {
  const there: Pick<StoredSnapshot, "search" | "export"> = {};
  for (const part of ["search", "export"] as const) {
    const { [part]: size } = manifest;
    if (size && has[part]) there[part] = { objects: size.objects, bytes: size.bytes };
  }
  const parts = [carriers, dockets, ...Object.values(there)];
  const documents = Object.values(files);
  return {
    data_date,
    objects: parts.reduce((sum, { objects }) => sum + objects, documents.length + 1),
    bytes: [...parts, ...documents].reduce((sum, { bytes }) => sum + bytes, manifestBytes),
    ...there,
  };
}
