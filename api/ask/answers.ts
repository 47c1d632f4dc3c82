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
import { MAX_CARRIERS } from "./intents.ts";
import type { CarrierRef, Lack, Plan } from "./plan.ts";
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
  scheduleItem,
  withNotice,
} from "./rendering.ts";
import type { AskResult, Elicitation, Failure } from "./schemas.ts";
import { SPANISH_ASKS } from "./spanish.ts";
import { optionOf } from "./wording.ts";

/** How an answer ends: with neither member its results are all of it. */
export interface Ending {
  elicitation?: Elicitation;
  error?: Failure;
}

/** Results as they are found, then the ending. */
type Answers = AsyncGenerator<AskResult, Ending, void>;

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
 * The results for a plan, then the ending. Nothing is run for a plan that lacks something or asks only for
 * what is declined.
 *
 * @throws {ServiceError} When an operation fails for another reason than its input.
 */
export async function* answer(
  plan: Plan,
  finder: Finder,
): AsyncGenerator<AskResult | Ending, void, void> {
  yield yield* answerParts(plan, finder);
}

async function* answerParts(plan: Plan, finder: Finder): Answers {
  const { carriers, declined, lacks, fleets, general, topics, years } = plan;
  const { baseUrl } = finder;
  if (lacks !== undefined) return { elicitation: elicit(lacks.part, { ...plan, ...lacks }) };
  if (carriers.length > MAX_CARRIERS) {
    const message =
      `Cannot answer for ${carriers.length} carriers: at most ${MAX_CARRIERS} at once`;
    const instead = [`${baseUrl}/api/v1/carriers/batch`];
    return failure("INVALID_PARAMETER", message, { given: carriers.length, instead });
  }
  const badYear = years.find((year) => fleets.length > 0 && !UCR_YEARS.includes(year));
  if (badYear !== undefined) {
    const text = `UCR fees are known for ${UCR_YEARS.join(" and ")}, not for ${badYear}.`;
    return choice("year", text, UCR_YEARS.map(String));
  }
  const about = plan.search || plan.compare || topics.size > 0;
  const other = fleets.length + general.size > 0;
  if (!about && !other) return refusal(plan, baseUrl);
  if (about) {
    const ending = yield* plan.search ? search(plan, finder) : aboutCarriers(plan, finder);
    if (ending.elicitation !== undefined || ending.error !== undefined && !other) return ending;
  }
  for (const vehicles of fleets) {
    for (const year of years.length > 0 ? years : [Math.max(...UCR_YEARS)]) {
      yield feeItem(await finder.run(ucrFee, { vehicles, year }), { ...plan, baseUrl });
    }
  }
  if (general.has("missed")) yield MISSED_ITEM;
  const data = [...general].filter((one) => one !== "missed");
  if (data.length > 0) yield dataItem(await finder.run(health, {}), data, baseUrl);
  for (const topic of declined) yield declineItem(topic);
  return {};
}

function failure(code: Failure["code"], message: string, details: Failure["details"]): Ending {
  return { error: { code, message, details } };
}

function choice(id: string, text: string, options: string[]): Ending {
  return { elicitation: { text, questions: [{ id, text, type: "single_select", options }] } };
}

function refusal({ declined, carriers }: Plan, baseUrl: string): Ending {
  const instead = carriers.flatMap((ref) =>
    ref.by === "dot"
      ? [carrierUrl(ref.number, baseUrl)]
      : ref.by === "docket"
      ? [`${baseUrl}/api/v1/mc/${ref.number}`]
      : []
  );
  const message = [...declined].map((topic) => DECLINES[topic].text).join(". ");
  return failure("OUT_OF_SCOPE", message, {
    declined: [...declined],
    where: [...declined].flatMap((topic) => DECLINES[topic].where),
    ...(instead.length === 0 ? {} : { instead }),
  });
}

/** Answers about carriers; all are resolved first, so that nothing is asked back later. */
async function* aboutCarriers(plan: Plan, finder: Finder): Answers {
  const { baseUrl } = finder;
  const subjects = new Map<number, { ref: CarrierRef; note: string }>();
  const missing: { message: string; url: string }[] = [];
  for (const ref of plan.carriers) {
    const resolution = await finder.resolve(ref);
    if (resolution.outcome === "several") return whichOne(resolution, plan, finder);
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
      yield scheduleItem(schedule, { note, error: carrier, baseUrl });
    } else if (carrier.code === "not_found") {
      const hint = ref.by === "dot" ? `. If it is an MC number, ask for MC ${dot}` : "";
      missing.push({ message: carrier.message + hint, url: carrierUrl(dot, baseUrl) });
      continue;
    } else throw carrier;
    found = true;
  }
  if (!found) {
    const message = missing.map((one) => one.message).join(". ");
    return failure("NO_RESULTS", message, { source_urls: missing.map(({ url }) => url) });
  }
  for (const { message, url } of missing) {
    yield answerItem({ name: "Not found", about: ["missing"], text: `${message}.`, urls: [url] });
  }
  if (plan.compare && carriers.length > 1) yield comparisonItem(carriers, plan.topics);
  return {};
}

function whichOne(
  { label, options, exact }: Resolution & { outcome: "several" },
  { spanish }: Plan,
  { snapshot }: Finder,
): Ending {
  const more = options.length < MAX_RESULTS ? "" : " There may be more: add the city and state.";
  const text = spanish
    ? SPANISH_ASKS.name!
    : exact
    ? `${options.length} carriers fit ${label}. Which one do you mean?${more}`
    : `No carrier is named exactly ${label}. Do you mean one of these?`;
  return choice("name", withNotice(text, snapshot), options.map(optionOf));
}

/** The result for a carrier; a docket of several carriers is answered for the one of that name. */
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
  const own = carriers.find(({ dot }) => dot === carrier.dot);
  if (own !== undefined && own.result === best.result) {
    return carrierItem(carrier, { plan, note, match: own, baseUrl });
  }
  const better = await finder.run(lookupCarrier, { dot: best.dot });
  return carrierItem(better, { plan, note, match: best, baseUrl });
}

async function* search({ carriers: [ref] }: Plan, finder: Finder): Answers {
  const text = ref?.by === "name" ? ref.texts[0]! : "";
  const results = (await finder.search(text)).slice(0, SEARCH_RESULTS);
  for (const found of results) yield foundItem(found, finder);
  if (results.length > 0) return {};
  const message = `Cannot find ${quoted(text)}: no such name or place in the FMCSA census`;
  return failure("NO_RESULTS", message, { source_urls: [searchUrl(text, finder.baseUrl)] });
}
