/**
 * What is asked back.
 *
 * @module
 */

import { EXAMPLES } from "./examples.ts";
import { MAX_CARRIERS, type Part, type Understanding } from "./understanding.ts";
import type { Elicitation } from "./schemas.ts";

const ASKS: Readonly<Record<Part, string>> = {
  carrier: "What is its USDOT number, MC number or name?",
  dot: "What is the USDOT number? It has 1 to 8 digits.",
  mc: "What is the MC number? It has 1 to 8 digits.",
  vehicles: "How many commercial motor vehicles are there, without trailers?",
  query: "What is the name, city or state of the carrier?",
};

const SHOWN = Object.values(EXAMPLES).map(([first]) => `"${first}"`);

/** Asks for a question. */
export const ASK_ANYTHING: Elicitation = {
  text:
    "What do you want to know about US motor carriers? I look carriers up by USDOT number, MC " +
    "number or name, tell MCS-150 due dates and UCR fees, and compare up to three carriers. " +
    `For example: ${SHOWN.join(", ")}.`,
  questions: [{ id: "query", text: "What is your question?", type: "text" }],
};

/** Asks for what a question lacks; null when it lacks nothing. */
export function elicit(understanding: Understanding): Elicitation | null {
  const { outcome } = understanding;
  if (outcome === "unknown") {
    return { ...ASK_ANYTHING, text: `I did not understand that. ${ASK_ANYTHING.text}` };
  }
  if (outcome === "clear" || outcome === "declined" || outcome === "too_many") return null;
  const { part, problem, intent } = understanding;
  const text = outcome === "invalid"
    ? `${problem ?? "Cannot read the number"}.`
    : outcome === "ambiguous"
    ? "The UCR fee goes by brackets, so it needs one number."
    : part === "carrier"
    ? intent === "compare" ? "Which carriers are to be compared?" : "Which carrier do you mean?"
    : part === "vehicles"
    ? "The UCR fee goes by the number of vehicles."
    : "Which carriers are you looking for?";
  const question = intent === "compare"
    ? "What are the USDOT numbers, MC numbers or names of two or three carriers?"
    : intent === "mc_to_dot"
    ? ASKS.mc
    : intent === "dot_to_mc"
    ? ASKS.dot
    : ASKS[part];
  return { text, questions: [{ id: part, text: question, type: "text" }] };
}

/** Says that a question names too many carriers. */
export function tooMany(given: number): string {
  return `Cannot answer for ${given} carriers at once: at most ${MAX_CARRIERS} in one question`;
}
