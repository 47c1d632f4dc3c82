/**
 * Stage 4: answers, from a plan and what the operations return and nothing else.
 *
 * @module
 */

import { listed, quoted } from "../../../pipeline/text.ts";
import { ucrFeeOperation } from "../../operations/calculations.ts";
import { health } from "../../operations/health.ts";
import { DEFAULT_UCR_YEAR, UCR_YEARS } from "../../rules/ucr.ts";
import {
  askBack,
  declinedAs,
  elicit,
  type Ending,
  failure,
  nothingFound,
  refusal,
} from "./endings.ts";
import { aboutCarriers, type CarrierAnswers } from "./carriers.ts";
import { Budget, type Finder, NEAR_OPTIONS } from "./finder.ts";
import { hasAll, isNear } from "./fitting.ts";
import { listing } from "./listing.ts";
import type { Lack } from "../plan/fees.ts";
import {
  declinedIn,
  type DeclinedTopic,
  DECLINES,
  generalIn,
  type Intent,
  topicsIn,
} from "../plan/intents.ts";
import type { Plan } from "../plan/plan.ts";
import { isGuess, isNumbered } from "../plan/references.ts";
import * as generalItems from "./general_items.ts";
import * as items from "./rendering.ts";
import type { AnswerItem, AskResult, Elicitation } from "./schemas.ts";

export const MAX_CARRIERS = 20;

/**
 * The results for a plan, with how they end. Nothing is run for a plan that lacks something or asks only for
 * what is declined.
 *
 * @throws {ServiceError} When an operation fails for another reason than its input.
 */
export async function* answer(plan: Plan, finder: Finder): CarrierAnswers {
  const { carriers, intents, lacks, fleets } = plan;
  const { baseUrl } = finder;
  if (carriers.length > MAX_CARRIERS) {
    const message =
      `Cannot answer for ${carriers.length} carriers: at most ${MAX_CARRIERS} at once`;
    const instead = [`${baseUrl}/api/v1/carriers/batch`];
    return failure("INVALID_PARAMETER", message, { given: carriers.length, instead });
  }
  const general = generalIn(intents);
  const years = plan.years.length > 0 ? plan.years : [DEFAULT_UCR_YEAR];
  const ofUcr = fleets.length > 0 || intents.has("ucr_brackets");
  const unknown = years.filter((year) => !UCR_YEARS.includes(year));
  const known = `We have UCR fees for ${UCR_YEARS.join(" and ")}, not ${
    listed(unknown.map(String))
  }.`;
  if (unknown.length === years.length && (ofUcr || lacks?.part === "vehicles")) {
    return askBack("year", known, { options: UCR_YEARS.map(String) });
  }
  if (lacks !== undefined) {
    const ending = await asked(plan, lacks, finder);
    return isUnclear(ending) ? yield* explained(plan, ending, finder) : ending;
  }
  const declined = declinedIn(intents);
  const about = intents.has("search") || intents.has("compare") || topicsIn(intents).length > 0;
  const other = fleets.length + general.length > 0;
  if (!about && !other) return refusal(plan, baseUrl);
  if (plan.beside) return yield* beside(plan, finder);
  if (about) {
    const ending = yield* intents.has("search")
      ? searched(plan, finder)
      : aboutCarriers(plan, finder);
    if (isUnclear(ending)) return yield* explained(plan, ending, finder);
    if (isUnfound(ending) && carriers.every(isGuess)) {
      const named = await maybeNamed(plan, finder);
      if (named !== undefined) return named;
      // "Does the date change if you update early".
      const isWord = carriers.every((ref) => ref.by === "name" && !ref.text.includes(" "));
      if (isWord && plan.terms.length > 0) return yield* explained(plan, ending, finder);
    }
    if (ending.elicitation !== undefined) {
      const general = inGeneral(plan, finder);
      return { elicitation: besideReasons(ending.elicitation, declined, general) };
    }
    if (ending.error !== undefined && !other) {
      if (declined.length === 0) return ending;
      // "Going rate Akron to Dallas": no carrier is named, and what is asked is declined.
      if (!carriers.some(isNumbered)) return refusal(plan, baseUrl);
      const { message, details } = ending.error;
      const url = details?.source_urls?.[0] ?? baseUrl;
      yield items.unfoundItem({ outcome: "absent", message, url });
    }
  }
  for (const { vehicles, years } of fleets) {
    const asked = years.filter((year) => !unknown.includes(year));
    for (const year of years.length > 0 ? asked : [DEFAULT_UCR_YEAR]) {
      yield generalItems.feeItem(await finder.run(ucrFeeOperation, { vehicles, year }), baseUrl);
    }
  }
  if (ofUcr && unknown.length > 0) {
    yield items.answerItem(["year"], "Years", { text: known, urls: [baseUrl] });
  }
  for (const one of general) {
    if (one === "ucr_brackets") {
      for (const year of years.filter((year) => !unknown.includes(year))) {
        yield generalItems.bracketsItem(
          await finder.run(ucrFeeOperation, { vehicles: 0, year }),
          baseUrl,
        );
      }
    } else if (one === "count" || one === "data_date") {
      yield generalItems.dataItem(await finder.run(health, {}), one, baseUrl);
    } else {
      for (const id of one === "terms" ? plan.terms : [one]) {
        const of = { about: one, today: finder.today, year: years[0]!, baseUrl };
        yield generalItems.explanationItem(id, of);
      }
    }
  }
  for (const topic of declined) yield items.declineItem(topic);
  return {};
}

/**
 * A question back, with the carriers whose names have words that nothing else explains, and the terms that it
 * uses, since what seems to be of a carrier may be of none.
 */
async function asked(plan: Plan, lacks: Lack, finder: Finder): Promise<Ending> {
  const named = await maybeNamed(plan, finder);
  if (named !== undefined) return named;
  if (lacks.isSentence) return declinedAs("unclear");
  const { elicitation } = elicit(lacks);
  return { elicitation: besideReasons(elicitation!, [], inGeneral(plan, finder)) };
}

/** Asks which of the carriers is meant whose names have words that nothing else explains. */
async function maybeNamed(plan: Plan, finder: Finder): Promise<Ending | undefined> {
  const general = inGeneral(plan, finder);
  const budget = new Budget();
  for (const text of plan.maybe) {
    const found = await finder.search(text, budget) ?? [];
    const whole = found.filter((one) => hasAll(one, text));
    // "Npg truking erie", of which a topic is asked.
    const isName = plan.lacks?.part === "carrier" && text.split(" ").length > 2;
    const near = isName ? found.filter((one) => isNear(one, text)) : [];
    const options = (whole.length > 0 ? whole : near).slice(0, NEAR_OPTIONS);
    if (options.length === 0) continue;
    const asks = `Which carrier do you mean? ${
      whole.length > 0 ? `These have ${quoted(text)}` : `These have words of ${quoted(text)}`
    } in a name.`;
    return askBack("name", items.sentences(asks, general), {
      options: options.map(items.optionOf),
    });
  }
  return undefined;
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
    elicitation?.text.startsWith("No carrier is named") === true;
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
  return intents.has("terms") ? [] : terms.map((id) => generalItems.explanationItem(id, of));
}

function inGeneral(plan: Plan, finder: Finder): string {
  const texts = termItems(plan, finder).map(({ text }) => text);
  return texts.length === 0 ? "" : items.sentences("In general:", ...texts);
}

/** Out-of-service orders are answered, those of the past too, where the data includes them. */
export async function withOrders(plan: Plan, finder: Finder): Promise<Plan> {
  if (plan.lacks !== undefined || !plan.intents.has("no:oos_order")) return plan;
  const { snapshot } = await finder.run(health, {});
  if (snapshot.orders_date === undefined) return plan;
  if (plan.carriers.length === 0) {
    // "Is it a crime to run under an order".
    const others = declinedIn(plan.intents).length > 1;
    return others
      ? { ...plan, intents: plan.intents.difference(new Set<Intent>(["no:oos_order"])) }
      : { ...plan, lacks: { part: "carrier" } };
  }
  const answered = new Set<Intent>(["no:oos_order", "no:history"]);
  // The overview stood beside what is declined.
  if (plan.beside) answered.add("overview");
  const intents = plan.intents.difference(answered).union(new Set<Intent>(["orders"]));
  const isOnly = topicsIn(intents).length === 1;
  return {
    ...plan,
    beside: false,
    intents,
    ...isOnly && { asOf: undefined },
  };
}

/** Says what is declined, then gives the overview or the list of carriers. */
async function* beside(plan: Plan, finder: Finder): CarrierAnswers {
  const overviews: AskResult[] = [];
  const all = plan.intents.has("search") ? searched(plan, finder) : aboutCarriers(plan, finder);
  let next = await all.next();
  for (; !next.done; next = await all.next()) overviews.push(next.value);
  const { elicitation, error } = next.value;
  if (elicitation !== undefined) {
    return { elicitation: besideReasons(elicitation, declinedIn(plan.intents)) };
  }
  if (error !== undefined && plan.carriers.some(isNumbered)) return { error };
  if (error !== undefined) {
    const refused = refusal(plan, finder.baseUrl);
    return plan.carriers.length === 0 || refused.error === undefined ? refused : {
      error: { ...refused.error, message: `${error.message}. ${refused.error.message}` },
    };
  }
  for (const topic of declinedIn(plan.intents)) yield items.declineItem(topic);
  yield* overviews;
  return {};
}

/** A question back, after why topics are declined. */
function besideReasons(
  elicitation: Elicitation,
  declined: readonly DeclinedTopic[],
  behind = "",
): Elicitation {
  const reasons = declined.map((topic) => `${DECLINES[topic].text}.`);
  return { ...elicitation, text: items.sentences(...reasons, elicitation.text, behind) };
}

async function* searched(plan: Plan, finder: Finder): CarrierAnswers {
  const absent = yield* listing(plan.list!, finder);
  return absent === null ? {} : nothingFound([{ outcome: "absent", ...absent }]);
}
