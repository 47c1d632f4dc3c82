/**
 * Questions and answers of `/ask` for the documents, made by what makes the real ones.
 *
 * @module
 */

import { elicit } from "../ask/answers.ts";
import { DECLINES } from "../ask/declines.ts";
import { EXAMPLES, FOLLOW_UP } from "../ask/examples.ts";
import { type Plan, understand } from "../ask/intents.ts";
import { carrierItem, understoodOf } from "../ask/rendering.ts";
import { type AskResponse, type Failure, NLWEB_VERSION, RESPONSE_FORMAT } from "../ask/schemas.ts";
import { errorExample } from "./error_examples.ts";
import { type Example, EXAMPLE_DAY, exampleCarrier } from "./examples.ts";

/** The question of the examples. */
export const [EXAMPLE_QUESTION] = EXAMPLES.lookupCarrier;

/** Bodies of requests. */
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
export function askAnswers(baseUrl: string): Record<"answer" | "elicitation" | "failure", Example> {
  const item = carrierItem(exampleCarrier(baseUrl), { plan: planOf(EXAMPLE_QUESTION), baseUrl });
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
        elicitation: elicit(planOf(UNCLEAR).lacks!.part),
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
export function askEvents(baseUrl: string): Example {
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

/** Failures that are no answer, by their status. */
export const ASK_FAILURES: Readonly<Record<number, Failure>> = {
  400: { code: "INVALID_REQUEST", message: "Cannot parse the body as JSON: wrong at position 2" },
  413: { code: "INVALID_REQUEST", message: errorExample("payload_too_large").error.message },
  415: { code: "INVALID_REQUEST", message: errorExample("unsupported_media_type").error.message },
  500: { code: "INTERNAL_ERROR", message: "Something went wrong inside the service" },
  503: {
    code: "UPSTREAM_UNAVAILABLE",
    message: errorExample("upstream_unavailable").error.message,
  },
};

function meta(type: AskResponse["_meta"]["response_type"], question: string) {
  return {
    response_type: type,
    response_format: RESPONSE_FORMAT,
    version: NLWEB_VERSION,
    understood: understoodOf(planOf(question)),
  };
}

function planOf(question: string): Plan {
  return understand(question, [], EXAMPLE_DAY)[0]!;
}
