/**
 * Writes a snapshot's objects into a folder and durably makes the snapshot current there. Equal content gives
 * equal bytes: they contain no time, file name or trace of the machine.
 *
 * @module
 */

import { gzipSync } from "node:zlib";
import { orUndefined } from "../io.ts";
import { sha256 } from "../sha256.ts";
import {
  entryOf,
  type Family,
  type Keeps,
  type Manifest,
  type Pointer,
  type PointerEntry,
} from "./manifest.ts";
import { FORMAT } from "./documents.ts";
import { POINTER_PATH, shardPath, snapshotPath, SUMS_PATH } from "./paths.ts";
import { sumsRoot } from "./sums_tree.ts";

export interface ObjectSum {
  /** Below the snapshot's folder. */
  path: string;
  /** As stored. */
  bytes: number;
  sha256: string;
}

export interface ShardSum extends ObjectSum {
  family: keyof Manifest["families"];
  shard: number;
  items: number;
}

/** Blocks of 4,096 symbols: their Huffman codes fit them better than one code for a whole object. */
export const GZIP = { level: 5, memLevel: 6 };

/** Compresses and writes the text of one shard. */
export function writeShard(
  dir: string,
  { text, ...shard }: Pick<ShardSum, "family" | "shard" | "items"> & { text: string },
): ShardSum {
  const path = shardPath(shard.family, shard.shard);
  return { ...shard, ...writeObject(dir, path, gzip(text)) };
}

export function writeObject(dir: string, path: string, bytes: Uint8Array): ObjectSum {
  Deno.writeFileSync(`${dir}/${path}`, bytes);
  return { path, bytes: bytes.length, sha256: sha256(bytes) };
}

/** Compresses; equal content gives equal bytes on every system. */
export function gzip(content: Uint8Array | string, level = GZIP.level): Uint8Array {
  const bytes = gzipSync(content, { ...GZIP, level });
  // The tenth byte identifies the operating system.
  bytes[9] = 255;
  return bytes;
}

/** A family as the manifest describes it; `sums` in any order. */
export function describeFamily(sums: readonly ShardSum[], width: number): Family {
  const sorted = sums.toSorted((a, b) => a.shard - b.shard);
  const runs: [number, number][] = [];
  for (const { shard } of sorted) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] + 1 === shard) last[1] = shard;
    else runs.push([shard, shard]);
  }
  return {
    width,
    runs,
    objects: sorted.length,
    items: sorted.reduce((sum, { items }) => sum + items, 0),
    bytes: sorted.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Writes the list of hashes, in the order given; returns its size, its hash and the root of its hash tree. */
export async function writeSums(
  dir: string,
  sums: readonly Pick<ObjectSum, "path" | "sha256">[],
): Promise<Manifest["files"]["SHA256SUMS"]> {
  const text = sums.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join("");
  return { ...writeText(`${dir}/${SUMS_PATH}`, text), root: await sumsRoot(text) };
}

/** Writes a document as one line of JSON; returns its size and hash. */
export function writeDocument(path: string, document: unknown): { bytes: number; sha256: string } {
  return writeText(path, JSON.stringify(document) + "\n");
}

function writeText(path: string, text: string): { bytes: number; sha256: string } {
  const bytes = new TextEncoder().encode(text);
  Deno.writeFileSync(path, bytes);
  return { bytes: bytes.length, sha256: sha256(bytes) };
}

/**
 * Moves a finished snapshot from `staged` to its place below `root` and points to it. Each step is one
 * rename of synced data, so a reader, a kill or a loss of power finds the old snapshot or the new one,
 * whole.
 *
 * @returns Whether the snapshot was new; one that exists already is kept.
 */
export async function adoptSnapshot(
  root: string,
  { staged, entry, over, keeps, syncs = new FileSyncs() }: {
    staged: string;
    entry: PointerEntry;
    /** The snapshot that the pointer named when this one was compared with it. */
    over: string | undefined;
    keeps: Keeps;
    /** Files synced while others were written. */
    syncs?: FileSyncs;
  },
): Promise<boolean> {
  const place = `${root}/${snapshotPath(entry.snapshot)}`;
  await Deno.mkdir(`${root}/s`, { recursive: true });
  const path = `${root}/${POINTER_PATH}`;
  const text = await orUndefined(Deno.readTextFile(path));
  const current: Pointer | undefined = text && JSON.parse(text);
  if (current?.snapshot !== over) {
    throw new Error(`Cannot move ${path}: it was moved in between. Build again`);
  }
  const isNew = await orUndefined(Deno.lstat(place)) === undefined;
  if (isNew) {
    syncs.add(await Array.fromAsync(filesBelow(staged)));
    await syncs.finish();
    await syncFolders(staged);
    await Deno.rename(staged, place);
  }
  await syncFolder(`${root}/s`);
  const isMoved = current !== undefined && current.snapshot !== entry.snapshot;
  const previous = isMoved ? entryOf(current) : current?.previous;
  writeDocument(`${path}.new`, { format: FORMAT, ...entry, keeps, previous });
  await syncFile(`${path}.new`);
  await syncFolder(root);
  await Deno.rename(`${path}.new`, path);
  await syncFolder(root);
  return isNew;
}

/** Waits until the content of a file is on the disk. */
export async function syncFile(path: string): Promise<void> {
  using file = await Deno.open(path, { read: true, write: true });
  await file.sync();
}

/** Waits until the names in a folder are on the disk. Windows has no such call and syncs them itself. */
export async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(path, { read: true });
  await folder.sync();
}

/** Waits until the names in a folder and in all folders below it are on the disk. */
export async function syncFolders(path: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    if (isDirectory) await syncFolders(`${path}/${name}`);
  }
  await syncFolder(path);
}

const SYNCS_AT_ONCE = 16;

/** Syncs files, a few at a time, while others are still being written. Dispose of it to stop. */
export class FileSyncs implements AsyncDisposable {
  #added = new Set<string>();
  #waiting: string[] = [];
  #running = new Set<Promise<void>>();
  #failures: unknown[] = [];

  /** Begins to sync the files that were not added before. */
  add(paths: readonly string[]): void {
    for (const path of paths) {
      if (this.#added.has(path)) continue;
      this.#added.add(path);
      this.#waiting.push(path);
    }
    while (this.#running.size < SYNCS_AT_ONCE && this.#waiting.length > 0) {
      const run = this.#run().finally(() => this.#running.delete(run));
      this.#running.add(run);
    }
  }

  /**
   * Waits until every file added is on the disk.
   *
   * @throws {Error} What the first sync that failed threw.
   */
  async finish(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#waiting = [];
    await Promise.all(this.#running);
  }

  async #run(): Promise<void> {
    try {
      for (let path = this.#waiting.pop(); path !== undefined; path = this.#waiting.pop()) {
        await syncFile(path);
      }
    } catch (error) {
      this.#failures.push(error);
      this.#waiting = [];
    }
  }
}

async function* filesBelow(path: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    if (isDirectory) yield* filesBelow(`${path}/${name}`);
    else yield `${path}/${name}`;
  }
}
