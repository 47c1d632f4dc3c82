/**
 * `/ask` over HTTP: NLWeb 0.55, as JSON or, when the request prefers it, as server-sent events.
 *
 * @module
 */

import { after } from "../../pipeline/clock.ts";
import type { Mount } from "../http/exchange.ts";
import { readJsonBody } from "../http/body.ts";
import { streamOf } from "../http/streaming.ts";
import { faultDetail, firstIssue, ServiceError } from "../operations/errors.ts";
import { show } from "../operations/numbers.ts";
import type { SurfaceDeps } from "../operations/operation.ts";
import { answer, withOrders } from "./answers/answers.ts";
import { elicit, type Ending } from "./answers/endings.ts";
import { Finder } from "./answers/finder.ts";
import { understoodOf } from "./understood.ts";
import { summaryItem } from "./in_words.ts";
import { endingFor, withNotes } from "./answers/notes.ts";
import {
  AskRequest,
  type AskResponse,
  type AskResult,
  type Failure,
  MODES,
  NLWEB_VERSION,
  RESPONSE_FORMAT,
  RESPONSE_FORMATS,
} from "./answers/schemas.ts";
import { understand } from "./understand.ts";

interface Question {
  /** Empty when there is none, as in a probe. */
  query: string;
  /** Earlier questions, the oldest first. */
  prev: readonly string[];
  streaming?: boolean;
  summarize?: boolean;
  requestId?: string | undefined;
}

/** What comes behind the results. */
type Closing = Ending & { _meta: AskResponse["_meta"] };

/** Bytes of a request body at most. */
export const MAX_BODY = 64 * 1024;

/** A request that cannot be answered, with its status. */
class RequestProblem extends Error {
  constructor(
    message: string,
    readonly code: Failure["code"] = "INVALID_REQUEST",
    readonly status = 400,
  ) {
    super(message);
  }
}

export function askMount(deps: SurfaceDeps): Mount {
  return { path: "/ask", methods: ["GET", "POST"], fetch: (request) => ask(request, deps) };
}

/**
 * Answers a request and never throws. Rate limits and the headers of every answer are the caller's.
 * Work ends when `deps.signal` is aborted or the reader of a stream is gone.
 */
export async function ask(request: Request, deps: SurfaceDeps): Promise<Response> {
  try {
    const question = await readQuestion(request);
    return question.streaming ? stream(question, deps) : json(await collectAnswer(question, deps));
  } catch (thrown) {
    const { error, ...init } = failureOf(thrown, deps);
    return json(closing({ error }), init);
  }
}

/** The whole answer to a question. */
export async function collectAnswer(question: Question, deps: SurfaceDeps): Promise<AskResponse> {
  const results: AskResult[] = [];
  for await (const step of respond(question, deps)) {
    if ("@type" in step) results.push(step);
    else return { ...(step.elicitation || step.error ? {} : { results }), ...step } as AskResponse;
  }
  throw new Error("The answer has no ending");
}

/** The results, with a summary behind them when it is wanted, then the closing. */
async function* respond(
  question: Question,
  deps: SurfaceDeps,
): AsyncGenerator<AskResult | Closing, void, void> {
  const { query, prev, summarize } = question;
  if (query === "") return yield closing(elicit({ part: "question" }), question);
  const finder = new Finder(deps);
  const plan = await withOrders(await understand(query, prev, finder), finder);
  const results: AskResult[] = [];
  const steps = answer(plan, finder);
  let step = await steps.next();
  for (; !step.done; step = await steps.next()) {
    // The first result about a carrier, or else the first, says which parts of the question are not used.
    const isFirst = plan.beside
      ? step.value["@type"] === "Organization" &&
        results.every((one) => one["@type"] !== "Organization")
      : results.length === 0;
    const item = withNotes(step.value, isFirst ? plan : null);
    results.push(item);
    yield item;
  }
  if (summarize && results.length > 0) yield summaryItem(results);
  yield closing(
    results.length > 0 ? step.value : endingFor(step.value, plan),
    question,
    understoodOf(plan),
  );
}

function closing(
  ending: Ending,
  { requestId }: Partial<Question> = {},
  understood?: string,
): Closing {
  const _meta = {
    response_type: ending.error ? "failure" : ending.elicitation ? "elicitation" : "answer",
    response_format: RESPONSE_FORMAT,
    version: NLWEB_VERSION,
    // Members that are undefined are not sent.
    request_id: requestId,
    understood,
  } as AskResponse["_meta"];
  return { _meta, ...ending };
}

/** One event a pull: nothing is worked out that is not sent, and none waits for the next. */
function stream(question: Question, deps: SurfaceDeps): Response {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, ...deps.signal ? [deps.signal] : []]);
  const events = eventsOf(question, { ...deps, signal });
  return new Response(streamOf(events, { after, control: gone }), {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      // `no-transform`: proxies that compress buffer events.
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    },
  });
}

async function* eventsOf(
  question: Question,
  deps: SurfaceDeps,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const encoder = new TextEncoder();
  const event = (name: string, data: object) =>
    encoder.encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  // What comes is not known yet; `complete` has the type it came to.
  yield event("start", { _meta: { ...closing({}, question)._meta, streaming: true } });
  let index = 0;
  function* end({ _meta, ...content }: Closing) {
    if (content.error) yield event("error", { _meta, ...content });
    yield event("complete", { _meta, total_items: index, ...content });
  }
  try {
    for await (const step of respond(question, deps)) {
      if ("@type" in step) yield event("result", { index: index++, item: step });
      else yield* end(step);
    }
  } catch (thrown) {
    if (deps.signal?.aborted) return;
    yield* end(closing({ error: failureOf(thrown, deps).error }, question));
  }
}

/**
 * Reads a request: JSON by POST, the members of the older form by GET. A missing query is none.
 *
 * @throws {RequestProblem} When it cannot be read or asks for what is not offered.
 */
async function readQuestion(request: Request): Promise<Question> {
  const parsed = AskRequest.safeParse(
    request.method === "POST" ? await readBody(request) : readAddress(request.url),
  );
  if (!parsed.success) {
    const { path, what } = firstIssue(parsed.error);
    const where = path === "" ? "the body: it is not a JSON object" : `${path}: ${what}`;
    throw new RequestProblem(`Cannot read ${where}`);
  }
  const { query, context, prefer, meta, prev, streaming, mode } = parsed.data;
  const modes = (prefer?.mode ?? mode ?? "list").split(",").map((one) => one.trim());
  const unknown = modes.find((one) => !MODES.includes(one));
  if (unknown !== undefined) {
    const message = `Cannot answer in mode ${show(unknown)}: the modes are ${MODES.join(" and ")}`;
    throw new RequestProblem(message, "UNSUPPORTED_MODE");
  }
  const format = prefer?.response_format ?? RESPONSE_FORMAT;
  if (!RESPONSE_FORMATS.includes(format)) {
    const message = `Cannot answer in format ${show(format)}: the format is ${RESPONSE_FORMAT}`;
    throw new RequestProblem(message, "UNSUPPORTED_FORMAT");
  }
  return {
    query: (typeof query === "string" ? query : query?.text ?? "").trim(),
    prev: [context?.prev ?? prev ?? []].flat(),
    streaming: prefer?.streaming ?? streaming ?? false,
    summarize: modes.includes("summarize"),
    requestId: meta?.request_id,
  };
}

async function readBody(request: Request): Promise<unknown> {
  // A probe may send nothing at all.
  if (request.body === null) return {};
  try {
    return await readJsonBody(request, { limitBytes: MAX_BODY, empty: {} });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new RequestProblem(error.message, "INVALID_REQUEST", error.status);
  }
}

/** The older form, all in the address; `prev` is one question or a JSON array of them. */
function readAddress(url: string): unknown {
  const { searchParams } = new URL(url);
  const [query, prev, mode, streaming] = ["query", "prev", "mode", "streaming"].map((name) => {
    const [value, ...more] = searchParams.getAll(name);
    if (more.length === 0) return value;
    throw new RequestProblem(`Cannot read ${name}: it is given ${more.length + 1} times`);
  });
  return { query, prev: questionsIn(prev), mode, streaming: /^(?:true|1)$/.test(streaming ?? "") };
}

function questionsIn(text: string | undefined): string | string[] | undefined {
  try {
    const list: unknown = JSON.parse(text ?? "");
    return Array.isArray(list) ? list.filter((item) => typeof item === "string") : text;
  } catch {
    return text; // A question as it is.
  }
}

/** The failure that a thrown error means to the caller. Logged if it is the service's fault. */
export function failureOf(
  thrown: unknown,
  { log, signal }: SurfaceDeps,
): { error: Failure; status: number; headers: Record<string, string> } {
  const problem = signal?.aborted
    ? new RequestProblem("The request was cancelled", "CANCELLED", 200)
    : thrown;
  if (problem instanceof RequestProblem) {
    const { status, code, message } = problem;
    return { error: { code, message }, status, headers: {} };
  }
  const outage = thrown instanceof ServiceError && thrown.code === "upstream_unavailable";
  const error: Failure = outage
    ? { code: "UPSTREAM_UNAVAILABLE", message: thrown.message }
    : { code: "INTERNAL_ERROR", message: "Something went wrong inside the service" };
  log(`ask ${error.code}: ${faultDetail(thrown)}`);
  return outage
    ? { error, status: thrown.status, headers: { "Retry-After": String(thrown.retryAfter ?? 1) } }
    : { error, status: 500, headers: {} };
}

function json(body: unknown, init: { status?: number; headers?: Record<string, string> } = {}) {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const headers = {
    // Given, because an answer to HEAD has the length but not the body.
    "Content-Length": String(bytes.length),
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    ...init.headers,
  };
  return new Response(bytes, { ...init, headers });
}
