/**
 * What `/ask` answers, as a text for people.
 *
 * @module
 */

import { wordsOf } from "../ask/items.ts";
import type { AskResponse, Failure } from "../ask/schemas.ts";

/** Says an answer: results with their sources, what is asked back, or why there is no answer. */
export function inWords(response: AskResponse): string {
  if ("results" in response) {
    return response.results
      .map((item) => `${wordsOf(item)} Source: ${item.grounding.source_urls[0]}`)
      .join("\n\n");
  }
  if ("elicitation" in response) {
    const { text, questions } = response.elicitation;
    const asked = questions.some((question) => question.text === text);
    return [...(asked ? [] : [text]), ...questions.map(sayQuestion)].join(" ");
  }
  return sayFailure(response.error);
}

function sayQuestion({ text, options = [] }: { text: string; options?: string[] | undefined }) {
  return options.length === 0 ? text : `${text} (${options.join("; ")})`;
}

function sayFailure({ message, details = {} }: Failure): string {
  const { where = [], instead = [] } = details;
  return [
    `${message}.`,
    ...where.map(({ name, url }) => `${name}: ${url}`),
    ...instead.map((url) => `Here: ${url}`),
  ].join("\n");
}
