/**
 * Stage 4: answers, from a plan and what the operations return and nothing else.
 *
 * @module
 */

import { listed } from "../../../pipeline/text.ts";
import { ucrFeeOperation } from "../../operations/calculations.ts";
import { ServiceError } from "../../operations/errors.ts";
import { health } from "../../operations/health.ts";
import { lookupCarrier } from "../../operations/lookup.ts";
import { DEFAULT_UCR_YEAR, UCR_YEARS } from "../../rules/ucr.ts";
import { askBack, failure, nothingFound, refusal } from "./endings.ts";
import { aboutCarriers, type CarrierAnswers } from "./carriers.ts";
import type { Finder } from "./finder.ts";
import { listing } from "./listing.ts";
import { declinedIn, generalIn, type Intent, topicsIn } from "../plan/asked/intents.ts";
import type { Plan } from "../plan/plan.ts";
import { isNumbered } from "../plan/whom/references.ts";
import * as generalItems from "./general_items.ts";
import * as items from "./rendering.ts";
import type { AskResult } from "./schemas.ts";
import { asksBack, besideReasons, insteadOf, subjectNamed } from "./unclear.ts";

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
  const years = yearsOf(plan);
  const isOfFee = isOfUcr(plan) || lacks?.part === "vehicles";
  if (isOfFee && years.known.length === 0) {
    return askBack("year", years.text, { options: UCR_YEARS.map(String) });
  }
  if (lacks !== undefined) return yield* asksBack(plan, lacks, finder);
  const about = intents.has("search") || intents.has("compare") || topicsIn(intents).length > 0;
  const other = fleets.length + generalIn(intents).length > 0;
  if (!about && !other) return refusal(plan, baseUrl);
  const named = about ? undefined : yield* subjectNamed(plan, finder);
  if (named !== undefined) return named;
  if (plan.beside) return yield* beside(plan, finder);
  if (about) {
    const ending = yield* intents.has("search")
      ? searched(plan, finder)
      : aboutCarriers(plan, finder);
    const instead = yield* insteadOf(ending, plan, finder);
    if (instead !== undefined) return instead;
    if (ending.error !== undefined && !other) {
      if (declinedIn(intents).length === 0) return ending;
      // "Going rate Akron to Dallas": no carrier is named, and what is asked is declined.
      if (!carriers.some(isNumbered)) {
        const refused = refusal(plan, baseUrl);
        // "As of the date of loss": the day is not kept, which is said first.
        const isOfDay = ending.error.code === "OUT_OF_SCOPE" && refused.error !== undefined;
        return !isOfDay ? refused : {
          error: {
            ...refused.error!,
            message: `${ending.error.message}. ${refused.error!.message}`,
          },
        };
      }
      const { message, details } = ending.error;
      const url = details?.source_urls?.[0] ?? baseUrl;
      yield items.unfoundItem({ outcome: "absent", message, url });
    }
  }
  // Whether it is owed comes before how much.
  const owes = intents.has("ucr_intrastate") || plan.terms.includes("ucr");
  for (const part of owes ? [general, fees] : [fees, general]) yield* part(plan, years, finder);
  yield* items.declineItems(declinedIn(intents));
  return {};
}

/** Registration years that are asked about, the newest where none is. */
interface Years {
  readonly known: readonly number[];
  readonly unknown: readonly number[];
  /** Says which are known. */
  readonly text: string;
}

function yearsOf({ years }: Plan): Years {
  const asked = years.length > 0 ? years : [DEFAULT_UCR_YEAR];
  const [known, unknown] = [true, false].map((is) =>
    asked.filter((year) => UCR_YEARS.includes(year) === is)
  ) as [number[], number[]];
  const text = `We have UCR fees for ${UCR_YEARS.join(" and ")}, not ${
    listed(unknown.map(String))
  }.`;
  return { known, unknown, text };
}

function isOfUcr({ fleets, intents }: Plan): boolean {
  return fleets.length > 0 || intents.has("ucr_brackets");
}

async function* fees(
  plan: Plan,
  { unknown, text }: Years,
  finder: Finder,
): AsyncGenerator<AskResult, void, void> {
  for (const { vehicles, years } of plan.fleets) {
    const asked = years.filter((year) => !unknown.includes(year));
    for (const year of years.length > 0 ? asked : [DEFAULT_UCR_YEAR]) {
      const fee = await finder.run(ucrFeeOperation, { vehicles, year });
      yield generalItems.feeItem(fee, finder.baseUrl);
    }
  }
  if (isOfUcr(plan) && unknown.length > 0) {
    yield items.answerItem(["year"], "Years", { text, urls: [finder.baseUrl] });
  }
}

/** What is asked of no carrier. */
async function* general(
  plan: Plan,
  { known, unknown }: Years,
  finder: Finder,
): AsyncGenerator<AskResult, void, void> {
  const { today, baseUrl } = finder;
  for (const one of generalIn(plan.intents)) {
    if (one === "ucr_brackets") {
      for (const year of known) {
        const fee = await finder.run(ucrFeeOperation, { vehicles: 0, year });
        yield generalItems.bracketsItem(fee, baseUrl);
      }
    } else if (one === "count" || one === "data_date") {
      yield generalItems.dataItem(await finder.run(health, {}), one, baseUrl);
    } else {
      const year = known[0] ?? unknown[0]!;
      const first = plan.terms.includes("history") ? await firstDay(finder) : undefined;
      for (const id of one === "terms" ? plan.terms : [one]) {
        const { ending } = plan;
        yield generalItems.explanationItem(id, { about: one, today, year, first, ending, baseUrl });
      }
    }
  }
}

/** The first day for which carriers are kept, which a lookup of a day long past names. */
async function firstDay(finder: Finder): Promise<string | undefined> {
  try {
    await finder.run(lookupCarrier, { dot: "1", as_of: LONG_AGO });
  } catch (error) {
    if (error instanceof ServiceError) return error.firstDay;
    throw error;
  }
  return undefined;
}

const LONG_AGO = "2000-01-01";

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
  yield* items.declineItems(declinedIn(plan.intents));
  yield* overviews;
  return {};
}

async function* searched(plan: Plan, finder: Finder): CarrierAnswers {
  const absent = yield* listing(plan.list!, finder);
  return absent === null ? {} : nothingFound([{ outcome: "absent", ...absent }]);
}
