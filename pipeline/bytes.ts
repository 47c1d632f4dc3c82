/**
 * Byte arrays: joined, and decompressed within a bound. Web APIs only.
 *
 * @module
 */

/** Chunks of a stream as one array; `length` is the sum of theirs. A single chunk is returned as is. */
export function concat(
  chunks: readonly Uint8Array<ArrayBuffer>[],
  length: number,
): Uint8Array<ArrayBuffer> {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/**
 * Decompresses gzip. Bytes that are not gzip are returned as they are: some hosts serve `.gz` objects
 * with `Content-Encoding: gzip`, and fetch has then decompressed them.
 *
 * @throws {TypeError} When the stream is damaged.
 * @throws {RangeError} When it decompresses to more than `maxBytes`.
 */
export async function gunzip(
  bytes: Uint8Array<ArrayBuffer>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const stream = new DecompressionStream("gzip");
  // A pipe would cost as much again. Errors reach the readable side.
  const writer = stream.writable.getWriter();
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  for await (const chunk of stream.readable) {
    length += chunk.length;
    if (length > maxBytes) throw new RangeError(`more than ${maxBytes} bytes unpacked`);
    chunks.push(chunk);
  }
  return concat(chunks, length);
}
