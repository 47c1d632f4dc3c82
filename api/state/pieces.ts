/**
 * Bytes of any length in values that a store takes: gzipped pieces.
 *
 * @module
 */

import { gunzipSync, gzipSync } from "node:zlib";

/** Bytes of a piece, at most: a value has 65,536, and others may stand beside it. */
export const PIECE_BYTES = 60_000;

// JSON of carriers packs to a ninth at level 1, in 2 ms a megabyte: level 3 saves a third more for
// twice the time, and handing the work to another thread costs more than it frees.
const SLICE_BYTES = 384 * 1024;
const LEVEL = 1;

/** Packs bytes into pieces of at most {@link PIECE_BYTES}, none for no bytes. */
export function pack(bytes: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    packSlice(bytes.subarray(at, at + SLICE_BYTES), pieces);
  }
  return pieces;
}

/**
 * Gives the bytes back, a piece at a time.
 *
 * @throws {Error} When a piece is damaged.
 */
export async function* unpack(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  for await (const piece of pieces) yield new Uint8Array(gunzipSync(piece));
}

function packSlice(slice: Uint8Array, pieces: Uint8Array<ArrayBuffer>[]): void {
  const packed = gzipSync(slice, { level: LEVEL });
  if (packed.length > PIECE_BYTES) {
    const half = slice.length >> 1;
    packSlice(slice.subarray(0, half), pieces);
    packSlice(slice.subarray(half), pieces);
  } else {
    // A copy: a store would keep the whole buffer of which this may be a part.
    pieces.push(new Uint8Array(packed));
  }
}
