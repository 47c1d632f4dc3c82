/**
 * Reads the documents of a snapshot and lists the objects it consists of. Web APIs only.
 *
 * @module
 */

import { sha256Hex } from "../bytes.ts";
import { messageOf } from "../text.ts";
import { type Manifest, parseManifest, type PointerEntry } from "./manifest.ts";
import { maxBytesOf, shardPath, snapshotPath } from "./paths.ts";
import type { Source } from "./source.ts";
import { sumsRoot } from "./sums_tree.ts";

/** An object that a document promises is missing, unreadable or not the one that was published. */
export class BrokenObject extends Error {
  override readonly name = "BrokenObject";
}

/** Reads an object; {@link BrokenObject} when it is missing, too large, or cannot be read. */
export async function readObject(
  source: Source,
  path: string,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes: Uint8Array<ArrayBuffer> | null;
  try {
    bytes = await source.get(path, signal);
  } catch (error) {
    throw new BrokenObject(messageOf(error), { cause: error });
  }
  if (bytes === null) throw new BrokenObject(`Cannot find "${path}" in ${source.name}`);
  if (bytes.length > maxBytesOf(path)) {
    throw new BrokenObject(`Cannot use "${path}": it has more than ${maxBytesOf(path)} bytes`);
  }
  return bytes;
}

/** Reads the manifest that a pointer names; errors as {@link readSound} and {@link parseManifest}. */
export async function readManifest(
  source: Source,
  { snapshot, manifest_sha256 }: Pick<PointerEntry, "snapshot" | "manifest_sha256">,
  signal?: AbortSignal,
): Promise<Manifest> {
  const path = `${snapshotPath(snapshot)}/manifest.json`;
  const listed = { path, sha256: manifest_sha256, by: "the pointer" };
  return parseManifest(await readSound(source, listed, signal));
}

/** Reads one of the files whose hash is in the manifest; errors as {@link readSound}. */
export function readListed(
  source: Source,
  { root, manifest, name }: { root: string; manifest: Manifest; name: keyof Manifest["files"] },
): Promise<Uint8Array<ArrayBuffer>> {
  const sha256 = manifest.files[name]?.sha256;
  return readSound(source, { path: `${root}/${name}`, sha256, by: "the manifest" });
}

/** Reads an object; {@link BrokenObject} when it cannot be read or has another hash than listed. */
export async function readSound(
  source: Source,
  { path, ...listed }: Pick<ListedObject, "path" | "by"> & { sha256: string | undefined },
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readObject(source, path, signal);
  await checkSha256(path, bytes, listed);
  return bytes;
}

export async function checkSha256(
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  { sha256, by }: { sha256: string | undefined; by: string },
): Promise<void> {
  if (await sha256Hex(bytes) === sha256) return;
  throw new BrokenObject(
    `Cannot use "${path}" (${bytes.length} bytes): its SHA-256 is not the one in ${by}`,
  );
}

const SUMS_LINE = /^([0-9a-f]{64}) [ *]([a-z]+(?:\/[a-z0-9]+)*(?:\.[a-z]+)+)$/;

/**
 * Parses SHA256SUMS, the list of hashes that `sha256sum` writes and checks: path to SHA-256, hex.
 *
 * @throws {SyntaxError} When a line is not a hash and a path, or a path is listed twice.
 */
export function parseSums(bytes: Uint8Array): Map<string, string> {
  const sums = new Map<string, string>();
  const lines = new TextDecoder().decode(bytes).split("\n");
  if (lines.pop() !== "") throw new SyntaxError("Cannot read SHA256SUMS: the last line is cut");
  for (const [i, line] of lines.entries()) {
    const [, sha256, path] = SUMS_LINE.exec(line) ?? [];
    if (sha256 === undefined || path === undefined || sums.has(path)) {
      throw new SyntaxError(`Cannot read SHA256SUMS: line ${i + 1} is malformed`);
    }
    sums.set(path, sha256);
  }
  return sums;
}

/** An object of a snapshot: a shard of a family, a file of the search index, or a document. */
export interface ListedObject {
  /** Below the root. */
  path: string;
  sha256: string;
  /** The document that has this hash. */
  by: string;
  shard?: { family: keyof Manifest["families"]; shard: number };
}

/** What a snapshot must have. */
export interface SnapshotContents {
  manifest: Manifest;
  /** All objects: the manifest is the last, other documents are before it. */
  objects: ListedObject[];
}

/**
 * Reads the documents that list the objects of a snapshot, and no shard.
 *
 * @throws {Error} When a document is missing or damaged, or two do not agree.
 */
export async function listContents(source: Source, entry: PointerEntry): Promise<SnapshotContents> {
  const root = snapshotPath(entry.snapshot);
  const manifest = await readManifest(source, entry);
  const list = await readListed(source, { root, manifest, name: "SHA256SUMS" });
  const sums = parseSums(list);
  const { root: treeRoot } = manifest.files.SHA256SUMS;
  if (treeRoot !== undefined && treeRoot !== await sumsRoot(new TextDecoder().decode(list))) {
    throw new Error(`${root}: the manifest has another root of SHA256SUMS than its lines`);
  }
  const objects: ListedObject[] = [];
  function claim(path: string, shard?: ListedObject["shard"]): void {
    const sha256 = sums.get(path);
    if (sha256 === undefined) {
      throw new Error(`${root}: SHA256SUMS lacks "${path}" of the manifest`);
    }
    sums.delete(path);
    objects.push({ path: `${root}/${path}`, sha256, by: "SHA256SUMS", ...(shard && { shard }) });
  }
  for (const family of ["carriers", "dockets"] as const) {
    for (const [first, last] of manifest.families[family].runs) {
      for (let shard = first; shard <= last; shard++) {
        claim(shardPath(family, shard), { family, shard });
      }
    }
  }
  const files = [...sums.keys()];
  for (const path of files) {
    if (!path.startsWith("search/") && !path.startsWith("export/")) {
      throw new Error(`${root}: the manifest lacks "${path}" of SHA256SUMS`);
    }
    claim(path);
  }
  for (
    const [part, what] of [["search", "of the search index"], ["export", "of the export"]] as const
  ) {
    const { length } = files.filter((path) => path.startsWith(`${part}/`));
    if (length === (manifest[part]?.objects ?? 0)) continue;
    const count = `SHA256SUMS lists ${length} files ${what}`;
    throw new Error(`${root}: ${count}, the manifest another number`);
  }
  for (const [path, { sha256 }] of Object.entries(manifest.files)) {
    objects.push({ path: `${root}/${path}`, sha256, by: "the manifest" });
  }
  const path = `${root}/manifest.json`;
  objects.push({ path, sha256: entry.manifest_sha256, by: "the pointer" });
  return { manifest, objects };
}
