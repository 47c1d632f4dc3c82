/**
 * Files of the index as they are written. Equal content is equal bytes.
 *
 * @module
 */

import { pack, sha256 } from "../../snapshot/writer.ts";

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
  return writePlain(to, { path, bytes: pack(bytes, GZIP_LEVEL) });
}

/** Writes a file as it is. */
export function writePlain(
  to: string,
  { path, bytes }: { path: string; bytes: Uint8Array },
): FileSum {
  Deno.writeFileSync(`${to}/${path}`, bytes);
  return { path, bytes: bytes.length, sha256: sha256(bytes) };
}
