/**
 * JSON-RPC messages: reading the one message of a request body, and error responses.
 *
 * @module
 */

import { ProtocolErrorCode, readRequestBody } from "@modelcontextprotocol/server";
import { type RpcId, type RpcMessage, rpcProblem } from "../api/http/input.ts";

/** Bytes of a body at most: the biggest sensible call is a search of 200 characters. */
export const MAX_BODY_BYTES = 64 * 1024;

/** An error message; without an id where none could be read, because MCP forbids a null id. */
export function errorMessage(error: { code: number; message: string; data?: unknown }, id?: RpcId) {
  return { jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error };
}

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

  response(id?: RpcId): Response {
    const { status, code, message } = this;
    return Response.json(errorMessage({ code, message }, id), { status });
  }
}

/**
 * Reads the one message of a POST.
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
  let message: unknown;
  try {
    message = JSON.parse(body.text);
  } catch {
    throw new Refusal(400, ProtocolErrorCode.ParseError, "Cannot parse the body: it is not JSON");
  }
  const problem = rpcProblem(message);
  if (problem !== null) {
    throw new Refusal(400, ProtocolErrorCode.InvalidRequest, `Cannot use this message: ${problem}`);
  }
  return message as RpcMessage;
}
