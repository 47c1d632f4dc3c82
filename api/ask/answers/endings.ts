/**
 * Stage 4, endings: a question asked back, something declined, or nothing found.
 *
 * @module
 */

import TEXTS from "./asks.json" with { type: "json" };
import type { Lack } from "../plan/details/fees.ts";
import type { Resolution } from "./resolution.ts";
import { declinedIn, type DeclinedTopic, DECLINES } from "../plan/asked/intents.ts";
import type { Plan } from "../plan/plan.ts";
import { isNumbered, refUrl } from "../plan/whom/references.ts";
import type { Elicitation, Failure } from "./schemas.ts";

/** How an answer ends: with neither member its results are all of it. */
export interface Ending {
  elicitation?: Elicitation;
  error?: Failure;
}

/** What is not among the results. */
export type Unfound = Resolution & { outcome: "absent" | "not searched" };

const ASKS: Readonly<Record<Lack["part"], { text: string; question: string }>> = TEXTS;

export function elicit({ part, problem, options }: Lack): Ending {
  const { text, question } = ASKS[part];
  const reason = problem === undefined ? [] : [`${problem}.`];
  // What is not understood may be about something else altogether.
  const isOpen = problem === undefined || part === "question";
  const said = [...reason, ...isOpen ? [text] : []].join(" ");
  return askBack(part, said, { question, options });
}

export function askBack(
  id: string,
  text: string,
  { question = text, options }: { question?: string; options?: readonly string[] | undefined } = {},
): Ending {
  const answer = options === undefined
    ? { type: "text" as const }
    : { type: "single_select" as const, options: [...options] };
  return { elicitation: { text, questions: [{ id, text: question, ...answer }] } };
}

export function failure(
  code: Failure["code"],
  message: string,
  details: Failure["details"],
): Ending {
  return { error: { code, message, details } };
}

/** Says what is declined and where to look. */
export function refusal({ carriers, intents }: Plan, baseUrl: string): Ending {
  const instead = carriers.flatMap((ref) => isNumbered(ref) ? refUrl(ref, baseUrl) : []);
  return refused(declinedIn(intents), instead);
}

/**
 * Says why topics are declined and where to look.
 *
 * @param instead The addresses of the carriers that it is about.
 */
export function refused(declined: readonly DeclinedTopic[], instead: string[] = []): Ending {
  const reasons = declined.map((topic) => DECLINES[topic]);
  return failure("OUT_OF_SCOPE", reasons.map(({ text }) => text).join(". "), {
    declined: [...declined],
    where: reasons.flatMap(({ where }) => where),
    ...(instead.length === 0 ? {} : { instead }),
  });
}

/** That carriers found only resemble a name, without final period. */
export function notExactly(label: string): string {
  return `No carrier is named exactly ${label}`;
}

/** Nothing was found: `NO_RESULTS` says that something is absent, so it is not said of what was not searched. */
export function nothingFound(unfound: readonly Unfound[]): Ending {
  const message = unfound.map((one) => one.message).join(". ");
  const urls = unfound.map(({ url }) => url);
  return unfound.some(({ outcome }) => outcome === "absent")
    ? failure("NO_RESULTS", message, { source_urls: urls })
    : failure("INVALID_PARAMETER", message, { given: unfound.length, instead: urls });
}
