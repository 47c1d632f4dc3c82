/**
 * What JSON answers and streams have in common.
 *
 * @module
 */

import { faultDetail, ServiceError } from "../operations/errors.ts";
import { answer } from "./answer.ts";
import { ASK_ANYTHING } from "./elicit.ts";
import type { Ending } from "./ending.ts";
import { summaryItem } from "./items.ts";
import type { Question } from "./request.ts";
import { type AskDeps, openDesk } from "./run.ts";
import {
  type AskResponse,
  type AskResult,
  type Failure,
  NLWEB_VERSION,
  RESPONSE_FORMAT,
} from "./schemas.ts";
import type { Understanding } from "./understanding.ts";

/** What the handler is wired from. */
export interface AskHttpDeps extends AskDeps {
  /** Told of answers that are the service's own fault. */
  log: (line: string) => void;
}

/** A question on its way, `understood` null when there was none. */
export interface Asked {
  question: Question;
  understood: Understanding | null;
}

type Meta = AskResponse["_meta"];

/** The results, with the summary behind them when it is wanted. */
export async function* begin(
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

/** The whole answer. */
export async function collect(asked: Asked, deps: AskHttpDeps): Promise<AskResponse> {
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
    return (type === "answer" ? { _meta, results } : { _meta, ...content }) as AskResponse;
  }
}

/** The `_meta` of an answer. */
export function metaOf(type: Ending["type"], { question: { requestId }, understood }: Asked): Meta {
  return {
    response_type: type,
    response_format: RESPONSE_FORMAT,
    version: NLWEB_VERSION,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(understood === null ? {} : { understood: understood.understood }),
  } as Meta;
}

/** What a thrown error is to the caller; told to the log when it is ours. */
export function blame(
  error: unknown,
  { log, signal }: AskHttpDeps,
): { failure: Failure; status: number; headers: Record<string, string> } {
  if (signal?.aborted) {
    return {
      failure: { code: "CANCELLED", message: "The request was cancelled" },
      status: 200,
      headers: {},
    };
  }
  const outage = error instanceof ServiceError && error.code === "upstream_unavailable"
    ? error
    : null;
  const failure: Failure = outage === null
    ? { code: "INTERNAL_ERROR", message: "Something went wrong inside the service" }
    : { code: "UPSTREAM_UNAVAILABLE", message: outage.message };
  log(`ask ${failure.code}: ${faultDetail(error)}`);
  if (outage === null) return { failure, status: 500, headers: {} };
  const headers = { "Retry-After": String(outage.retryAfter ?? 1) };
  return { failure, status: outage.status, headers };
}
