/**
 * Stored bytes of the index to what they hold. Web APIs only.
 *
 * @module
 */

import { concat } from "../concat.ts";

const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Unpacks gzip; bytes that some host unpacked on the way are given back as they are.
 *
 * @throws {TypeError} When the stream is damaged.
 * @throws {RangeError} When it unpacks to more than any file of an index holds.
 */
export async function unpack(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (
    const chunk of new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
  ) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new RangeError("Cannot unpack search file: it is too large");
    chunks.push(chunk);
  }
  return concat(chunks, length);
}
