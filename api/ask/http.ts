/**
 * `/ask` over HTTP: NLWeb 0.55, as JSON or as server-sent events.
 *
 * @module
 */

import { ServiceError } from "../operations/errors.ts";
import { answer, type Ending } from "./answer.ts";
import { ASK_ANYTHING } from "./elicit.ts";
import { summaryItem } from "./items.ts";
import { type Question, readQuestion, RequestProblem } from "./request.ts";
import { type AskDeps, openDesk } from "./run.ts";
import {
  type AskResponse,
  type AskResult,
  type Failure,
  NLWEB_VERSION,
  RESPONSE_FORMAT,
} from "./schemas.ts";
import { understand } from "./understand.ts";
import type { Understanding } from "./understanding.ts";

/** What the handler is wired from. */
export interface AskHttpDeps extends AskDeps {
  /** Told of answers that are the service's own fault. */
  log: (line: string) => void;
}

/** A question on its way, `understood` null when there was none. */
interface Asked {
  question: Question;
  understood: Understanding | null;
}

type Meta = AskResponse["_meta"];

/**
 * Answers a request and never throws. Rate limits and the headers of every answer are the caller's.
 * Work ends when `deps.signal` is aborted or the reader of a stream is gone.
 */
export async function ask(request: Request, deps: AskHttpDeps): Promise<Response> {
  try {
    const question = await readQuestion(request);
    const understood = question.query === "" ? null : understand(question.query, question.prev);
    const asked = { question, understood };
    return question.streaming ? stream(asked, deps) : await whole(asked, deps);
  } catch (error) {
    if (error instanceof RequestProblem) {
      const { status, code, message } = error;
      const allow: Record<string, string> = status === 405 ? { Allow: "POST, GET, HEAD" } : {};
      return json(failed({ code, message }), status, allow);
    }
    const { failure, status, headers } = blame(error, deps);
    return json(failed(failure), status, headers);
  }
}

async function whole(asked: Asked, deps: AskHttpDeps): Promise<Response> {
  const results: AskResult[] = [];
  const work = begin(asked, deps);
  for (;;) {
    const step = await work.next();
    if (!step.done) {
      results.push(step.value);
      continue;
    }
    const { type, ...content } = step.value;
    const _meta = metaOf(type, asked);
    return json(type === "answer" ? { _meta, results } : { _meta, ...content });
  }
}

/** One event a pull: nothing is worked out that is not sent, and none waits for the next. */
function stream(asked: Asked, deps: AskHttpDeps): Response {
  const gone = new AbortController();
  const signal = deps.signal === undefined
    ? gone.signal
    : AbortSignal.any([deps.signal, gone.signal]);
  const events = eventsOf(asked, { ...deps, signal });
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const step = await events.next();
      if (step.done) controller.close();
      else controller.enqueue(encoder.encode(step.value));
    },
    async cancel(reason) {
      gone.abort(reason);
      await events.return();
    },
  }, { highWaterMark: 0 });
  return new Response(body, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      // `no-transform`: a proxy that compresses holds events back.
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    },
  });
}

async function* eventsOf(asked: Asked, deps: AskHttpDeps): AsyncGenerator<string, void, void> {
  const likely = asked.understood?.outcome === "clear"
    ? "answer"
    : asked.understood?.outcome === "declined" || asked.understood?.outcome === "too_many"
    ? "failure"
    : "elicitation";
  yield event("start", { _meta: { ...metaOf(likely, asked), streaming: true } });
  let index = 0;
  try {
    const work = begin(asked, deps);
    for (;;) {
      const step = await work.next();
      if (!step.done) {
        yield event("result", { index: index++, item: step.value });
        continue;
      }
      const { type, ...content } = step.value;
      const _meta = metaOf(type, asked);
      if (type === "failure") yield event("error", { _meta, ...content });
      yield event("complete", { _meta, total_items: index, ...content });
      return;
    }
  } catch (error) {
    if (deps.signal?.aborted) return;
    const { failure } = blame(error, deps);
    const _meta = metaOf("failure", asked);
    yield event("error", { _meta, error: failure });
    yield event("complete", { _meta, total_items: index, error: failure });
  }
}

/** The results, with the summary behind them when it is wanted. */
async function* begin(
  { question, understood }: Asked,
  deps: AskHttpDeps,
): AsyncGenerator<AskResult, Ending, void> {
  if (understood === null) return { type: "elicitation", elicitation: ASK_ANYTHING };
  const results: AskResult[] = [];
  const work = answer(understood, openDesk(deps));
  for (;;) {
    const step = await work.next();
    if (!step.done) {
      results.push(step.value);
      yield step.value;
      continue;
    }
    if (question.summarize && step.value.type === "answer") yield summaryItem(results);
    return step.value;
  }
}

function metaOf(type: Ending["type"], { question: { requestId }, understood }: Asked): Meta {
  return {
    response_type: type,
    response_format: RESPONSE_FORMAT,
    version: NLWEB_VERSION,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(understood === null ? {} : { understood: understood.understood }),
  } as Meta;
}

function blame(
  error: unknown,
  { log, signal }: AskHttpDeps,
): { failure: Failure; status: number; headers?: Record<string, string> } {
  if (signal?.aborted) {
    return { failure: { code: "CANCELLED", message: "The request was cancelled" }, status: 200 };
  }
  const known = error instanceof ServiceError && error.code === "upstream_unavailable";
  const cause = error instanceof Error ? error.cause ?? error : error;
  log(`ask: ${cause instanceof Error ? (known ? cause.message : cause.stack) : String(cause)}`);
  if (!known) {
    const message = "Something went wrong inside the service";
    return { failure: { code: "INTERNAL_ERROR", message }, status: 500 };
  }
  return {
    failure: { code: "UPSTREAM_UNAVAILABLE", message: error.message },
    status: error.status,
    headers: { "Retry-After": String(error.retryAfter ?? 1) },
  };
}

function failed(error: Failure): AskResponse {
  const _meta = {
    response_type: "failure",
    response_format: RESPONSE_FORMAT,
    version: NLWEB_VERSION,
  } as const;
  return { _meta, error };
}

function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      ...headers,
    },
  });
}
