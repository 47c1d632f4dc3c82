/**
 * Stage 4, unclear: what a question gets that isn't understood, or that names no carrier exactly: carriers to
 * choose from, the terms that it uses, a question back, or what this service can't answer.
 *
 * @module
 */

import { isSameName } from "../../../pipeline/company_name.ts";
import { parseName } from "../../../pipeline/name_words.ts";
import { quoted } from "../../../pipeline/text.ts";
import { DEFAULT_UCR_YEAR } from "../../rules/ucr.ts";
import type { Lack } from "../plan/details/fees.ts";
import {
  declinedIn,
  type DeclinedTopic,
  DECLINES,
  type Intent,
  orOverview,
} from "../plan/asked/intents.ts";
import { isTopic } from "../plan/asked/topics.ts";
import type { Plan } from "../plan/plan.ts";
import { isGuess } from "../plan/whom/references.ts";
import { aboutCarriers, type CarrierAnswers } from "./carriers.ts";
import { askBack, elicit, type Ending, notExactly, refused } from "./endings.ts";
import type { Finder } from "./finder.ts";
import { Budget, NEAR_OPTIONS } from "./resolution.ts";
import { filedNames, hasAll, isNear, onlyHolder } from "./fitting.ts";
import { explanationItem } from "./general_items.ts";
import * as items from "./rendering.ts";
import type { AnswerItem, AskResult, Elicitation } from "./schemas.ts";

/**
 * Asks for what a question lacks: with the carriers whose names have words that nothing else explains, and the
 * terms that it uses, since what seems to be of a carrier may be of none.
 */
export async function* asksBack(plan: Plan, lacks: Lack, finder: Finder): CarrierAnswers {
  const named = yield* maybeNamed(plan, finder);
  if (named !== undefined) return named;
  const ending = lacks.isSentence ? refused(["unclear"]) : elicit(lacks);
  if (isUnclear(ending)) return yield* explained(plan, ending, finder);
  return { elicitation: besideReasons(ending.elicitation!, [], inGeneral(plan, finder)) };
}

/** What is given instead of an ending about carriers: a better question back, or terms. */
export async function* insteadOf(
  ending: Ending,
  plan: Plan,
  finder: Finder,
): AsyncGenerator<AskResult, Ending | undefined, void> {
  const { carriers } = plan;
  if (isUnclear(ending)) return yield* explained(plan, ending, finder);
  if (isUnfound(ending) && carriers.every(isGuess)) {
    const named = yield* maybeNamed(plan, finder);
    if (named !== undefined) return named;
    // "Does the date change if you update early".
    const isWord = carriers.every((ref) => ref.by === "name" && !ref.text.includes(" "));
    if (isWord && plan.terms.length > 0) return yield* explained(plan, ending, finder);
  }
  if (ending.elicitation === undefined) return undefined;
  const declined = declinedIn(plan.intents);
  return { elicitation: besideReasons(ending.elicitation, declined, inGeneral(plan, finder)) };
}

/** Asks which carrier a question about a term may be about, above what the term means. */
export async function* subjectNamed(
  plan: Plan,
  finder: Finder,
): AsyncGenerator<AskResult, Ending | undefined, void> {
  const { termSubject } = plan;
  if (termSubject === undefined) return undefined;
  // "Need the MCS-150 due date for roger sandhu": a term that is a topic is asked of it.
  const intents = plan.intents.difference(new Set<Intent>(["terms"]))
    .union(new Set<Intent>(plan.terms.filter(isTopic)));
  return yield* maybeNamed({ ...plan, intents, maybe: [termSubject] }, finder);
}

/**
 * Asks which of the carriers is meant whose names have words that nothing else explains, or answers about the
 * only one that has them as a name: "caller says San Antonio, claims Pro Wolf Express".
 */
async function* maybeNamed(
  plan: Plan,
  finder: Finder,
): AsyncGenerator<AskResult, Ending | undefined, void> {
  const budget = new Budget();
  for (const text of plan.maybe) {
    const found = await finder.search(text, budget) ?? [];
    const whole = found.filter((one) => hasAll(one, text));
    // "Npg truking erie", of which a topic is asked.
    const isName = plan.lacks?.part === "carrier" && text.split(" ").length > 2;
    const near = isName ? found.filter((one) => isNear(one, text)) : [];
    const options = (whole.length > 0 ? whole : near).slice(0, NEAR_OPTIONS);
    if (options.length === 0) continue;
    const [only, ...more] = options;
    const isNamed = more.length === 0 &&
      filedNames(only!).some((name) => isSameName(parseName(text), name));
    const isHeld = onlyHolder(found, text) !== undefined;
    if (isNamed || isHeld) return yield* aboutCarriers(planOf(plan, text), finder);
    const asks = `Which carrier do you mean? ${
      whole.length > 0 ? `These have ${quoted(text)}` : `These have words of ${quoted(text)}`
    } in a name.`;
    return askBack("name", items.sentences(asks, inGeneral(plan, finder)), {
      options: options.map(items.optionOf),
    });
  }
  return undefined;
}

/** A plan about the carrier of a name. */
function planOf({ lacks: _, ...plan }: Plan, text: string): Plan {
  const ref = { by: "name", text, name: text, place: "", marked: true, exists: true } as const;
  return { ...plan, intents: orOverview(plan.intents), carriers: [ref], maybe: [] };
}

/** Whether it ends with a question that isn't understood. */
function isUnclear({ elicitation, error }: Ending): boolean {
  return error?.details?.declined?.[0] === "unclear" ||
    elicitation?.questions[0]?.id === "question" &&
      elicitation.questions[0].options === undefined;
}

/** Whether no carrier has the name exactly. */
function isUnfound({ elicitation, error }: Ending): boolean {
  return error?.code === "NO_RESULTS" ||
    elicitation?.text.startsWith(notExactly("")) === true;
}

/** The terms that a question uses which is not understood otherwise, or else the question back. */
async function* explained(plan: Plan, ending: Ending, finder: Finder): CarrierAnswers {
  const terms = termItems(plan, finder);
  for (const item of terms) {
    yield { ...item, text: `I don't understand all of that. In general: ${item.text}` };
  }
  return terms.length === 0 ? ending : {};
}

/** The terms that a question uses that may be of no carrier. */
function termItems({ terms, intents }: Plan, { today, baseUrl }: Finder): AnswerItem[] {
  const of = { about: "terms", today, year: DEFAULT_UCR_YEAR, baseUrl };
  return intents.has("terms") ? [] : terms.map((id) => explanationItem(id, of));
}

function inGeneral(plan: Plan, finder: Finder): string {
  const texts = termItems(plan, finder).map(({ text }) => text);
  return texts.length === 0 ? "" : items.sentences("In general:", ...texts);
}

/** A question back, after why topics are declined. */
export function besideReasons(
  elicitation: Elicitation,
  declined: readonly DeclinedTopic[],
  behind = "",
): Elicitation {
  const reasons = declined.map((topic) => `${DECLINES[topic].text}.`);
  return { ...elicitation, text: items.sentences(...reasons, elicitation.text, behind) };
}
