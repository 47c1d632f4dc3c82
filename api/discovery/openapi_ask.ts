/**
 * `/ask` in the OpenAPI document, from the schemas that validate it, with questions and answers made
 * by the code that makes the real ones.
 *
 * @module
 */

import type { oas31, ZodOpenApiPathItemObject, ZodOpenApiResponseObject } from "zod-openapi";
import { elicit } from "../ask/answers.ts";
import { MAX_QUESTION } from "../ask/reading.ts";
import { understand } from "../ask/understand.ts";
import type { Plan } from "../ask/question.ts";
import { understoodOf } from "../ask/question.ts";
import { carrierItem, withNotes } from "../ask/rendering.ts";
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
import { DECLINES } from "../ask/declines.ts";
import { errorExample, errorResponses } from "./errors.ts";
import { type Example, EXAMPLE_DAY, exampleCarrier } from "./examples.ts";
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

export function askPath(baseUrl: string): ZodOpenApiPathItemObject {
  const answer: ZodOpenApiResponseObject = {
    description: "An answer, a question back, or why there is no answer",
    headers: headersOf([]),
    content: {
      "application/json": { schema: AskResponse, examples: askAnswers(baseUrl) },
      "text/event-stream": {
        schema: { type: "string" },
        examples: { events: askEvents(baseUrl) },
      },
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

const UNCLEAR = "ucr";
const DECLINED = "can I trust them";

/** Answers with status 200, by the question asked. */
function askAnswers(baseUrl: string): Record<"answer" | "elicitation" | "failure", Example> {
  const plan = planOf(EXAMPLE_QUESTION);
  const item = withNotes(carrierItem(exampleCarrier(baseUrl), { plan, baseUrl }), plan.unused);
  const { text, where } = DECLINES.trust;
  return {
    answer: {
      summary: `To "${EXAMPLE_QUESTION}"`,
      value: { _meta: meta("answer", EXAMPLE_QUESTION), results: [item] },
    },
    elicitation: {
      summary: `To "${UNCLEAR}"`,
      value: {
        _meta: meta("elicitation", UNCLEAR),
        ...elicit(planOf(UNCLEAR).lacks!),
      },
    },
    failure: {
      summary: `To "${DECLINED}"`,
      value: {
        _meta: meta("failure", DECLINED),
        error: { code: "OUT_OF_SCOPE", message: text, details: { declined: ["trust"], where } },
      },
    },
  };
}

/** The answer as server-sent events. */
function askEvents(baseUrl: string): Example {
  const { _meta, results } = askAnswers(baseUrl).answer.value as AskResponse & {
    results: unknown[];
  };
  const { understood: _, ...start } = _meta;
  const events = [
    ["start", { _meta: { ...start, streaming: true } }],
    ["result", { index: 0, item: results[0] }],
    ["complete", { _meta, total_items: 1 }],
  ].map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  return { summary: `To "${EXAMPLE_QUESTION}"`, value: events.join("") };
}

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

function meta(type: AskResponse["_meta"]["response_type"], question: string) {
  return {
    response_type: type,
    ...FORMAT,
    understood: understoodOf(planOf(question)),
  };
}

function planOf(question: string): Plan {
  return understand(question, [], EXAMPLE_DAY)[0]!;
}
