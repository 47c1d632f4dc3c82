/**
 * JSON-RPC at the edge: reading one message of a body, and the errors that are told before, or instead of, any server.
 *
 * @module
 */

import { ProtocolErrorCode, readRequestBody } from "@modelcontextprotocol/server";
import { type RpcId, type RpcMessage, rpcProblem } from "../api/http/input.ts";

/** Bytes of a body at most: the biggest sensible call is a search of 200 characters. */
export const MAX_BODY_BYTES = 64 * 1024;

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
  response(id?: RpcId): Response {
    const { code, message } = this;
    return Response.json({
      jsonrpc: "2.0",
      ...(id === undefined ? {} : { id }),
      error: { code, message },
    }, { status: this.status });
  }
}

/**
 * Reads the one message that a POST may carry.
 *
 * @throws {Refusal} When the body is anything else.
 */
export async function readMessage(request: Request): Promise<RpcMessage> {
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
  const problem = rpcProblem(message);
  if (problem !== null) {
    throw new Refusal(400, ProtocolErrorCode.InvalidRequest, `Cannot use this message: ${problem}`);
  }
  return message as RpcMessage;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, ProtocolErrorCode.ParseError, "Cannot parse the body: it is not JSON");
  }
}
