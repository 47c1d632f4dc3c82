/**
 * Files of the index as they are written. Equal content is equal bytes.
 *
 * @module
 */

import { gzipSync } from "node:zlib";
import { sha256 } from "../snapshot/writer.ts";

/** A file as written, by path below the snapshot's folder. */
export interface FileSum {
  path: string;
  bytes: number;
  sha256: string;
}

/** Level 6 takes a quarter longer to save one byte in a hundred. */
const GZIP_LEVEL = 4;

/** Writes a file compressed. */
export function writePacked(
  to: string,
  { path, bytes }: { path: string; bytes: Uint8Array },
): FileSum {
  const packed = gzipSync(bytes, { level: GZIP_LEVEL });
  // The tenth byte names the system that compressed: the same everywhere, or bytes would differ.
  packed[9] = 255;
  return writePlain(to, { path, bytes: packed });
}

/** Writes a file as it is. */
export function writePlain(
  to: string,
  { path, bytes }: { path: string; bytes: Uint8Array },
): FileSum {
  Deno.writeFileSync(`${to}/${path}`, bytes);
  return { path, bytes: bytes.length, sha256: sha256(bytes) };
}
