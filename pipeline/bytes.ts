/**
 * Joins, hashes and decompresses byte arrays. Web APIs only.
 *
 * @module
 */

/** Joins the chunks of a stream. `length` is the total of their lengths. A single chunk is returned as is. */
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

/** SHA-256 of bytes, in lowercase hexadecimal. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Node's zlib, which takes half as long as `DecompressionStream`; undefined in browsers. */
const ZLIB = globalThis.process?.getBuiltinModule?.("node:zlib");

/**
 * Decompresses gzip. Bytes that are not gzip are returned as is: some hosts serve `.gz` objects with
 * `Content-Encoding: gzip`, so fetch has already decompressed them.
 *
 * @throws {Error} When the data is corrupt.
 * @throws {RangeError} When it decompresses to more than `maxBytes`.
 */
export async function gunzip(
  bytes: Uint8Array<ArrayBuffer>,
  maxBytes: number,
  zlib: typeof ZLIB | null = ZLIB,
): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  if (zlib) return gunzipSync(bytes, maxBytes, zlib);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const stream = new DecompressionStream("gzip");
  // Written directly, because a pipe would double the cost. Errors are ignored here, because reading throws them too.
  const writer = stream.writable.getWriter();
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  for await (const chunk of stream.readable) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return concat(chunks, length);
}

function gunzipSync(
  bytes: Uint8Array<ArrayBuffer>,
  maxBytes: number,
  zlib: NonNullable<typeof ZLIB>,
): Uint8Array<ArrayBuffer> {
  // The last four bytes of a gzip stream are its decompressed length, so one buffer is enough.
  const end = bytes.subarray(-4);
  const length = new DataView(end.buffer, end.byteOffset).getUint32(0, true);
  if (length > maxBytes) throw tooLarge(maxBytes);
  // 8 KiB extra, so that Node allocates a buffer of its own instead of using its shared pool for small buffers.
  const text = zlib.gunzipSync(bytes, { chunkSize: length + 8_192, maxOutputLength: maxBytes });
  if (text.length !== length) throw new TypeError("more than one gzip stream");
  return text as Uint8Array<ArrayBuffer>;
}

function tooLarge(maxBytes: number): RangeError {
  return new RangeError(`more than ${maxBytes} bytes unpacked`);
}
