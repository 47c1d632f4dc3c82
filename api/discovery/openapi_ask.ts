/**
 * `/ask` in the OpenAPI document, from the schemas that validate it.
 *
 * @module
 */

import { MAX_QUESTION } from "../ask/entities.ts";
import { AskRequest, AskResponse, MODES, NLWEB_VERSION, RESPONSE_FORMAT } from "../ask/schemas.ts";
import {
  ASK_BODIES,
  ASK_FAILURES,
  askAnswers,
  askEvents,
  EXAMPLE_QUESTION,
} from "./ask_examples.ts";
import type { JsonSchema } from "./components.ts";
import { headersOf, type ParameterObject } from "./header_components.ts";
import {
  errorResponses,
  headerParameters,
  type OperationObject,
  type ResponseObject,
  type Shared,
  type TAGS,
} from "./openapi_operation.ts";

const DESCRIPTION =
  "Answers a question on carriers, MCS-150 due dates and UCR fees in plain English, or simple Spanish, by rules and " +
  "without a language model: `_meta.understood` says what it was taken to mean. An `answer` has " +
  "results with their sources; an `elicitation` asks back; a `failure` says why there is no answer, " +
  "with status 200 when the question could be read.";

const QUESTIONS: keyof typeof TAGS = "Questions";

const PARAMETERS: readonly ParameterObject[] = [
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
].map((parameter) => ({ in: "query", required: false, ...parameter }));

/** The path item. */
export function askPath(
  baseUrl: string,
  shared: Omit<Shared, "examples">,
): Record<"get" | "post", OperationObject> {
  const { components } = shared;
  const schema = components.output(AskResponse);
  const events = { events: askEvents(baseUrl) };
  const answer: ResponseObject = {
    description: "An answer, a question back, or why there is no answer",
    headers: headersOf([]),
    content: {
      "application/json": { schema, examples: { ...askAnswers(baseUrl) } },
      "text/event-stream": { schema: { type: "string" }, examples: events },
    },
  };
  const refusals = errorResponses(["rate_limited"], shared);
  return {
    post: {
      operationId: "ask",
      tags: [QUESTIONS],
      summary: "Ask in plain English",
      description: DESCRIPTION,
      parameters: headerParameters(["RequestId"]),
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: components.input(AskRequest), examples: ASK_BODIES },
        },
      },
      responses: { 200: answer, ...failures(schema, [400, 413, 415, 500, 503]), ...refusals },
    },
    get: {
      operationId: "askByAddress",
      tags: [QUESTIONS],
      summary: "Ask in plain English, by the address alone",
      description: DESCRIPTION,
      parameters: [...PARAMETERS, ...headerParameters(["RequestId"])],
      responses: { 200: answer, ...failures(schema, [400, 500, 503]), ...refusals },
    },
  };
}

function failures(schema: JsonSchema, statuses: readonly number[]): Record<number, ResponseObject> {
  return Object.fromEntries(statuses.map((status) => {
    const error = ASK_FAILURES[status]!;
    const _meta = {
      response_type: "failure",
      response_format: RESPONSE_FORMAT,
      version: NLWEB_VERSION,
    };
    const response: ResponseObject = {
      description: error.message,
      headers: headersOf(status === 503 ? ["Retry-After"] : []),
      content: {
        "application/json": {
          schema,
          examples: { failure: { summary: error.code, value: { _meta, error } } },
        },
      },
    };
    return [status, response];
  }));
}
