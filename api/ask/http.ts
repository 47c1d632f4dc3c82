/**
 * `/ask` over HTTP: NLWeb 0.55, as JSON or as server-sent events.
 *
 * @module
 */

import { type AskHttpDeps, blame, collect } from "./reply.ts";
import { readQuestion, RequestProblem } from "./request.ts";
import { type AskResponse, type Failure, NLWEB_VERSION, RESPONSE_FORMAT } from "./schemas.ts";
import { stream } from "./stream.ts";
import { understand } from "./understand.ts";

export type { AskHttpDeps };

/**
 * Answers a request and never throws. Rate limits and the headers of every answer are the caller's.
 * Work ends when `deps.signal` is aborted or the reader of a stream is gone.
 */
export async function ask(request: Request, deps: AskHttpDeps): Promise<Response> {
  try {
    const question = await readQuestion(request);
    const understood = question.query === "" ? null : understand(question.query, question.prev);
    const asked = { question, understood };
    return question.streaming ? stream(asked, deps) : json(await collect(asked, deps));
  } catch (error) {
    if (error instanceof RequestProblem) {
      const { status, code, message } = error;
      const allow: Record<string, string> = status === 405 ? { Allow: "POST, GET, HEAD" } : {};
      return json(failed({ code, message }), { status, headers: allow });
    }
    const { failure, status, headers } = blame(error, deps);
    return json(failed(failure), { status, headers });
  }
}

function failed(error: Failure): AskResponse {
  const _meta = {
    response_type: "failure",
    response_format: RESPONSE_FORMAT,
    version: NLWEB_VERSION,
  } as const;
  return { _meta, error };
}

function json(
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return new Response(bytes, {
    status,
    headers: {
      // Told, because an answer to HEAD has the length but not the body.
      "Content-Length": String(bytes.length),
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      ...headers,
    },
  });
}
