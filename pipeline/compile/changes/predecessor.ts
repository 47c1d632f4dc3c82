/**
 * The previous snapshot, with which a build merges: its shards, and how the chain continues after it.
 *
 * @module
 */

import { forEach } from "../../concurrency.ts";
import { compactDay, isoDay, parseDate, windowStart } from "../../dates.ts";
import {
  type ChainedSnapshot,
  dateBefore,
  daysBefore,
  pastDocument,
  SPANS,
} from "../../snapshot/chain.ts";
import { sha256Hex } from "../../bytes.ts";
import { listContents, type ListedObject, readSound } from "../../snapshot/contents.ts";
import { orUndefined } from "../../io.ts";
import type { Manifest, PointerEntry } from "../../snapshot/manifest.ts";
import { FORMAT } from "../../snapshot/documents.ts";
import { CHANGES_PATH, snapshotPath } from "../../snapshot/paths.ts";
import { CENSUS_MEMBERS, DOCKETS_REVISION, type Member } from "../../snapshot/record/members.ts";
import { hashOf } from "../../snapshot/record/filed_hash.ts";
import { folderSource } from "../../snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../snapshot/reader.ts";
import { positionOf } from "../../snapshot/record/rows.ts";
import type { Source } from "../../snapshot/source.ts";
import { messageOf } from "../../text.ts";
import type { PreviousShards } from "./merge.ts";

/** Carrier shards of a snapshot as stored, by their numbers. */
export type StoredShards = ReadonlyMap<number, Uint8Array<ArrayBuffer>>;

/** A snapshot that a build can merge. */
export interface Predecessor {
  manifest: Manifest;
  /** This snapshot and all before it, the oldest first. */
  chain: readonly ChainedSnapshot[];
  /** The changes of this snapshot and of those before it, the newest first; empty unless requested. */
  earlier: readonly EarlierChanges[];
  /**
   * Reads the carrier shards from `first` up to, but not including, `end`. A call waits for the calls before
   * it.
   *
   * @throws {Error} When one cannot be read; says what to do.
   */
  read(first: number, end: number): Promise<StoredShards>;
}

/** A copied `changes.ndjson.gz` of a snapshot in the chain. */
export interface EarlierChanges {
  path: string;
  /** Id of the snapshot before it. */
  from: string;
  data_date: string;
}

interface OpenOptions {
  /** Receives the files of earlier changes, if they are requested. */
  changesTo: string | undefined;
  /** Snapshot roots on this machine that may have the same snapshot. */
  folders: readonly string[];
  signal?: AbortSignal | undefined;
}

const READS_AT_ONCE = 64;

/**
 * Opens the previous snapshot, from a folder on this machine if one has it.
 *
 * @throws {Error} When it cannot be read; says what to do.
 */
export async function openPredecessor(
  root: Source,
  entry: PointerEntry,
  { folders, changesTo, signal }: OpenOptions,
): Promise<Predecessor> {
  const name = { id: entry.snapshot, manifestSha256: entry.manifest_sha256 };
  const orExplain = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      signal?.throwIfAborted();
      throw new Error(
        `Cannot read the previous snapshot ${entry.snapshot} of ${root.name}: ${
          messageOf(error)
        }. ` +
          "Nothing was changed: run this again. If its objects are lost, roll back to a snapshot that is " +
          "whole, or build into an empty folder with --first, which begins a new chain without history",
      );
    }
  };
  return await orExplain(async () => {
    const found = await new SnapshotReader(root).useOf(name, async (snapshot) => ({
      manifest: snapshot.manifest,
      chain: await snapshot.chain(),
    }));
    const source = await folderWith(entry, folders) ?? root;
    const { objects } = await listContents(source, entry);
    const shards = objects.filter(({ shard }) => shard?.family === "carriers");
    const earlier = await copyChanges(root, found.chain, { to: changesTo, signal });
    let before: Promise<unknown> = Promise.resolve();
    return {
      ...found,
      earlier,
      read(first, end) {
        const wanted = shards.filter(({ shard }) => shard!.shard >= first && shard!.shard < end);
        const read = before.then(() => orExplain(() => readShards(source, wanted, signal)));
        before = read;
        return read;
      },
    };
  });
}

/** The root on this machine that has a snapshot. */
async function folderWith(
  { snapshot, manifest_sha256 }: PointerEntry,
  roots: readonly string[],
): Promise<Source | undefined> {
  for (const root of roots) {
    const manifest = await orUndefined(
      Deno.readFile(`${root}/${snapshotPath(snapshot)}/manifest.json`),
    );
    if (manifest !== undefined && await sha256Hex(manifest) === manifest_sha256) {
      return folderSource(root);
    }
  }
  return undefined;
}

async function readShards(
  source: Source,
  shards: readonly ListedObject[],
  signal: AbortSignal | undefined,
): Promise<StoredShards> {
  const stored = new Map<number, Uint8Array<ArrayBuffer>>();
  await forEach(shards, { atOnce: READS_AT_ONCE, signal }, async (object, stop) => {
    stored.set(object.shard!.shard, await readSound(source, object, stop));
  });
  return stored;
}

/** Copies the changes of the days that a span may cover, back to the first day that the root lacks. */
async function copyChanges(
  root: Source,
  chain: readonly ChainedSnapshot[],
  { to, signal }: { to: string | undefined; signal: AbortSignal | undefined },
): Promise<EarlierChanges[]> {
  const copied: EarlierChanges[] = [];
  if (to === undefined) return copied;
  await Deno.mkdir(to, { recursive: true });
  const oldest = daysBefore(chain.at(-1)!.data_date, Math.max(...SPANS));
  for (let i = chain.length - 1; i > 0; i--) {
    const { id, data_date, changes } = chain[i]!;
    if (changes === undefined || data_date <= oldest) break;
    const bytes = await root.get(`${snapshotPath(id)}/${CHANGES_PATH}`, signal);
    if (bytes === null || await sha256Hex(bytes) !== changes.sha256) break;
    const path = `${to}/${i}.gz`;
    await Deno.writeFile(path, bytes);
    copied.push({ path, from: chain[i - 1]!.id, data_date });
  }
  return copied;
}

/** The current revisions of members above revision 1, and of `dockets`. */
function revisionsNow(): Record<string, number> {
  return Object.fromEntries([
    ...Object.entries<Member>(CENSUS_MEMBERS)
      .flatMap(([name, { revision = 1 }]) => revision === 1 ? [] : [[name, revision]]),
    ["dockets", DOCKETS_REVISION],
  ]);
}

/** What the next snapshot's manifest says about its history, its `past.json`, and the task of its merge. */
export interface Succession {
  manifest: Pick<Manifest, "previous" | "gaps" | "revisions">;
  past: ReturnType<typeof pastDocument>;
  merge?: PreviousShards;
  /** The hash to which the changes are added. */
  hash: bigint;
}

/** How a snapshot with a data date follows the previous one. Without a previous one it begins a chain. */
export function succeed(
  predecessor: Predecessor | undefined,
  { dataDate, width, hasOrders }: { dataDate: string; width: number; hasOrders: boolean },
): Succession {
  const now = revisionsNow();
  if (predecessor === undefined) {
    return { manifest: { revisions: now }, past: pastDocument(FORMAT, []), hash: 0n };
  }
  const { manifest, chain } = predecessor;
  const { families: { carriers: { width: before } }, data_date } = manifest;
  if (before !== width) {
    throw new RangeError(
      `Cannot compare with the previous snapshot: its shards have ${before} USDOT numbers, ` +
        `these ${width}. Build into an empty folder with --first`,
    );
  }
  const oldest = isoDay(windowStart(compactDay(dataDate)));
  const skipped = uncompared(manifest, { dataDate, hasOrders });
  const { changes: _, ...previous } = chain.at(-1)!;
  const gaps = gapsAfter(manifest, { day: dataDate, oldest, members: skipped });
  const next = {
    manifest: { previous, ...(gaps.length > 0 && { gaps }), revisions: now },
    past: pastDocument(FORMAT, chain),
    hash: 0n,
  };
  // With no earlier data date in the chain, there are no earlier values to compare with.
  if (chain.every((one) => one.data_date === dataDate)) return next;
  const isHashed = manifest.format === FORMAT && manifest.sync !== undefined;
  return {
    ...next,
    ...(isHashed && { hash: hashOf(manifest.sync!.hash) }),
    merge: {
      seen: parseDate(data_date),
      day: parseDate(dataDate),
      oldest: parseDate(oldest),
      skipped: skipped.map(positionOf),
      between: [dateBefore(dataDate, chain) ?? data_date, dataDate],
      isHashed,
    },
  };
}

/**
 * Members that cannot be compared: our code began to read them differently, or the files are older, or only
 * one of the snapshots includes orders.
 */
function uncompared(
  { data_date, orders_date, revisions = {} }: Manifest,
  { dataDate, hasOrders }: { dataDate: string; hasOrders: boolean },
): string[] {
  const members = [...Object.keys(CENSUS_MEMBERS), "dockets"];
  const now = revisionsNow();
  const hadOrders = orders_date !== undefined;
  if (dataDate < data_date) return hadOrders || hasOrders ? [...members, "orders"] : members;
  return [
    ...members.filter((name) => (revisions[name] ?? 1) !== (now[name] ?? 1)),
    ...(hadOrders === hasOrders ? [] : ["orders"]),
  ];
}

function gapsAfter(
  { gaps = [] }: Manifest,
  { day, oldest, members }: { day: string; oldest: string; members: string[] },
): NonNullable<Manifest["gaps"]> {
  const earlier = gaps.filter((gap) => gap.day >= oldest && gap.day !== day);
  const sameDay = gaps.find((gap) => gap.day === day)?.members ?? [];
  const all = [...new Set([...sameDay, ...members])];
  return all.length === 0 ? earlier : [{ day, members: all }, ...earlier];
}
