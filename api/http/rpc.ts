/**
 * JSON-RPC 2.0 messages, which MCP and A2A are made of.
 *
 * @module
 */

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
