/**
 * Answers, from what the operations return and nothing else.
 *
 * @module
 */

import { quoted } from "../../pipeline/text.ts";
import { mcs150DueDate, ucrFee } from "../operations/calculations.ts";
import { ServiceError } from "../operations/errors.ts";
import { health } from "../operations/health.ts";
import { lookupCarrier } from "../operations/lookup.ts";
import { matchCarrier, splitPlace } from "../operations/match.ts";
import { MAX_RESULTS } from "../operations/search.ts";
import type { Carrier } from "../rules/schemas.ts";
import { DEFAULT_UCR_YEAR, UCR_YEARS } from "../rules/ucr.ts";
import TEXTS from "./asks.json" with { type: "json" };
import { carrierUrl, type Finder, refUrl, type Resolution, searchUrl } from "./carriers.ts";
import { MAX_CARRIERS } from "./understand.ts";
import {
  type CarrierRef,
  declinedOf,
  generalOf,
  isNumbered,
  type Lack,
  type Plan,
  topicsOf,
} from "./question.ts";
import * as items from "./rendering.ts";
import type { AskResult, Elicitation, Failure } from "./schemas.ts";
import { DECLINES } from "./declines.ts";

/** How an answer ends: with neither member its results are all of it. */
export interface Ending {
  elicitation?: Elicitation;
  error?: Failure;
}

/** Results as they are found, then the ending. */
type Answers = AsyncGenerator<AskResult, Ending, void>;

type Missing = Omit<Resolution & { outcome: "missing" }, "outcome">;

const SEARCH_RESULTS = 10;

const ASKS: Readonly<
  Record<Lack["part"], { text: string; question: string; spanish?: string }>
> = TEXTS;

export function elicit({ part, problem }: Lack, spanish = false): Ending {
  const { text, question, spanish: translated } = ASKS[part];
  return spanish && translated !== undefined
    ? askBack(part, translated)
    : askBack(part, problem === undefined ? text : `${problem}.`, { question });
}

function askBack(
  id: string,
  text: string,
  { question = text, options }: { question?: string; options?: string[] } = {},
): Ending {
  const answer = options === undefined
    ? { type: "text" as const }
    : { type: "single_select" as const, options };
  return { elicitation: { text, questions: [{ id, text: question, ...answer }] } };
}

function failure(code: Failure["code"], message: string, details: Failure["details"]): Ending {
  return { error: { code, message, details } };
}

/**
 * The results for a plan, with how they end. Nothing is run for a plan that lacks something or asks only for
 * what is declined.
 *
 * @throws {ServiceError} When an operation fails for another reason than its input.
 */
export async function* answer(plan: Plan, finder: Finder): Answers {
  const { carriers, intents, lacks, fleets, years, spanish } = plan;
  const { baseUrl } = finder;
  if (lacks !== undefined) return elicit(lacks, spanish);
  if (carriers.length > MAX_CARRIERS) {
    const message =
      `Cannot answer for ${carriers.length} carriers: at most ${MAX_CARRIERS} at once`;
    const instead = [`${baseUrl}/api/v1/carriers/batch`];
    return failure("INVALID_PARAMETER", message, { given: carriers.length, instead });
  }
  const badYear = years.find((year) => fleets.length > 0 && !UCR_YEARS.includes(year));
  if (badYear !== undefined) {
    const text = `UCR fees are known for ${UCR_YEARS.join(" and ")}, not for ${badYear}.`;
    return askBack("year", text, { options: UCR_YEARS.map(String) });
  }
  const about = intents.has("search") || intents.has("compare") || topicsOf(plan).length > 0;
  const general = generalOf(plan);
  const other = fleets.length + general.length > 0;
  if (!about && !other) return refusal(plan, baseUrl);
  if (about) {
    const ending = yield* intents.has("search")
      ? search(plan, finder)
      : aboutCarriers(plan, finder);
    const none = ending.error !== undefined && !other;
    // "Going rate Akron to Dallas": no carrier is named, and what is asked is declined.
    if (none && declinedOf(plan).length > 0) return refusal(plan, baseUrl);
    if (ending.elicitation !== undefined || none) return ending;
  }
  for (const vehicles of fleets) {
    for (const year of years.length > 0 ? years : [DEFAULT_UCR_YEAR]) {
      yield items.feeItem(await finder.run(ucrFee, { vehicles, year }), { spanish, baseUrl });
    }
  }
  if (intents.has("missed")) yield items.MISSED_ITEM;
  const data = general.filter((one) => one !== "missed");
  if (data.length > 0) yield items.dataItem(await finder.run(health, {}), data, baseUrl);
  for (const topic of declinedOf(plan)) yield items.declineItem(topic);
  return {};
}

function refusal(plan: Plan, baseUrl: string): Ending {
  const declined = declinedOf(plan);
  const reasons = declined.map((topic) => DECLINES[topic]);
  const instead = plan.carriers.flatMap((ref) => isNumbered(ref) ? refUrl(ref, baseUrl) : []);
  return failure("OUT_OF_SCOPE", reasons.map(({ text }) => text).join(". "), {
    declined,
    where: reasons.flatMap(({ where }) => where),
    ...(instead.length === 0 ? {} : { instead }),
  });
}

/** Answers about carriers; all are resolved first, so that nothing is asked back later. */
async function* aboutCarriers(plan: Plan, finder: Finder): Answers {
  const subjects = new Map<number, { ref: CarrierRef; note: string }>();
  const missing: Missing[] = [];
  for (const ref of plan.carriers) {
    const resolution = await finder.resolve(ref);
    if (resolution.outcome === "several") return whichOne(resolution, plan, finder);
    if (resolution.outcome === "missing") missing.push(resolution);
    else if (!subjects.has(resolution.dot)) subjects.set(resolution.dot, { ref, ...resolution });
  }
  const carriers: Carrier[] = [];
  let answered = 0;
  for (const [number, { ref, note }] of subjects) {
    const dot = String(number);
    try {
      const carrier = await finder.run(lookupCarrier, { dot });
      carriers.push(carrier);
      yield await itemOf(carrier, { ref, note }, { plan, finder });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (plan.intents.has("mcs150") && plan.guesses.size === 0) {
        const schedule = await finder.run(mcs150DueDate, { dot });
        yield items.scheduleItem(schedule, { note, error, baseUrl: finder.baseUrl });
      } else if (error.code === "not_found") {
        const hint = ref.by === "dot" ? `. If it is an MC number, ask for MC ${dot}` : "";
        missing.push({ message: error.message + hint, url: carrierUrl(dot, finder.baseUrl) });
        continue;
      } else throw error;
    }
    answered++;
  }
  if (answered === 0) return notFound(missing);
  for (const { message, url } of missing) {
    yield items.answerItem(["missing"], "Not found", { text: `${message}.`, urls: [url] });
  }
  if (plan.intents.has("compare") && carriers.length > 1) {
    yield items.comparisonItem(carriers, topicsOf(plan));
  }
  return {};
}

function whichOne(
  { label, options, exact }: Resolution & { outcome: "several" },
  { spanish }: Plan,
  { snapshot }: Finder,
): Ending {
  const more = options.length < MAX_RESULTS ? "" : " There may be more: add the city and state.";
  const text = spanish
    ? "¿Cuál de estas empresas es?"
    : exact
    ? `${options.length} carriers fit ${label}. Which one do you mean?${more}`
    : `No carrier is named exactly ${label}. Do you mean one of these?`;
  return askBack("name", text + items.noticeOf(snapshot), { options: options.map(items.optionOf) });
}

/** The result for a carrier; a docket of several carriers is answered for the one of that name. */
async function itemOf(
  carrier: Carrier,
  { ref, note }: { ref: CarrierRef; note: string },
  { plan, finder }: { plan: Plan; finder: Finder },
): Promise<AskResult> {
  const { baseUrl } = finder;
  if (plan.given === undefined) return items.carrierItem(carrier, { plan, note, baseUrl });
  const { text: name, sure } = plan.given;
  const number = ref.by === "docket" ? { mc: `${ref.prefix} ${ref.number}` } : { dot: carrier.dot };
  const match = (given: object) => finder.run(matchCarrier, { ...number, ...given });
  const whole = await match({ name });
  // A name can hold what looks like a place behind it.
  const { result, carriers } = whole.result === "match" ? whole : await match(splitPlace(name));
  if (!sure && result !== "match" && result !== "close") {
    plan.intents.delete("match");
    plan.unused.push(name);
    return items.carrierItem(carrier, { plan, note, baseUrl });
  }
  const own = carriers.find(({ dot }) => dot === carrier.dot);
  const best = own?.result === carriers[0]!.result ? own : carriers[0]!;
  const matched = best === own ? carrier : await finder.run(lookupCarrier, { dot: best.dot });
  return items.carrierItem(matched, { plan, note, match: best, baseUrl });
}

async function* search({ carriers: [ref] }: Plan, finder: Finder): Answers {
  const text = ref?.by === "name" ? ref.text : "";
  const results = (await finder.search(text)).slice(0, SEARCH_RESULTS);
  for (const found of results) yield items.foundItem(found, finder);
  if (results.length > 0) return {};
  const message = `Cannot find ${quoted(text)}: no such name or place in the data`;
  return notFound([{ message, url: searchUrl(text, finder.baseUrl) }]);
}

function notFound(missing: readonly Missing[]): Ending {
  const message = missing.map((one) => one.message).join(". ");
  return failure("NO_RESULTS", message, { source_urls: missing.map(({ url }) => url) });
}
