/**
 * Joins the parts of an answer into one text.
 *
 * @module
 */

import { sentences } from "./answers/rendering.ts";
import type { AskResponse, AskResult } from "./answers/schemas.ts";

const LONGEST_SUMMARY = 2000;

/** The results in one text, with even shares, so that none is cut away by the ones before it. */
export function summaryItem(results: readonly AskResult[]): AskResult {
  const share = Math.floor(LONGEST_SUMMARY / results.length);
  const sources = new Set(results.flatMap(({ grounding }) => grounding.source_urls));
  return {
    "@type": "SearchSummary",
    text: results.map((item) => cut(wordsOf(item), share)).join(" "),
    grounding: { source_urls: [...sources].slice(0, 50) },
  };
}

/** A whole answer as text: results with their sources, what is asked back, or why there is none. */
export function inWords(response: AskResponse): string {
  if ("results" in response) {
    return response.results
      .map((item) => `${wordsOf(item)} Source: ${item.grounding.source_urls[0]}`).join("\n\n");
  }
  if ("elicitation" in response) {
    const { text, questions: [question] } = response.elicitation;
    const { options = [] } = question!;
    const choice = options.length === 0 ? "" : `(${options.join("; ")})`;
    return sentences(text, question!.text === text ? "" : question!.text, choice);
  }
  const { message, details: { where = [], instead = [] } = {} } = response.error;
  const places = where.map(({ name, url }) => `${name}: ${url}`);
  return [`${message}.`, ...places, ...instead.map((url) => `Here: ${url}`)].join("\n");
}

function wordsOf(item: AskResult): string {
  return item["@type"] === "Organization" ? item.description : item.text;
}

/** At most `length` characters, ended at a sentence where one ends in them. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const part = text.slice(0, length);
  const end = part.lastIndexOf(". ");
  return end > 0 ? part.slice(0, end + 1) : `${part.slice(0, -3)}...`.toWellFormed();
}
