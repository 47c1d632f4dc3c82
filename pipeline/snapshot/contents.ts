/**
 * Reads the documents of a snapshot and lists the objects it consists of. Web APIs only.
 *
 * @module
 */

import { messageOf } from "../text.ts";
import {
  type Manifest,
  maxBytesOf,
  parseManifest,
  type PointerEntry,
  shardPath,
  snapshotPath,
} from "./manifest.ts";
import type { Source } from "./source.ts";

/** An object that a document promises is missing, unreadable or not the one that was published. */
export class BrokenObject extends Error {
  override readonly name = "BrokenObject";
}

/** SHA-256 of bytes, hex. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Reads an object that must exist.
 *
 * @throws {BrokenObject} When it is missing, too large, or cannot be read.
 */
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

/**
 * Reads the manifest that a pointer names.
 *
 * @throws {BrokenObject} When it cannot be read or its SHA-256 is not the one in the pointer.
 * @throws {Error} As {@link parseManifest}.
 */
export async function readManifest(
  source: Source,
  { snapshot, manifest_sha256 }: Pick<PointerEntry, "snapshot" | "manifest_sha256">,
  signal?: AbortSignal,
): Promise<Manifest> {
  const path = `${snapshotPath(snapshot)}/manifest.json`;
  const bytes = await readObject(source, path, signal);
  await checkSha256(path, { bytes, sha256: manifest_sha256, by: "the pointer" });
  return parseManifest(bytes);
}

/**
 * Reads one of the files whose hash is in the manifest.
 *
 * @throws {BrokenObject} When it cannot be read or is not the file that was published.
 */
export async function readListed(
  source: Source,
  { root, manifest, name }: { root: string; manifest: Manifest; name: keyof Manifest["files"] },
): Promise<Uint8Array<ArrayBuffer>> {
  const path = `${root}/${name}`;
  const bytes = await readObject(source, path);
  const sha256 = manifest.files?.[name]?.sha256;
  await checkSha256(path, { bytes, sha256, by: "the manifest" });
  return bytes;
}

/** @throws {BrokenObject} When the bytes have another SHA-256 than the document that lists them says. */
export async function checkSha256(
  path: string,
  { bytes, sha256, by }: {
    bytes: Uint8Array<ArrayBuffer>;
    sha256: string | undefined;
    by: string;
  },
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

type FamilyName = keyof Manifest["families"];

/** An object of a snapshot: a shard of a family, or a file of the search index. */
export interface ExpectedObject {
  /** Below the snapshot's folder. */
  path: string;
  sha256: string;
  shard?: { family: FamilyName; shard: number };
}

const FAMILIES: readonly FamilyName[] = ["carriers", "dockets"];
const SEARCH_PREFIX = "search/";

/** The objects that both the manifest and SHA256SUMS list; what only one of them lists is a problem. */
export function expectedObjects(
  manifest: Manifest,
  { sums, problems }: { sums: Map<string, string>; problems: string[] },
): ExpectedObject[] {
  const unclaimed = new Set(sums.keys());
  const objects: ExpectedObject[] = [];
  for (const family of FAMILIES) {
    for (const [first, last] of manifest.families[family].runs) {
      for (let shard = first; shard <= last; shard++) {
        const path = shardPath(family, shard);
        const sha256 = sums.get(path);
        unclaimed.delete(path);
        if (sha256 === undefined) problems.push(`SHA256SUMS lacks "${path}" of the manifest`);
        else objects.push({ path, sha256, shard: { family, shard } });
      }
    }
  }
  for (const path of unclaimed) {
    if (manifest.search && path.startsWith(SEARCH_PREFIX)) {
      objects.push({ path, sha256: sums.get(path)! });
    } else {
      problems.push(`The manifest lacks "${path}" of SHA256SUMS`);
    }
  }
  return objects;
}
