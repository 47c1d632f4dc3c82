/**
 * JSON-RPC 2.0 at the edge: what every endpoint that speaks it makes sure of.
 *
 * @module
 */

/** The id of a request, echoed in its answer. */
export type RpcId = string | number;

/** Codes of JSON-RPC 2.0. */
export const RPC_CODES = {
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL_ERROR: -32603,
} as const;

/** A message that names a method. */
export interface RpcMessage {
  method: string;
  id?: RpcId;
  params?: unknown;
  [member: string]: unknown;
}

/**
 * Tells why a JSON value is no message that is served, null when it is one: an object that names a
 * method and, if any, a string or integer id. Batches are refused: a batch of a call and its own
 * cancellation never ends.
 */
export function rpcProblem(message: unknown): string | null {
  if (Array.isArray(message)) return "it is an array; send one message a request";
  if (typeof message !== "object" || message === null) return "it is not an object";
  const { jsonrpc, method, id } = message as Record<string, unknown>;
  if (jsonrpc !== "2.0") return 'it lacks "jsonrpc": "2.0"';
  if (typeof method !== "string") return "it names no method";
  if (Object.hasOwn(message, "id") && !isRpcId(id)) return "its id is no string or integer";
  return null;
}

/** Tells whether a value can be the id of a request. */
export function isRpcId(value: unknown): value is RpcId {
  return typeof value === "string" || Number.isSafeInteger(value);
}
