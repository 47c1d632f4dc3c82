/**
 * Answers, from what the operations return and nothing else.
 *
 * @module
 */

import { quoted } from "../../pipeline/text.ts";
import { ServiceError } from "../operations/errors.ts";
import { health } from "../operations/health.ts";
import { lookupCarrier } from "../operations/lookup.ts";
import { type Match, matchCarrier, splitPlace } from "../operations/match.ts";
import { mcs150DueDate, ucrFee } from "../operations/calculations.ts";
import { MAX_RESULTS } from "../operations/search.ts";
import type { Carrier } from "../rules/schemas.ts";
import { UCR_YEARS } from "../rules/ucr.ts";
import { type Finder, type Resolution, searchUrl } from "./carriers.ts";
import { DECLINES } from "./declines.ts";
import { type CarrierRef, type Lack, MAX_CARRIERS, type Plan } from "./intents.ts";
import {
  answerItem,
  carrierItem,
  carrierUrl,
  comparisonItem,
  dataItem,
  declineItem,
  feeItem,
  foundItem,
  MISSED_ITEM,
  optionOf,
  scheduleItem,
} from "./rendering.ts";
import type { AskResult, Elicitation, Failure } from "./schemas.ts";
import { SPANISH_ASKS } from "./spanish.ts";

/** How an answer ends. */
export type Ending =
  | { type: "answer" }
  | { type: "elicitation"; elicitation: Elicitation }
  | { type: "failure"; error: Failure };

/** Results as they are found; the last step is how it ended. */
export type Answers = AsyncGenerator<AskResult | Ending, void, void>;

const SEARCH_RESULTS = 10;

const ASKS: Readonly<Record<Lack, readonly [text: string, question: string]>> = {
  carrier: ["Which carrier do you mean?", "What is its USDOT number, MC number or name?"],
  dot: ["That is not a USDOT number.", "What is the USDOT number? It has 1 to 8 digits."],
  mc: ["That is not an MC number.", "What is the MC number? It has 1 to 8 digits."],
  vehicles: [
    "The UCR fee depends on the number of vehicles.",
    "How many commercial motor vehicles are there, without trailers?",
  ],
  number: ["I can't tell what the number is.", "Is it a USDOT number, or what else?"],
  question: [
    "I answer questions about US motor carriers from FMCSA data: one carrier by USDOT number, MC " +
    "number or name, MCS-150 due dates, and UCR fees. For example: what is the safety rating of DOT " +
    "286764, is the MCS-150 of 286764 current, UCR for 12 trucks in 2026.",
    "What is your question?",
  ],
};

/** Asks for what a question lacks. */
export function elicit(part: Lack, { spanish = false, problem = "" } = {}): Elicitation {
  const [text, question] = spanish && SPANISH_ASKS[part] !== undefined
    ? [SPANISH_ASKS[part], SPANISH_ASKS[part]]
    : ASKS[part];
  return {
    text: problem === "" || spanish ? text : `${problem}.`,
    questions: [{ id: part, text: question, type: "text" }],
  };
}

/**
 * Answers a plan. Nothing is run for one that lacks something or asks only for what is declined.
 *
 * @throws {ServiceError} When an operation fails for another reason than its input.
 */
export async function* answer(plan: Plan, finder: Finder): Answers {
  const { carriers, declined, lacks, fleets, general, topics, years } = plan;
  const { baseUrl } = finder;
  if (lacks !== undefined) {
    return yield { type: "elicitation", elicitation: elicit(lacks.part, { ...plan, ...lacks }) };
  }
  if (carriers.length > MAX_CARRIERS) {
    const message =
      `Cannot answer for ${carriers.length} carriers: at most ${MAX_CARRIERS} at once`;
    const instead = [`${baseUrl}/api/v1/carriers/batch`];
    return yield failure("INVALID_PARAMETER", message, { given: carriers.length, instead });
  }
  const badYear = years.find((year) => fleets.length > 0 && !UCR_YEARS.includes(year));
  if (badYear !== undefined) {
    const text = `UCR fees are known for ${UCR_YEARS.join(" and ")}, not for ${badYear}.`;
    const options = UCR_YEARS.map(String);
    return yield choice("year", { text, options });
  }
  const about = plan.search || plan.compare || topics.size > 0;
  if (!about && fleets.length + general.size === 0) return yield refusal(plan, baseUrl);
  let noted = plan.unused.length === 0;
  let found = false;
  let missed: Failure | null = null;
  for (const part of [about ? aboutCarriers : null, fees, generals]) {
    for await (const step of part?.(plan, finder) ?? []) {
      if (!("type" in step)) {
        // The note goes with the first result, whatever that is.
        yield noted ? step : withNote(step, plan.unused);
        [noted, found] = [true, true];
      } else if (step.type === "elicitation") return yield step;
      else if (step.type === "failure") missed = step.error;
    }
  }
  if (missed !== null && !found) return yield { type: "failure", error: missed };
  for (const topic of declined) yield declineItem(topic);
  yield { type: "answer" };
}

function withNote(item: AskResult, unused: readonly string[]): AskResult {
  const note = `I did not use ${unused.map((text) => quoted(text)).join(", ")}.`;
  return item["@type"] === "Organization"
    ? { ...item, description: `${item.description} ${note}` }
    : { ...item, text: `${item.text} ${note}` };
}

function failure(code: Failure["code"], message: string, details: Failure["details"]): Ending {
  return { type: "failure", error: { code, message, details } };
}

function choice(id: string, { text, options }: { text: string; options: string[] }): Ending {
  const questions = [{ id, text, type: "single_select" as const, options }];
  return { type: "elicitation", elicitation: { text, questions } };
}

function refusal({ declined, carriers }: Plan, baseUrl: string): Ending {
  const topics = [...declined];
  const instead = carriers.flatMap((ref) =>
    ref.by === "dot"
      ? [carrierUrl(ref.number, baseUrl)]
      : ref.by === "docket"
      ? [`${baseUrl}/api/v1/mc/${ref.number}`]
      : []
  );
  return failure("OUT_OF_SCOPE", topics.map((topic) => DECLINES[topic].text).join(". "), {
    declined: topics,
    where: topics.flatMap((topic) => DECLINES[topic].where),
    ...(instead.length === 0 ? {} : { instead }),
  });
}

/** Answers about carriers; all are resolved first, so that nothing is asked back later. */
async function* aboutCarriers(plan: Plan, finder: Finder): Answers {
  if (plan.search) return yield* search(plan, finder);
  const subjects = new Map<number, { ref: CarrierRef; note: string }>();
  const missing: { message: string; url: string }[] = [];
  for (const ref of plan.carriers) {
    const resolution = await finder.resolve(ref);
    if (resolution.outcome === "several") return yield whichOne(resolution, plan);
    if (resolution.outcome === "missing") missing.push(resolution);
    else if (!subjects.has(resolution.dot)) subjects.set(resolution.dot, { ref, ...resolution });
  }
  const carriers: Carrier[] = [];
  let found = false;
  for (const [dot, { ref, note }] of subjects) {
    const carrier = await finder.run(lookupCarrier, { dot: String(dot) }).catch((error) => {
      if (error instanceof ServiceError) return error;
      throw error;
    });
    if (!(carrier instanceof ServiceError)) {
      carriers.push(carrier);
      yield await itemOf(carrier, { ref, note }, { plan, finder });
    } else if (plan.topics.has("due")) {
      const schedule = await finder.run(mcs150DueDate, { dot: String(dot) });
      yield scheduleItem(schedule, { note, error: carrier, baseUrl: finder.baseUrl });
    } else if (carrier.code === "not_found") {
      const hint = ref.by === "dot" ? `. If it is an MC number, ask for MC ${dot}` : "";
      missing.push({ message: carrier.message + hint, url: carrierUrl(dot, finder.baseUrl) });
      continue;
    } else throw carrier;
    found = true;
  }
  if (!found) {
    const urls = missing.map(({ url }) => url);
    const message = missing.map((one) => one.message).join(". ");
    return yield failure("NO_RESULTS", message, { source_urls: urls });
  }
  for (const { message, url } of missing) {
    yield answerItem({ name: "Not found", about: ["missing"], text: `${message}.`, urls: [url] });
  }
  if (plan.compare && carriers.length > 1) yield comparisonItem(carriers, plan.topics);
}

function whichOne(
  { label, options, exact }: Resolution & { outcome: "several" },
  { spanish }: Plan,
): Ending {
  const more = options.length < MAX_RESULTS ? "" : " There may be more: add the city and state.";
  const text = spanish
    ? SPANISH_ASKS.name!
    : exact
    ? `${options.length} carriers fit ${label}. Which one do you mean?${more}`
    : `No carrier is named exactly ${label}. Do you mean one of these?`;
  return choice("name", { text, options: options.map(optionOf) });
}

/** The result for a carrier; a docket of several carriers is answered for the one that bears the name. */
async function itemOf(
  carrier: Carrier,
  { ref, note }: { ref: CarrierRef; note: string },
  { plan, finder }: { plan: Plan; finder: Finder },
): Promise<AskResult> {
  const { baseUrl } = finder;
  if (plan.given === undefined) return carrierItem(carrier, { plan, note, baseUrl });
  const number = ref.by === "docket" ? { mc: `${ref.prefix} ${ref.number}` } : { dot: carrier.dot };
  const match = (given: object) => finder.run(matchCarrier, { ...number, ...given });
  const whole = await match({ name: plan.given });
  // A name can hold what looks like a place behind it.
  const { carriers } = whole.result === "match" ? whole : await match(splitPlace(plan.given));
  const [best] = carriers as [Match["carriers"][number]];
  const own = carriers.find(({ dot }) => dot === carrier.dot) ?? best;
  if (best.dot === carrier.dot || own.result === best.result) {
    return carrierItem(carrier, { plan, note, match: own, baseUrl });
  }
  const better = await finder.run(lookupCarrier, { dot: best.dot });
  return carrierItem(better, { plan, note, match: best, baseUrl });
}

async function* search({ carriers: [ref] }: Plan, finder: Finder): Answers {
  const text = ref?.by === "name" ? ref.texts[0]! : "";
  const results = (await finder.search(text)).slice(0, SEARCH_RESULTS);
  for (const found of results) yield foundItem(found, finder);
  if (results.length > 0) return;
  const message = `Cannot find ${quoted(text)}: no such name or place in the FMCSA census`;
  yield failure("NO_RESULTS", message, { source_urls: [searchUrl(text, finder.baseUrl)] });
}

/** The fee of each fleet in each year asked for; in the newest when none is. */
async function* fees({ fleets, years, spanish }: Plan, finder: Finder): Answers {
  for (const vehicles of fleets) {
    for (const year of years.length > 0 ? years : [Math.max(...UCR_YEARS)]) {
      const fee = await finder.run(ucrFee, { vehicles, year });
      yield feeItem(fee, { spanish, baseUrl: finder.baseUrl });
    }
  }
}

/** What is asked about the data, and what a missed update leads to. */
async function* generals({ general }: Plan, finder: Finder): Answers {
  if (general.has("missed")) yield MISSED_ITEM;
  const asked = [...general].filter((one) => one !== "missed");
  if (asked.length > 0) yield dataItem(await finder.run(health, {}), asked, finder.baseUrl);
}
