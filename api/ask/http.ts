/**
 * `/ask` over HTTP: NLWeb 0.55, as JSON or, when the request prefers it, as server-sent events.
 *
 * @module
 */

import { readJson } from "../http/input.ts";
import type { Mount } from "../http/exchange.ts";
import { faultDetail, firstIssue, ServiceError } from "../operations/errors.ts";
import { show } from "../operations/numbers.ts";
import { answer, elicit, type Ending } from "./answers.ts";
import { type AskDeps, Finder } from "./carriers.ts";
import { understand } from "./intents.ts";
import type { Plan } from "./plan.ts";
import { summaryItem, understoodOf, withUnused } from "./rendering.ts";
import {
  AskRequest,
  type AskResponse,
  type AskResult,
  type Failure,
  MODES,
  NLWEB_VERSION,
  RESPONSE_FORMAT,
  RESPONSE_FORMATS,
} from "./schemas.ts";

/** What the handler is wired from. */
export interface AskHttpDeps extends AskDeps {
  /** Called with answers that are the service's own fault. */
  log: (line: string) => void;
}

/** A question. */
interface Question {
  /** Empty when there is none, as in a probe. */
  query: string;
  /** Earlier questions, the oldest first. */
  prev: readonly string[];
  streaming?: boolean;
  summarize?: boolean;
  requestId?: string;
}

/** Bytes of a request body at most. */
export const MAX_BODY = 64 * 1024;

const BODY_MS = 10_000;

/** A request that cannot be answered, with its status. */
class RequestProblem extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: Failure["code"] = "INVALID_REQUEST",
  ) {
    super(message);
  }
}

/** `/ask`, to be mounted in the app. */
export function askMount(deps: AskHttpDeps): Mount {
  return { path: "/ask", methods: ["GET", "POST"], fetch: (request) => ask(request, deps) };
}

/**
 * Answers a request and never throws. Rate limits and the headers of every answer are the caller's.
 * Work ends when `deps.signal` is aborted or the reader of a stream is gone.
 */
export async function ask(request: Request, deps: AskHttpDeps): Promise<Response> {
  try {
    const question = await readQuestion(request);
    return question.streaming ? stream(question, deps) : json(await collect(question, deps));
  } catch (thrown) {
    const { error, ...more } = failureOf(thrown, deps);
    return json(closing({ error }), more);
  }
}

/** The whole answer to a question. */
export async function collect(question: Question, deps: AskHttpDeps): Promise<AskResponse> {
  const results: AskResult[] = [];
  for await (const step of respond(question, deps)) {
    if ("@type" in step) results.push(step);
    else if (step.elicitation || step.error) return step as AskResponse;
    else return { _meta: step._meta, results } as AskResponse;
  }
  throw new Error("The answer has no ending");
}

/** What comes beside the results: the last step of an answer. */
type Closing = Ending & { _meta: AskResponse["_meta"] };

/** The results, with a summary behind them when it is wanted, then the closing. */
async function* respond(
  question: Question,
  deps: AskHttpDeps,
): AsyncGenerator<AskResult | Closing, void, void> {
  const { query, prev, summarize } = question;
  if (query === "") return yield closing({ elicitation: elicit("question") }, question);
  const finder = new Finder(deps);
  const plan = await finder.choose(understand(query, prev, finder.today));
  const results: AskResult[] = [];
  for await (const step of answer(plan, finder)) {
    if ("@type" in step) {
      // What is not used is said with the first result, whatever that is.
      results.push(results.length === 0 ? withUnused(step, plan) : step);
      yield results.at(-1)!;
    } else {
      if (summarize && results.length > 0) yield summaryItem(results);
      yield closing(step, question, plan);
    }
  }
}

/** One event a pull: nothing is worked out that is not sent, and none waits for the next. */
function stream(question: Question, deps: AskHttpDeps): Response {
  const gone = new AbortController();
  const signal = deps.signal === undefined
    ? gone.signal
    : AbortSignal.any([deps.signal, gone.signal]);
  const events = eventsOf(question, { ...deps, signal });
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

async function* eventsOf(
  question: Question,
  deps: AskHttpDeps,
): AsyncGenerator<string, void, void> {
  // What comes is not known yet; `complete` has the type it came to.
  yield event("start", { _meta: { ...closing({}, question)._meta, streaming: true } });
  let index = 0;
  const end = ({ _meta, ...content }: Closing): string =>
    (content.error ? event("error", { _meta, ...content }) : "") +
    event("complete", { _meta, total_items: index, ...content });
  try {
    for await (const step of respond(question, deps)) {
      yield "@type" in step ? event("result", { index: index++, item: step }) : end(step);
    }
  } catch (thrown) {
    if (!deps.signal?.aborted) {
      yield end(closing({ error: failureOf(thrown, deps).error }, question));
    }
  }
}

function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Reads a request: JSON by POST, the members of the older form by GET. A missing query is none.
 *
 * @throws {RequestProblem} When it cannot be read or asks for what is not offered.
 */
async function readQuestion(request: Request): Promise<Question> {
  const { method } = request;
  if (method !== "POST" && method !== "GET" && method !== "HEAD") {
    throw new RequestProblem(405, "Cannot use this method here: the methods are POST and GET");
  }
  const parsed = AskRequest.safeParse(
    method === "POST" ? await readBody(request) : readAddress(request.url),
  );
  if (!parsed.success) {
    const { path, what } = firstIssue(parsed.error);
    const where = path === "" ? "the body: it is not a JSON object" : `${path}: ${what}`;
    throw new RequestProblem(400, `Cannot read ${where}`);
  }
  const { query, context, prefer, meta, prev, streaming, mode } = parsed.data;
  const modes = (prefer?.mode ?? mode ?? "list").split(",").map((one) => one.trim());
  const unknown = modes.find((one) => !(MODES as readonly string[]).includes(one));
  if (unknown !== undefined) {
    const message = `Cannot answer in mode ${show(unknown)}: the modes are ${MODES.join(" and ")}`;
    throw new RequestProblem(400, message, "UNSUPPORTED_MODE");
  }
  const format = prefer?.response_format;
  if (format !== undefined && !RESPONSE_FORMATS.includes(format)) {
    const message = `Cannot answer in format ${show(format)}: the format is ${RESPONSE_FORMAT}`;
    throw new RequestProblem(400, message, "UNSUPPORTED_FORMAT");
  }
  const earlier = context?.prev ?? prev ?? [];
  const requestId = meta?.request_id;
  return {
    query: (typeof query === "string" ? query : query?.text ?? "").trim(),
    prev: typeof earlier === "string" ? [earlier] : earlier,
    streaming: prefer?.streaming ?? streaming ?? false,
    summarize: modes.includes("summarize"),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

async function readBody(request: Request): Promise<unknown> {
  // A probe may send nothing at all.
  if (request.body === null) return {};
  try {
    const signal = AbortSignal.timeout(BODY_MS);
    return await readJson(request, { limitBytes: MAX_BODY, signal, empty: {} });
  } catch (error) {
    if (error instanceof ServiceError) throw new RequestProblem(error.status, error.message);
    throw error;
  }
}

/** The older form, all in the address; `prev` is one question or a JSON array of them. */
function readAddress(url: string): unknown {
  const { searchParams } = new URL(url);
  const given: Record<string, unknown> = {};
  for (const name of ["query", "prev", "mode", "streaming"]) {
    const [value, ...more] = searchParams.getAll(name);
    if (more.length > 0) {
      throw new RequestProblem(400, `Cannot read ${name}: it is given ${more.length + 1} times`);
    }
    if (value === undefined) continue;
    given[name] = name === "streaming"
      ? value === "true" || value === "1"
      : name === "prev"
      ? questionsIn(value)
      : value;
  }
  return given;
}

function questionsIn(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list.filter((item) => typeof item === "string");
  } catch {
    // Not JSON: a question as it is.
  }
  return [text];
}

function closing(ending: Ending, { requestId }: Partial<Question> = {}, plan?: Plan): Closing {
  const _meta = {
    response_type: ending.error ? "failure" : ending.elicitation ? "elicitation" : "answer",
    response_format: RESPONSE_FORMAT,
    version: NLWEB_VERSION,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(plan === undefined ? {} : { understood: understoodOf(plan) }),
  } as AskResponse["_meta"];
  return { _meta, ...ending };
}

/** What a thrown error is to the caller; logged when it is the service's own fault. */
export function failureOf(
  thrown: unknown,
  { log, signal }: AskHttpDeps,
): { error: Failure; status: number; headers: Record<string, string> } {
  if (signal?.aborted) {
    return failed(200, { code: "CANCELLED", message: "The request was cancelled" });
  }
  if (thrown instanceof RequestProblem) {
    const { status, code, message } = thrown;
    return failed(status, { code, message }, status === 405 ? { Allow: "POST, GET, HEAD" } : {});
  }
  const outage = thrown instanceof ServiceError && thrown.code === "upstream_unavailable";
  const error: Failure = outage
    ? { code: "UPSTREAM_UNAVAILABLE", message: thrown.message }
    : { code: "INTERNAL_ERROR", message: "Something went wrong inside the service" };
  log(`ask ${error.code}: ${faultDetail(thrown)}`);
  if (!outage) return failed(500, error);
  return failed(thrown.status, error, { "Retry-After": String(thrown.retryAfter ?? 1) });
}

function failed(status: number, error: Failure, headers: Record<string, string> = {}) {
  return { error, status, headers };
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
