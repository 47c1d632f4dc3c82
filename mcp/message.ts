/**
 * JSON-RPC at the edge: reading one message of a body, and the errors that are told before, or
 * instead of, any server.
 *
 * @module
 */

import { ProtocolErrorCode, readRequestBody } from "@modelcontextprotocol/server";

/** Bytes of a body at most: the biggest sensible call is a search of 200 characters. */
export const MAX_BODY_BYTES = 64 * 1024;

/** The id of a request, echoed in its error. */
export type MessageId = string | number;

/** A refusal that becomes the answer. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  /** @param status HTTP status. */
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
  ) {
    super(message);
  }

  /** The answer; without an id where none could be read, because null is no id. */
  response(id?: MessageId): Response {
    const { code, message } = this;
    return Response.json({
      jsonrpc: "2.0",
      ...(id === undefined ? {} : { id }),
      error: { code, message },
    }, { status: this.status });
  }
}

/**
 * Reads the one message that a POST may carry, as an object that names a method and, if any, a
 * string or integer id. Arrays are refused: a batch of a call and its own cancellation never ends.
 *
 * @throws {Refusal} When the body is anything else.
 */
export async function readMessage(request: Request): Promise<Record<string, unknown>> {
  const body = await readRequestBody(request, MAX_BODY_BYTES).catch(() => {
    throw new Refusal(400, ProtocolErrorCode.ParseError, "Cannot read the body");
  });
  if (body.tooLarge) {
    throw new Refusal(
      413,
      ProtocolErrorCode.InvalidRequest,
      `Cannot take this body: it is longer than ${MAX_BODY_BYTES} bytes`,
    );
  }
  const message = parse(body.text);
  if (Array.isArray(message)) throw invalid("it is an array; send one message a request");
  if (typeof message !== "object" || message === null) throw invalid("it is not an object");
  const { jsonrpc, method, id } = message as Record<string, unknown>;
  if (jsonrpc !== "2.0") throw invalid('it lacks "jsonrpc": "2.0"');
  if (typeof method !== "string") throw invalid("it names no method");
  if (Object.hasOwn(message, "id") && !isId(id)) throw invalid("its id is no string or integer");
  return message as Record<string, unknown>;
}

/** The id of a message that was read, undefined for a notification. */
export function idOf(message: Record<string, unknown>): MessageId | undefined {
  return message.id as MessageId | undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, ProtocolErrorCode.ParseError, "Cannot parse the body: it is not JSON");
  }
}

function invalid(why: string): Refusal {
  return new Refusal(400, ProtocolErrorCode.InvalidRequest, `Cannot use this message: ${why}`);
}

function isId(value: unknown): value is MessageId {
  return typeof value === "string" || Number.isSafeInteger(value);
}
