/**
 * Reads an input file in chunks, plain or gzipped, hashed as stored.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { createGunzip } from "node:zlib";
import { Readable } from "node:stream";
import { messageOf } from "../text.ts";

interface Input {
  /** Decompressed bytes. A chunk is only valid until the next one is requested. */
  chunks: AsyncIterable<Uint8Array>;
  /** Bytes of the stored file read so far. */
  readonly bytesRead: number;
  /** SHA-256 of the stored file, hex, if requested. Call it after all chunks have been read. */
  sha256(): string | undefined;
}

const CHUNK_BYTES = 1 << 22;

/**
 * Opens a file; gzip is recognized by its first two bytes, not by its name.
 *
 * @param options.hash Whether to hash: a third of the reading time on a processor without SHA.
 * @throws {Error} While reading, when the gzip data is damaged or cut short.
 */
export function openInput(path: string, options: { hash: boolean }): Input {
  const hash = options.hash ? createHash("sha256") : undefined;
  let bytesRead = 0;
  async function* stored(): AsyncGenerator<Uint8Array> {
    using file = await Deno.open(path);
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const read = await file.read(buffer);
      if (read === null) return;
      const chunk = buffer.subarray(0, read);
      hash?.update(chunk);
      bytesRead += read;
      yield chunk;
    }
  }
  return {
    chunks: plainOrGunzipped(stored(), path),
    get bytesRead() {
      return bytesRead;
    },
    sha256: () => hash?.digest("hex"),
  };
}

async function* plainOrGunzipped(
  stored: AsyncGenerator<Uint8Array>,
  path: string,
): AsyncGenerator<Uint8Array> {
  const first = await stored.next();
  if (first.done) return;
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield first.value;
    yield* stored;
    return;
  }
  async function* copies(): AsyncGenerator<Uint8Array> {
    yield first.value!.slice();
    for await (const chunk of stored) yield chunk.slice();
  }
  const gunzip = createGunzip({ chunkSize: 1 << 20 });
  const source = Readable.from(copies());
  source.once("error", (error: Error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip);
  } catch (error) {
    throw new Error(
      `Cannot read ${path}: the gzip data is damaged or cut short (${
        messageOf(error)
      }). Fetch it again`,
      { cause: error },
    );
  }
}
