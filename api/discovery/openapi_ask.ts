/**
 * `/ask` in the OpenAPI document, generated from the schemas that validate its requests and answers.
 *
 * @module
 */

import type { oas31, ZodOpenApiPathItemObject, ZodOpenApiResponseObject } from "zod-openapi";
import { AskRequest, AskResponse, NLWEB_VERSION, RESPONSE_FORMAT } from "../ask/answers/schemas.ts";
import { errorResponses, headerParameters, headerReferences } from "./components.ts";
import type { answerExamples, Example } from "./examples.ts";
import ASK from "./text/ask.json" with { type: "json" };

const DESCRIPTION =
  "Answers a question on carriers, MCS-150 due dates and UCR fees in plain English or Spanish, answered in English, by rules and " +
  "without a language model: `_meta.understood` says what it was taken to mean. An `answer` has " +
  "results with their sources; an `elicitation` asks back; a `failure` says why there is no answer, " +
  "with status 200 when the question could be read.";

const { parameters: PARAMETERS, bodies, failures: FAILURES } = ASK;

export const ASK_BODIES: Readonly<Record<string, Example>> = bodies;

/** @param examples Answers, by operation id. */
export function askPath(examples: ReturnType<typeof answerExamples>): ZodOpenApiPathItemObject {
  const answer: ZodOpenApiResponseObject = {
    description: "An answer, a question back, or why there is no answer",
    headers: headerReferences([]),
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
      parameters: [...PARAMETERS as oas31.ParameterObject[], ...headerParameters("RequestId")],
      responses: {
        200: answer,
        ...failures(400, 500, 503),
        ...errorResponses(["rate_limited"]),
      },
    },
  };
}

function failures(
  ...statuses: (400 | 413 | 415 | 500 | 503)[]
): Record<`${number}`, ZodOpenApiResponseObject> {
  return Object.fromEntries(statuses.map((status) => {
    const error = FAILURES[status];
    const value = { _meta: { response_type: "failure", ...FORMAT }, error };
    return [status, {
      description: error.message,
      headers: headerReferences(status === 503 ? ["Retry-After"] : []),
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
