/**
 * Reads a request's input: parameters, a JSON body of bounded size, an idempotency key, a JSON-RPC message.
 *
 * @module
 */

import { concat } from "../../pipeline/bytes.ts";
import { ServiceError } from "../operations/errors.ts";
import { show } from "../operations/numbers.ts";
import { INTEGER_PATTERN, type Operation } from "../operations/operation.ts";
import type { SlotLimits, Slots } from "../state/slots.ts";

/**
 * Collects the path and query parameters that the operation knows and ignores others. Wrong values are
 * reported by the operation's schema, in the same words as on every other surface.
 *
 * @throws {ServiceError} When a known query parameter is given more than once.
 */
export function readParameters(
  operation: Operation,
  request: { url: string; path: Record<string, string> },
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  let query: URLSearchParams | undefined;
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    let text: string | undefined;
    if (parameter.in === "path") {
      text = request.path[name];
    } else {
      query ??= queryOf(request.url);
      const values = query.getAll(name);
      if (values.length > 1) {
        throw new ServiceError(
          parameter.code,
          `Cannot read ${name}: it is given ${values.length} times`,
        );
      }
      text = values[0];
    }
    if (text !== undefined) {
      input[name] = parameter.integer && INTEGER_PATTERN.test(text) ? Number(text) : text;
    }
  }
  return input;
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}

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

export const MAX_KEY = 200;

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
    throw invalid(`Cannot parse the body as JSON: ${whereBroken(text, error)}`, error);
  }
}

/**
 * Reads `Idempotency-Key`; null if there is none. Its draft defines it as a quoted string. A value without
 * quotes is accepted too, and is the same key.
 *
 * @throws {ServiceError} `invalid_body` when it is not 1 to 200 characters, contains control characters, or
 *   is given more than once.
 */
export function readIdempotencyKey(headers: Headers): string | null {
  const value = headers.get("idempotency-key");
  if (value === null) return null;
  const key = value.startsWith('"') ? unquoted(value) : value;
  // Several header lines arrive joined by a comma and a space.
  if (key === null || (key === value && key.includes(", "))) {
    throw invalid("Cannot read Idempotency-Key: give one string, quoted when it contains a comma");
  }
  if (key.length === 0 || key.length > MAX_KEY) {
    throw invalid(
      `Cannot use Idempotency-Key of ${key.length} characters: give 1 to ${MAX_KEY}`,
    );
  }
  // deno-lint-ignore no-control-regex -- they are what is looked for
  if (/[\x00-\x1f\x7f]/.test(key)) {
    throw invalid("Cannot use Idempotency-Key: it contains control characters");
  }
  return key;
}

/** The content of a Structured Fields string (RFC 9651); null if the text is not one. */
function unquoted(text: string): string | null {
  const match = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text);
  return match === null ? null : match[1]!.replace(/\\(.)/g, "$1");
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

/**
 * States at which position JSON is malformed, counted from 1, without quoting it. V8 reports the position of
 * most errors, but for an unexpected token it quotes the text instead. In that case, the position is
 * found by searching for the shortest prefix that has the error.
 */
function whereBroken(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const [, position] = / at position (\d+) \(line \d+ column \d+\)$/.exec(message) ?? [];
  if (position !== undefined) return `wrong at position ${Number(position) + 1}`;
  if (!message.startsWith("Unexpected token")) return "it ends too early";
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (hasUnexpectedToken(text.slice(0, middle))) bad = middle;
    else good = middle;
  }
  return `wrong at position ${bad}`;
}

function hasUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith("Unexpected token");
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

export type RpcId = string | number;

export const RPC_CODES = {
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL_ERROR: -32603,
} as const;

export interface RpcMessage {
  method: string;
  id?: RpcId;
  params?: unknown;
  [member: string]: unknown;
}

/**
 * Why a JSON value is not a message that we accept; null if it is: an object with a method and, optionally,
 * an id that is a string or an integer. Batches are refused, because a batch of a call and its own
 * cancellation would never end.
 */
export function rpcProblem(message: unknown): string | null {
  if (Array.isArray(message)) return "it is an array; send one message a request";
  if (typeof message !== "object" || message === null) return "it is not an object";
  const { jsonrpc, method, id } = message as Record<string, unknown>;
  if (jsonrpc !== "2.0") return 'it lacks "jsonrpc": "2.0"';
  if (typeof method !== "string") return "it names no method";
  if (Object.hasOwn(message, "id") && !isRpcId(id)) return "its id is not a string or an integer";
  return null;
}

export function isRpcId(value: unknown): value is RpcId {
  return typeof value === "string" || Number.isSafeInteger(value);
}
