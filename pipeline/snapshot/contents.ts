/**
 * What a snapshot consists of, by its own documents.
 *
 * @module
 */

import {
  type Manifest,
  parseManifest,
  type PointerEntry,
  shardPath,
  snapshotPath,
} from "./manifest.ts";
import type { Source } from "./source.ts";

type FamilyName = keyof Manifest["families"];

/** An object of a snapshot: a shard of a family, or a file of the search index. */
export interface Expected {
  /** Below the snapshot's folder. */
  path: string;
  sha256: string;
  shard?: { family: FamilyName; shard: number };
}

const FAMILIES: readonly FamilyName[] = ["carriers", "dockets"];
const SEARCH_PREFIX = "search/";

/**
 * Reads the manifest that a pointer names.
 *
 * @throws {Error} When it is missing, is another than the one named, or malformed.
 */
export async function readManifest(
  source: Source,
  pointer: Pick<PointerEntry, "snapshot" | "manifest_sha256">,
): Promise<Manifest> {
  const path = `${snapshotPath(pointer.snapshot)}/manifest.json`;
  const bytes = await readObject(source, path);
  if (await sha256Hex(bytes) !== pointer.manifest_sha256) {
    throw new Error(`"${path}" is not what the pointer says (${bytes.length} bytes)`);
  }
  return parseManifest(bytes);
}

/** Reads one of the files that the manifest holds a hash of; errors as {@link readManifest}. */
export async function readListed(
  source: Source,
  { root, manifest, name }: { root: string; manifest: Manifest; name: keyof Manifest["files"] },
): Promise<Uint8Array> {
  const bytes = await readObject(source, `${root}/${name}`);
  const { bytes: size, sha256 } = manifest.files[name];
  if (bytes.length !== size || await sha256Hex(bytes) !== sha256) {
    throw new Error(
      `"${root}/${name}" is not what the manifest says (${bytes.length} bytes, ${size} expected)`,
    );
  }
  return bytes;
}

/**
 * Reads an object that must be there.
 *
 * @throws {Error} When it is not.
 */
export async function readObject(source: Source, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await source.get(path);
  if (bytes === null) throw new Error(`"${path}" is missing`);
  return bytes;
}

/** The objects that both the manifest and the list of hashes know; what only one knows is a problem. */
export function expectedObjects(
  manifest: Manifest,
  { sums, problems }: { sums: Map<string, string>; problems: string[] },
): Expected[] {
  const unclaimed = new Set(sums.keys());
  const objects: Expected[] = [];
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

const LINE = /^([0-9a-f]{64}) [ *]([a-z]+(?:\/[a-z0-9]+)*(?:\.[a-z]+)+)$/;

/**
 * Reads the list: path to SHA-256, hex.
 *
 * @throws {SyntaxError} When a line is no hash and path, or a path stands twice.
 */
export function parseSums(text: string): Map<string, string> {
  const sums = new Map<string, string>();
  const lines = text.split("\n");
  if (lines.pop() !== "") throw new SyntaxError("Cannot read SHA256SUMS: the last line is cut");
  for (const [i, line] of lines.entries()) {
    const [, sha256, path] = LINE.exec(line) ?? [];
    if (sha256 === undefined || path === undefined || sums.has(path)) {
      throw new SyntaxError(`Cannot read SHA256SUMS: line ${i + 1} is malformed`);
    }
    sums.set(path, sha256);
  }
  return sums;
}

/** SHA-256 of bytes, hex. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
