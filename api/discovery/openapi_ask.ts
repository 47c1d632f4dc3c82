/**
 * `/ask` in the OpenAPI document, from the schemas that validate it.
 *
 * @module
 */

import type { oas31, ZodOpenApiPathItemObject, ZodOpenApiResponseObject } from "zod-openapi";
import { MAX_QUESTION } from "../ask/reading.ts";
import {
  AskRequest,
  AskResponse,
  EXAMPLES,
  type Failure,
  FOLLOW_UP,
  MODES,
  NLWEB_VERSION,
  RESPONSE_FORMAT,
} from "../ask/schemas.ts";
import { errorExample, errorResponses } from "./errors.ts";
import type { answerExamples, Example } from "./examples.ts";
import { headerParameters, headersOf } from "./headers.ts";

const DESCRIPTION =
  "Answers a question on carriers, MCS-150 due dates and UCR fees in plain English, or simple Spanish, by rules and " +
  "without a language model: `_meta.understood` says what it was taken to mean. An `answer` has " +
  "results with their sources; an `elicitation` asks back; a `failure` says why there is no answer, " +
  "with status 200 when the question could be read.";

export const [EXAMPLE_QUESTION] = EXAMPLES.lookupCarrier;

const PARAMETERS: readonly oas31.ParameterObject[] = [
  {
    name: "query",
    description: "The question",
    schema: { type: "string", maxLength: MAX_QUESTION },
    example: EXAMPLE_QUESTION,
  },
  {
    name: "prev",
    description: "The question before, or a JSON array of questions, the oldest first",
    schema: { type: "string" },
  },
  {
    name: "mode",
    description: "`list`, `summarize` or both, comma separated",
    schema: { type: "string", enum: [...MODES, MODES.join(",")] },
  },
  {
    name: "streaming",
    description: "Answer as server-sent events",
    schema: { type: "boolean" },
  },
].map((parameter) => ({ in: "query", required: false, ...parameter }) as oas31.ParameterObject);

/** @param examples Of answers, by operation id. */
export function askPath(examples: ReturnType<typeof answerExamples>): ZodOpenApiPathItemObject {
  const answer: ZodOpenApiResponseObject = {
    description: "An answer, a question back, or why there is no answer",
    headers: headersOf([]),
    content: {
      "application/json": { schema: AskResponse, examples: examples.ask! },
      "text/event-stream": { schema: { type: "string" }, examples: examples.askEvents! },
    },
  };
  return {
    post: {
      operationId: "ask",
      tags: ["Questions"],
      summary: "Ask in plain English",
      description: DESCRIPTION,
      parameters: headerParameters("RequestId"),
      requestBody: {
        required: true,
        content: { "application/json": { schema: AskRequest, examples: ASK_BODIES } },
      },
      responses: {
        200: answer,
        ...failures(400, 413, 415, 500, 503),
        ...errorResponses(["rate_limited"]),
      },
    },
    get: {
      operationId: "askByAddress",
      tags: ["Questions"],
      summary: "Ask in plain English, by the address alone",
      description: DESCRIPTION,
      parameters: [...PARAMETERS, ...headerParameters("RequestId")],
      responses: {
        200: answer,
        ...failures(400, 500, 503),
        ...errorResponses(["rate_limited"]),
      },
    },
  };
}

function failures(
  ...statuses: (keyof typeof ASK_FAILURES)[]
): Record<`${number}`, ZodOpenApiResponseObject> {
  return Object.fromEntries(statuses.map((status) => {
    const error = ASK_FAILURES[status];
    const value = { _meta: { response_type: "failure", ...FORMAT }, error };
    return [status, {
      description: error.message,
      headers: headersOf(status === 503 ? ["Retry-After"] : []),
      content: {
        "application/json": {
          schema: AskResponse,
          examples: { failure: { summary: error.code, value } },
        },
      },
    }];
  }));
}

const FORMAT = { response_format: RESPONSE_FORMAT, version: NLWEB_VERSION };

export const ASK_BODIES: Record<string, Example> = {
  question: { summary: "A question", value: { query: EXAMPLE_QUESTION } },
  follow_up: {
    summary: "A follow-up",
    value: { query: { text: FOLLOW_UP.query }, context: { prev: [FOLLOW_UP.prev] } },
  },
  stream: {
    summary: "Results as server-sent events, with a summary",
    value: { query: EXAMPLE_QUESTION, prefer: { streaming: true, mode: "list, summarize" } },
  },
};

/** Failures by their HTTP status. */
const ASK_FAILURES = {
  400: { code: "INVALID_REQUEST", message: "Cannot parse the body as JSON: wrong at position 2" },
  413: { code: "INVALID_REQUEST", message: errorExample("payload_too_large").error.message },
  415: { code: "INVALID_REQUEST", message: errorExample("unsupported_media_type").error.message },
  500: { code: "INTERNAL_ERROR", message: "Something went wrong inside the service" },
  503: {
    code: "UPSTREAM_UNAVAILABLE",
    message: errorExample("upstream_unavailable").error.message,
  },
} satisfies Record<number, Failure>;
