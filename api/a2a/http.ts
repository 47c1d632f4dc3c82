/**
 * A2A 1.0 over HTTP: each POST has one JSON-RPC message and gets one in return.
 *
 * @module
 */

import type { SurfaceDeps } from "../operations/operation.ts";
import { failureOf, MAX_BODY } from "../ask/http.ts";
import { readJsonBody } from "../http/body.ts";
import { isRpcId, type RpcMessage, rpcProblem } from "../http/rpc.ts";
import type { Mount } from "../http/exchange.ts";
import { ServiceError } from "../operations/errors.ts";
import { show } from "../operations/numbers.ts";
import { abortable } from "../../pipeline/retry.ts";
import { A2aError, type A2aReason, call } from "./methods.ts";

export interface A2aDeps extends SurfaceDeps {
  /** Milliseconds for reading a request and answering it. @default {10000} */
  deadline?: number;
}

export const A2A_VERSION = "1.0";

const DEADLINE_MS = 10_000;

/** `Retry-After` in seconds when the deadline has passed. */
const RETRY_AFTER = 10;

/** A2A reasons for bodies that cannot be read, by the error code of `readJsonBody`. */
const UNREADABLE: Readonly<Record<string, A2aReason>> = {
  unsupported_media_type: "CONTENT_TYPE_NOT_SUPPORTED",
  payload_too_large: "INVALID_REQUEST",
  invalid_body: "PARSE_ERROR",
};

export function a2aMount(deps: A2aDeps): Mount {
  return { path: "/a2a", methods: ["POST"], fetch: (request) => a2a(request, deps) };
}

/**
 * Answers a POST; never throws. The caller applies rate limits and adds the common headers. If the client
 * disconnects, the call still runs until it finishes or the deadline passes.
 */
export async function a2a(request: Request, deps: A2aDeps): Promise<Response> {
  const deadline = AbortSignal.timeout(deps.deadline ?? DEADLINE_MS);
  const signal = deps.signal === undefined ? deadline : AbortSignal.any([deadline, deps.signal]);
  const timed = { ...deps, signal };
  const answer = (content: object, init?: ResponseInit): Response =>
    // JSON-RPC requires a null id if the message's id could not be read.
    Response.json({ jsonrpc: "2.0", id: isRpcId(id) ? id : null, ...content }, init);
  const headers = { "Cache-Control": "no-store" };
  let id: unknown = null;
  try {
    const body = await readJsonBody(request, { limitBytes: MAX_BODY, signal });
    id = Object(body).id;
    const message = messageIn(body);
    checkVersion(request.headers.get("a2a-version"));
    return answer({ result: await abortable(call(message, timed), signal) }, { headers });
  } catch (thrown) {
    const error = toA2aError(thrown, timed);
    const { status = 200, retryAfter } = error.options;
    const wait = status === 503 && { "Retry-After": String(retryAfter) };
    return answer({ error: error.body() }, { status, headers: { ...headers, ...wait } });
  }
}

function messageIn(body: unknown): RpcMessage {
  // No method has side effects, so running a notification would be wasted work.
  const problem = rpcProblem(body) ??
    (Object.hasOwn(body as RpcMessage, "id") ? null : "it has no id, so it could not be answered");
  if (problem === null) return body as RpcMessage;
  throw new A2aError("INVALID_REQUEST", `Cannot use this message: ${problem}`, { status: 400 });
}

/** Accepts version 1.0 with any patch number, and clients that name no version. */
function checkVersion(version: string | null): void {
  const named = version?.trim() ?? "";
  if (named === "" || /^1\.0(?:\.\d+)?$/.test(named)) return;
  const message = `Cannot speak A2A ${show(named)}: the version is ${A2A_VERSION}`;
  throw new A2aError("VERSION_NOT_SUPPORTED", message, {
    metadata: { supportedVersions: A2A_VERSION },
  });
}

/** Maps a thrown error to the one that the caller gets. Logs it if the service is at fault. */
function toA2aError(thrown: unknown, deps: A2aDeps): A2aError {
  if (thrown instanceof A2aError) return thrown;
  if (thrown instanceof ServiceError && thrown.code in UNREADABLE) {
    const { status, message } = thrown;
    return new A2aError(UNREADABLE[thrown.code]!, message, { status });
  }
  if (deps.signal?.aborted) {
    const message = "Cannot answer in time: try again later";
    return new A2aError("INTERNAL_ERROR", message, { status: 503, retryAfter: RETRY_AFTER });
  }
  const { error: { message }, status, headers } = failureOf(thrown, deps);
  const retryAfter = Number(headers["Retry-After"]) || undefined;
  return new A2aError("INTERNAL_ERROR", message, { status, retryAfter });
}
