/**
 * Bodies that are produced while they are read: with backpressure, compressed, and ended when the reader
 * disconnects.
 *
 * @module
 */

import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { parseAccept } from "hono/utils/accept";
import type { After } from "../../pipeline/clock.ts";

const STALL_MS = 30_000;

interface StreamOptions {
  after: After;
  /** Aborted when the stream ends, fails or is canceled; aborting it ends the stream. */
  control?: AbortController;
}

/** A body of parts, each produced on demand. A reader that stalls or disconnects ends the work. */
export function streamOf(
  parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  { after, control = new AbortController() }: StreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = parts[Symbol.asyncIterator]();
  let cancelStall = (): void => {};
  function stop(): void {
    cancelStall();
    // Aborted first, so that a part in progress is abandoned.
    control.abort();
    iterator.return?.(undefined).catch(() => {});
  }
  function watch(controller: ReadableStreamDefaultController): void {
    cancelStall = after(STALL_MS, () => {
      controller.error(new Error("The body was not read"));
      stop();
    });
  }
  return new ReadableStream({
    start(controller) {
      control.signal.addEventListener("abort", () => {
        controller.error(control.signal.reason);
        stop();
      }, { once: true });
      // Starts here, because the body may never be read.
      watch(controller);
    },
    async pull(controller) {
      cancelStall();
      try {
        const { done, value } = await iterator.next();
        if (done) {
          controller.close();
          return stop();
        }
        controller.enqueue(value);
      } catch (error) {
        stop();
        throw error;
      }
      watch(controller);
    },
    cancel: stop,
  }, { highWaterMark: 0 });
}

/** The cheapest level of gzip: carriers' JSON shrinks to a ninth, in 2 ms per megabyte. */
const LEVEL = 1;

/** `finishFlush` of a part that others follow. */
const SYNC_FLUSH = 2;

const HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
const LAST_BLOCK = [3, 0];

/** One gzip stream in parts, each of which can be read immediately; the platform's stream would buffer them. */
export class Gzip {
  #begun = false;
  #crc = 0;
  #length = 0;

  part(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    this.#crc = crc32(bytes, this.#crc);
    this.#length += bytes.length;
    const packed = deflateRawSync(bytes, { level: LEVEL, finishFlush: SYNC_FLUSH });
    const head = this.#begun ? [] : HEADER;
    this.#begun = true;
    const part = new Uint8Array(head.length + packed.length);
    part.set(head);
    part.set(packed, head.length);
    return part;
  }

  end(): Uint8Array<ArrayBuffer> {
    const part = new Uint8Array(LAST_BLOCK.length + 8);
    part.set(LAST_BLOCK);
    const view = new DataView(part.buffer, LAST_BLOCK.length);
    view.setUint32(0, this.#crc, true);
    view.setUint32(4, this.#length, true);
    return part;
  }
}

/** Decompresses a complete {@link Gzip} stream part by part. The last part has no data, so it is skipped. */
export function* unpackedParts(
  parts: readonly Uint8Array<ArrayBuffer>[],
): Generator<Uint8Array<ArrayBuffer>, void, void> {
  for (const [n, part] of parts.slice(0, -1).entries()) {
    const packed = n === 0 ? part.subarray(HEADER.length) : part;
    yield inflateRawSync(packed, { finishFlush: SYNC_FLUSH }) as Uint8Array<ArrayBuffer>;
  }
}

export function acceptsGzip(header: string | null): boolean {
  if (header === null) return false;
  // As browsers and curl send it.
  if (!header.includes(";")) return /\bgzip\b|\*/i.test(header);
  const weights = new Map(parseAccept(header.toLowerCase()).map(({ type, q }) => [type, q]));
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}
