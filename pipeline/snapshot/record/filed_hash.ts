/**
 * The hash of all filed rows: a sum, so that a client updates it carrier by carrier in any order.
 * FORMAT.md, "Changes of a day", has test vectors.
 *
 * @module
 */

import { sha256 } from "../../sha256.ts";

/** The first 64 bits of the SHA-256 of a filed row's JSON text. */
export function rowHash(filed: readonly unknown[]): bigint {
  return BigInt(`0x${sha256(JSON.stringify(filed)).slice(0, 16)}`);
}

/** A sum of hashes modulo 2^64 as 16 digits. */
export function hashText(sum: bigint): string {
  return BigInt.asUintN(64, sum).toString(16).padStart(16, "0");
}

/** The sum for such digits. */
export function hashOf(text: string): bigint {
  return BigInt(`0x${text}`);
}
