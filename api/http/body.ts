/**
 * Reads a request's body, of bounded size and in bounded time, as JSON or as bytes.
 *
 * @module
 */

import { concat } from "../../pipeline/bytes.ts";
import { ServiceError } from "../operations/errors.ts";
import { show } from "../operations/numbers.ts";
import type { SlotLimits, Slots } from "../state/slots.ts";

interface BodyLimits {
  limitBytes: number;
  /** Ends the wait for a body that stalls. @default 10 seconds */
  signal?: AbortSignal;
  /** The value of an empty body; without it, an empty body is an error. */
  empty?: unknown;
}

/** API bodies that are read at one time, each of at most 128 KiB: 16 MiB in total. */
export const SMALL_BODIES: SlotLimits = {
  total: 128,
  perClient: 32,
  waiting: 256,
  waitingPerClient: 64,
  patienceMs: 5_000,
};

/** Uploads to the site that are read at one time, each of at most 4 MiB: 16 MiB in total. */
export const LARGE_BODIES: SlotLimits = {
  total: 4,
  perClient: 1,
  waiting: 32,
  waitingPerClient: 4,
  patienceMs: 10_000,
};

const BODY_MS = 10_000;

/**
 * Takes a slot for a request's body. If the slot is lost, reading the body fails.
 *
 * @throws {ServiceError} As {@link Slots.take}.
 */
export async function admitBody(
  request: Request,
  { slots, client }: { slots: Slots; client: string },
): Promise<{ request: Request; release: () => void }> {
  let lose = (_: ServiceError): void => {};
  const slot = await slots.take(client, (error) => lose(error));
  const { release } = slot;
  if (request.body === null) return { request, release };
  const reader = request.body.getReader();
  const body = new ReadableStream({
    start(controller) {
      lose = (error) => {
        controller.error(error);
        reader.cancel().catch(() => {});
      };
    },
    async pull(controller) {
      slot.waits();
      const { done, value } = await reader.read();
      slot.moved(value?.length ?? 0);
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  return { request: new Request(request, { body }), release };
}

/**
 * Reads a body as JSON. See {@link readBytes} for its limits.
 *
 * @throws {ServiceError} `unsupported_media_type`, `payload_too_large` or `invalid_body`.
 */
export async function readJsonBody(request: Request, limits: BodyLimits): Promise<unknown> {
  checkType(request.headers);
  const bytes = await readBytes(request, limits);
  let text: string;
  try {
    // A byte order mark is dropped.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw invalid("Cannot read the body: not UTF-8", error);
  }
  if (text.trim() === "") {
    if (limits.empty !== undefined) return limits.empty;
    throw invalid("Cannot read the body: it is empty");
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    // V8 has the position of some errors; for others it quotes the text, which may be of any length.
    const [, position] = / at position (\d+) \(line \d+ column \d+\)$/.exec(String(error)) ?? [];
    const where = position === undefined ? "" : `: wrong at position ${Number(position) + 1}`;
    throw invalid(`Cannot parse the body as JSON${where}`, error);
  }
}

function checkType(headers: Headers): void {
  const [type = "", ...parameters] = (headers.get("content-type") ?? "").split(";");
  if (!/^application\/(?:[\w.+-]+\+)?json$/i.test(type.trim())) {
    throw new ServiceError(
      "unsupported_media_type",
      "Cannot read the body: send it as Content-Type: application/json",
    );
  }
  for (const parameter of parameters) {
    const [name, value = ""] = parameter.split("=");
    if (name!.trim().toLowerCase() !== "charset") continue;
    if (/^"?utf-?8"?$/i.test(value.trim())) continue;
    throw new ServiceError(
      "unsupported_media_type",
      `Cannot read the body: charset ${show(value.trim())}, send utf-8`,
    );
  }
  const coding = headers.get("content-encoding");
  if (coding !== null && coding.toLowerCase() !== "identity") {
    throw new ServiceError(
      "unsupported_media_type",
      "Cannot read the body: send it without a Content-Encoding",
    );
  }
}

/**
 * Reads a body. If it is too large, stops reading and throws.
 *
 * @throws {ServiceError} `payload_too_large`, or `invalid_body` when the body breaks off or does not arrive
 *   in time.
 */
export async function readBytes(
  request: Request,
  { limitBytes, signal = AbortSignal.timeout(BODY_MS) }: BodyLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length")) > limitBytes) {
    await request.body?.cancel().catch(() => {});
    throw tooLarge(limitBytes);
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  // Also ends a pending read.
  const cancel = (): void => void reader?.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    signal.throwIfAborted();
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      length += part.value.length;
      if (length > limitBytes) throw tooLarge(limitBytes);
      chunks.push(part.value);
    }
    signal.throwIfAborted();
    return concat(chunks, length);
  } catch (error) {
    cancel();
    if (error instanceof ServiceError) throw error;
    const how = signal.aborted ? "did not arrive in time" : "broke off";
    throw invalid(`Cannot read the body: it ${how}`, error);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

function tooLarge(limitBytes: number): ServiceError {
  return new ServiceError(
    "payload_too_large",
    `Cannot read the body: more than ${limitBytes} bytes`,
  );
}

function invalid(message: string, cause?: unknown): ServiceError {
  return new ServiceError("invalid_body", message, { cause });
}
