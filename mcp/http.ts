/**
 * MCP over HTTP at `/mcp`: the stateless revision 2026-07-28, and older revisions without sessions.
 *
 * @module
 */

import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  ProtocolErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { readJsonBody } from "../api/http/body.ts";
import { type RpcId, type RpcMessage, rpcProblem } from "../api/http/rpc.ts";
import type { ServiceError } from "../api/operations/errors.ts";
import { show } from "../api/operations/numbers.ts";
import type { SurfaceDeps } from "../api/operations/operation.ts";
import { abortable } from "../pipeline/retry.ts";
import { PROTOCOL_VERSIONS } from "./card.ts";

/** Answers a request; never throws. */
export type McpEndpoint = (request: Request) => Promise<Response>;

export interface EndpointOptions extends Pick<SurfaceDeps, "baseUrl" | "log" | "signal"> {
  factory: McpServerFactory;
  /** Milliseconds for reading and answering a request. @default {10000} */
  deadline?: number;
}

const DEADLINE_MS = 10_000;
const METHODS = "POST, OPTIONS";

const PREFLIGHT = {
  "Allow": METHODS,
  "Access-Control-Allow-Methods": METHODS,
  "Access-Control-Allow-Headers":
    "Accept, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, X-Request-Id",
  "Access-Control-Max-Age": "86400",
  "Cache-Control": "no-store",
};

/** Headers of refusals, by status. */
const REFUSAL_HEADERS: Readonly<Record<number, HeadersInit>> = {
  405: { "Allow": METHODS },
  503: { "Retry-After": "10" },
};

/** Maximum size of a body in bytes. Generous, because the largest reasonable call is a search for 200 characters. */
const MAX_BODY_BYTES = 64 * 1024;

/** An error that refuses the request. */
class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    message: string,
    readonly code: number = ProtocolErrorCode.InvalidRequest,
    readonly data?: object,
  ) {
    super(message);
  }

  /** The response. Has no id if none could be read, because MCP forbids a null id. */
  response(id?: RpcId): Response {
    const { status, code, message, data } = this;
    const error = { code, message, ...data && { data } };
    const init = { status, headers: REFUSAL_HEADERS[status] ?? {} };
    return Response.json({ jsonrpc: "2.0", id, error }, init);
  }
}

/** Creates the endpoint. The caller adds the service's common response headers. */
export function createMcpEndpoint(options: EndpointOptions): McpEndpoint {
  const { factory, baseUrl, log, signal, deadline = DEADLINE_MS } = options;
  const { hostname } = new URL(baseUrl);
  // The SDK also reports refused requests here, so this is used only if it answers with a 5xx.
  let reported: Error | undefined;
  const modern = createMcpHandler(factory, { onerror: (error) => reported = error });

  async function serve(message: RpcMessage, request: Request): Promise<Response> {
    // A subscription would keep its connection open forever, and the lists never change.
    if (message.method === "subscriptions/listen") {
      throw new Refusal(404, "Method not found", ProtocolErrorCode.MethodNotFound);
    }
    if (!await isLegacyRequest(request, message)) {
      const response = await modern.fetch(request, { parsedBody: message });
      if (response.status >= 500) throw reported;
      return response;
    }
    refuseUnknownVersion(message, request.headers);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = await factory({ era: "legacy", requestInfo: request });
    try {
      await server.connect(transport);
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      await server.close();
    }
  }

  return async (request) => {
    // Not request.signal, which Deno aborts after every response. If the client disconnects, the call runs
    // until the deadline.
    const clock = new AbortController();
    const timer = setTimeout(() => clock.abort(), deadline);
    const ended = signal === undefined ? clock.signal : AbortSignal.any([clock.signal, signal]);
    let id: RpcId | undefined;
    let response: Response;
    try {
      const refused = originProblem(request, hostname);
      if (refused !== null) throw new Refusal(403, refused);
      if (request.method === "OPTIONS") {
        return new Response(null, { status: 204, headers: PREFLIGHT });
      }
      if (request.method !== "POST") {
        const instead = `MCP messages come by POST; see ${baseUrl}/mcp/server-card`;
        throw new Refusal(405, `Cannot use this method here: ${instead}`);
      }
      const message = await readMessage(request, ended);
      id = message.id;
      const late = new Refusal(
        503,
        "Cannot answer in time: try again later",
        ProtocolErrorCode.InternalError,
      );
      response = await abortable(serve(message, withSignal(request, ended)), ended, late);
      if (response.status >= 400) response = await withId(response, id);
    } catch (error) {
      response = refusalOf(error, log).response(id);
    } finally {
      clearTimeout(timer);
    }
    response.headers.set("Cache-Control", "no-store");
    return response;
  };
}

function refusalOf(error: unknown, log: EndpointOptions["log"]): Refusal {
  if (error instanceof Refusal) return error;
  log(`mcp internal_error: ${error instanceof Error ? error.stack : String(error)}`);
  const internal = "Something went wrong inside the service";
  return new Refusal(500, internal, ProtocolErrorCode.InternalError);
}

/**
 * Refuses unknown protocol versions before the SDK does, because its refusal lists only the older revisions.
 *
 * @throws {Refusal}
 */
function refuseUnknownVersion({ method }: RpcMessage, headers: Headers): void {
  const version = headers.get("mcp-protocol-version");
  if (method === "initialize" || version === null) return;
  if (SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return;
  const supported = [PROTOCOL_VERSIONS[0], ...SUPPORTED_PROTOCOL_VERSIONS];
  throw new Refusal(
    400,
    `Unsupported protocol version: ${show(version)} (supported versions: ${supported.join(", ")})`,
    ProtocolErrorCode.UnsupportedProtocolVersion,
    { supported, requested: version },
  );
}

/**
 * Reads the message of a POST.
 *
 * @throws {Refusal} When the body is not a single JSON-RPC message.
 */
async function readMessage(request: Request, signal: AbortSignal): Promise<RpcMessage> {
  const reading = readJsonBody(request, { limitBytes: MAX_BODY_BYTES, signal }).catch((error) => {
    const { status, code, message } = error as ServiceError;
    const { ParseError, InvalidRequest } = ProtocolErrorCode;
    throw new Refusal(status, message, code === "invalid_body" ? ParseError : InvalidRequest);
  });
  const late = new Refusal(408, "Cannot wait longer for the body");
  const message = await abortable(reading, signal, late);
  const problem = rpcProblem(message);
  if (problem !== null) throw new Refusal(400, `Cannot use this message: ${problem}`);
  return message as RpcMessage;
}

/** Adds the request's id to a refusal from the SDK, which leaves it null in some. */
async function withId(refusal: Response, id?: RpcId): Promise<Response> {
  const { id: given, ...body } = await refusal.json();
  return Response.json({ ...body, id: given ?? id }, { status: refusal.status });
}

/** Copies the request without its body, which was read already, and with the headers that all revisions need. */
function withSignal({ url, headers }: Request, signal: AbortSignal): Request {
  const own = new Headers(headers);
  // The transport of older revisions refuses clients that do not accept both media types.
  own.set("Accept", "application/json, text/event-stream");
  return new Request(url, { method: "POST", headers: own, signal });
}

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Returns why the Host or Origin of a request must be refused, or null. A local service accepts only local Hosts and
 * local Origins, because another Host means DNS rebinding. A public service accepts any Host, because proxies rewrite
 * it, and any well-formed Origin, because the data is public and there are no credentials.
 *
 * @param hostname Host name of the service's base URL.
 */
function originProblem(request: Request, hostname: string): string | null {
  const isLocal = LOCAL.includes(hostname);
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (isLocal && !LOCAL.includes(URL.parse(`http://${host}`)?.hostname ?? "")) {
    return "Cannot answer for this Host: a local service answers local ones only; set BASE_URL";
  }
  const origin = request.headers.get("origin");
  // Any site's sandboxed frame sends "null", so a local service refuses it.
  if (origin === null || (origin === "null" && !isLocal)) return null;
  const url = URL.parse(origin);
  if (url === null || url.hostname === "" || url.origin === "null" && url.protocol === "data:") {
    return "Cannot read this Origin: it is not a URL";
  }
  if (isLocal && !LOCAL.includes(url.hostname)) {
    return "Cannot answer this Origin: a local service answers local pages only";
  }
  return null;
}
