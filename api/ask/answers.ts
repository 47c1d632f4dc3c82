/**
 * Answers, from what the operations return and nothing else. An unknown is never called clean or bad.
 *
 * @module
 */

import { quoted } from "../../pipeline/inert.ts";
import { ServiceError } from "../operations/errors.ts";
import { health } from "../operations/health.ts";
import { lookupCarrier } from "../operations/lookup_carrier.ts";
import { compareName, type Match, matchCarrier, splitPlace } from "../operations/match.ts";
import { mcs150DueDate } from "../operations/mcs150_due_date.ts";
import { ucrFee } from "../operations/ucr_fee.ts";
import { formatForPeople } from "../rules/calendar.ts";
import { DEACTIVATION_PAUSE, MCS150_CITATION, MCS150_URL } from "../rules/mcs150.ts";
import type { Carrier } from "../rules/schemas.ts";
import { UCR_YEARS } from "../rules/ucr.ts";
import { type Finder, type Found, type Operations, optionOf, searchUrl } from "./carriers.ts";
import { DECLINES } from "./declines.ts";
import { type CarrierRef, type Lack, MAX_CARRIERS, type Plan } from "./intents.ts";
import {
  carrierItem,
  carrierUrl,
  comparison,
  counted,
  declineItem,
  feeItem,
  foundItem,
  plainItem,
  withNotice,
} from "./rendering.ts";
import type { AnswerItem, AskResult, CarrierItem, Elicitation, Failure } from "./schemas.ts";
import { SPANISH_ASKS } from "./spanish.ts";

/** How an answer ends. */
export type Ending =
  | { type: "answer" }
  | { type: "elicitation"; elicitation: Elicitation }
  | { type: "failure"; error: Failure };

/** Results as they are found, then how it ended. */
export type Answers = AsyncGenerator<AskResult, Ending, void>;

/** A carrier that was found, as it was referred to. */
interface Subject {
  ref: CarrierRef;
  dot: number;
  note: string;
}

const SEARCH_RESULTS = 10;
const MOST_MATCHED = 5;

const ASKS: Readonly<Record<Lack, readonly [text: string, question: string]>> = {
  carrier: ["Which carrier do you mean?", "What is its USDOT number, MC number or name?"],
  dot: ["That is not a USDOT number.", "What is the USDOT number? It has 1 to 8 digits."],
  mc: ["That is not an MC number.", "What is the MC number? It has 1 to 8 digits."],
  vehicles: [
    "The UCR fee depends on the number of vehicles.",
    "How many commercial motor vehicles are there, without trailers?",
  ],
  number: [
    "I can't tell what the number is.",
    "Is it a USDOT number, an MC number or something else?",
  ],
  question: [
    "I answer questions about US motor carriers from FMCSA data: one carrier by USDOT number, MC number " +
    "or name, MCS-150 due dates, and UCR fees. For example: what is the safety rating of DOT 286764, is " +
    "the MCS-150 of 286764 up to date, UCR for 12 trucks in 2026.",
    "What is your question?",
  ],
};

/** Asks for what a question lacks. */
export function elicit(part: Lack, { spanish = false, problem = "" } = {}): Elicitation {
  const [text, question] = ASKS[part];
  const said = spanish ? SPANISH_ASKS[part] : undefined;
  const questions = [{ id: part, text: said ?? question, type: "text" as const }];
  return { text: said ?? (problem === "" ? text : `${problem}.`), questions };
}

/** Ends without an answer. */
export function failure(
  code: Failure["code"],
  message: string,
  details: NonNullable<Failure["details"]>,
): Ending & { type: "failure" } {
  return { type: "failure", error: { code, message, details } };
}

/**
 * Answers a plan. Nothing is run for one that lacks something or asks only for what is declined.
 *
 * @param bearers The carriers that bear the name in the plan.
 * @throws {ServiceError} When an operation fails for another reason than its input.
 */
export async function* answer(
  { plan, bearers }: { plan: Plan; bearers: Found[] },
  finder: Finder,
): Answers {
  const { operations } = finder;
  const { carriers, declined, lacks, fleets, general, topics, unused } = plan;
  if (lacks !== undefined) {
    return { type: "elicitation", elicitation: elicit(lacks.part, { ...plan, ...lacks }) };
  }
  if (carriers.length > MAX_CARRIERS) {
    const message =
      `Cannot answer for ${carriers.length} carriers at once: at most ${MAX_CARRIERS}`;
    const instead = [`${operations.baseUrl}/api/v1/carriers/batch`];
    return failure("INVALID_PARAMETER", message, { given: carriers.length, instead });
  }
  const about = plan.search || plan.compare || topics.length > 0;
  if (declined.length > 0 && !about && fleets.length + general.length === 0) {
    return refuse(plan, operations);
  }
  const badYear = plan.years.find((year) => fleets.length > 0 && !UCR_YEARS.includes(year));
  if (badYear !== undefined) {
    const text = `UCR fees are known for ${UCR_YEARS.join(" and ")}, not for ${badYear}`;
    const questions = [{
      id: "year",
      text: "Which year?",
      type: "single_select" as const,
      options: UCR_YEARS.map(String),
    }];
    return { type: "elicitation", elicitation: { text: `${text}.`, questions } };
  }
  // The note goes with the first result, whatever that is.
  let note = unused.length === 0
    ? ""
    : `I did not use ${unused.map((text) => quoted(text)).join(", ")}.`;
  const noted = (item: AskResult): AskResult => {
    if (note === "") return item;
    const own = note;
    note = "";
    return item["@type"] === "Organization"
      ? { ...item, description: `${item.description} ${own}` }
      : { ...item, text: `${item.text} ${own}` };
  };
  const parts = [
    ...(about && carriers.length > 0 ? [aboutCarriers(plan, { bearers, finder })] : []),
    ...(fleets.length > 0 ? [fees(plan, operations)] : []),
    ...(general.length > 0 ? [generals(plan, operations)] : []),
  ];
  let found = false;
  let missed: Ending | null = null;
  for (const part of parts) {
    for (;;) {
      const step = await part.next();
      if (!step.done) {
        found = true;
        yield noted(step.value);
        continue;
      }
      if (step.value.type === "elicitation") return step.value;
      if (step.value.type === "failure") missed = step.value;
      break;
    }
  }
  if (!found && missed !== null) return missed;
  if (missed?.type === "failure") {
    const { message, details } = missed.error;
    yield plainItem({
      name: "Not found",
      about: ["missing"],
      text: `${message}.`,
      url: details?.source_urls?.[0] ?? operations.baseUrl,
    });
  }
  yield* declined.map(declineItem);
  return { type: "answer" };
}

function refuse({ declined, carriers }: Plan, { baseUrl }: Operations): Ending {
  const message = declined.map((topic) => DECLINES[topic].text).join(". ");
  const instead = carriers.flatMap((ref) => {
    if (ref.by === "dot") return [`${baseUrl}/api/v1/carriers/${ref.number}`];
    return ref.by === "docket" && ref.prefix === "MC" ? [`${baseUrl}/api/v1/mc/${ref.number}`] : [];
  });
  return failure("OUT_OF_SCOPE", message, {
    declined,
    where: declined.flatMap((topic) => DECLINES[topic].where),
    ...(instead.length === 0 ? {} : { instead }),
  });
}

/** Answers about carriers; names and dockets are resolved first, so that nothing is asked back later. */
async function* aboutCarriers(
  plan: Plan,
  { bearers, finder }: { bearers: Found[]; finder: Finder },
): Answers {
  const { operations } = finder;
  if (plan.search) return yield* search(plan, finder);
  const subjects: Subject[] = [];
  const missing: { message: string; url: string }[] = [];
  for (const ref of plan.carriers) {
    const named = ref.by === "name" && plan.carriers.length === 1 && bearers.length > 0;
    const resolution = named
      ? await finder.resolveAmong(bearers, ref.texts[0]!)
      : await finder.resolve(ref);
    if (resolution.outcome === "several") {
      return { type: "elicitation", elicitation: choice(resolution, plan) };
    }
    if (resolution.outcome === "missing") missing.push(resolution);
    else if (!subjects.some(({ dot }) => dot === resolution.dot)) {
      subjects.push({ ref, ...resolution });
    }
  }
  const carriers: Carrier[] = [];
  let found = false;
  for (const subject of subjects) {
    const carrier = await lookUp(subject, operations);
    if (carrier instanceof ServiceError) {
      if (plan.topics.includes("due")) {
        yield await schedule(subject, { error: carrier, operations });
        found = true;
        continue;
      }
      if (carrier.code !== "not_found") throw carrier;
      const hint = subject.ref.by === "dot"
        ? `. If it is an MC number, ask for MC ${subject.dot}`
        : "";
      missing.push({
        message: carrier.message + hint,
        url: carrierUrl(subject.dot, operations.baseUrl),
      });
      continue;
    }
    carriers.push(carrier);
    found = true;
    yield* await carrierItems(carrier, { subject, plan, operations });
  }
  if (!found) {
    const message = missing.map((one) => one.message).join(". ");
    return failure("NO_RESULTS", message, { source_urls: missing.map(({ url }) => url) });
  }
  for (const { message, url } of missing) {
    yield plainItem({ name: "Not found", about: ["missing"], text: `${message}.`, url });
  }
  if (plan.compare && carriers.length > 1) yield comparison(plan, carriers);
  return { type: "answer" };
}

function choice(
  { label, options, exact }: { label: string; options: Found[]; exact: boolean },
  { spanish }: Plan,
): Elicitation {
  const more = options.length < 50 ? "" : " There may be more: add the city and state.";
  const text = spanish
    ? SPANISH_ASKS.name!
    : exact
    ? `${options.length} carriers fit ${label}. Which one do you mean?${more}`
    : `No carrier is named exactly ${label}. Do you mean one of these?`;
  const question = {
    id: "name",
    text,
    type: "single_select" as const,
    options: options.map(optionOf),
  };
  return { text, questions: [question] };
}

async function lookUp({ dot }: Subject, operations: Operations): Promise<Carrier | ServiceError> {
  try {
    return await operations.run(lookupCarrier, { dot: String(dot) });
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** One carrier, or every holder of a docket that a name is matched with. */
async function carrierItems(
  carrier: Carrier,
  { subject, plan, operations }: { subject: Subject; plan: Plan; operations: Operations },
): Promise<CarrierItem[]> {
  const { baseUrl } = operations;
  const matches = plan.given === undefined
    ? []
    : await compared(plan.given, { subject, operations });
  const own = matches.find(({ dot }) => dot === carrier.dot);
  const others = matches.filter(({ dot, result }) => dot !== carrier.dot && result !== "different");
  // A docket of several carriers is answered for the one that bears the name.
  if (own?.result === "different" && others.length > 0) {
    const better = await operations.run(lookupCarrier, { dot: others[0]!.dot });
    const match = others.shift()!;
    return [carrierItem(better, { plan, note: subject.note, match, baseUrl })];
  }
  const item = carrierItem(carrier, { plan, note: subject.note, match: own, baseUrl });
  return [item];
}

async function compared(
  given: string,
  { subject: { ref, dot }, operations }: { subject: Subject; operations: Operations },
): Promise<Match["carriers"]> {
  const number = ref.by === "docket" ? { mc: `${ref.prefix} ${ref.number}` } : { dot: String(dot) };
  const { carriers } = await operations.run(matchCarrier, { ...number, ...splitPlace(given) });
  const whole = carriers.filter((one) => compareName(given, one) === "match");
  if (whole.length === 0) return carriers.slice(0, MOST_MATCHED);
  return (await operations.run(matchCarrier, { ...number, name: given })).carriers;
}

/** The schedule of a number whose carrier is not in the census or cannot be read. */
async function schedule(
  { dot, note }: Subject,
  { error, operations }: { error: ServiceError; operations: Operations },
): Promise<AnswerItem> {
  const mcs150 = await operations.run(mcs150DueDate, { dot: String(dot) });
  const url = `${operations.baseUrl}/api/v1/mcs150-due-date?dot=${dot}`;
  const standing = error.code === "not_found"
    ? `${error.message}, so this is the schedule alone.`
    : "Whether it was filed can't be read at the moment.";
  const next = `The next scheduled MCS-150 date is ${formatForPeople(mcs150.next_due)}.`;
  return {
    "@type": "Answer",
    name: `MCS-150 due date of USDOT ${dot}`,
    about: ["due"],
    text: [note, next, mcs150.rule, standing].filter((part) => part !== "").join(" "),
    url,
    mcs150,
    grounding: { source_urls: [url, MCS150_URL] },
  };
}

async function* search({ carriers: [ref] }: Plan, finder: Finder): Answers {
  const { baseUrl } = finder.operations;
  const text = ref?.by === "name" ? ref.texts[0]! : "";
  const results = (await finder.search(text)).slice(0, SEARCH_RESULTS);
  for (const found of results) yield foundItem(found, baseUrl);
  if (results.length > 0) return { type: "answer" };
  const message = `Cannot find ${
    quoted(text)
  }: no carrier of that name or place in the FMCSA census`;
  return failure("NO_RESULTS", message, { source_urls: [searchUrl(text, baseUrl)] });
}

/** The fee of each fleet in each year asked for; in the newest when none is. */
async function* fees({ fleets, years, spanish }: Plan, { run, baseUrl }: Operations): Answers {
  for (const vehicles of fleets) {
    for (const year of years.length > 0 ? years : [undefined]) {
      const fee = await run(ucrFee, { vehicles, ...(year === undefined ? {} : { year }) });
      yield feeItem(fee, { spanish, baseUrl });
    }
  }
  return { type: "answer" };
}

/** What is asked about the data, and what a missed update leads to. */
async function* generals({ general }: Plan, { run, baseUrl }: Operations): Answers {
  if (general.includes("missed")) {
    yield plainItem({
      name: "When an MCS-150 update is missed",
      about: ["missed"],
      text:
        "A carrier that misses its MCS-150 update faces the civil penalties of 49 U.S.C. 521(b)(2)(B) " +
        `or 14901(a), and FMCSA may deactivate its USDOT number (${MCS150_CITATION}). FMCSA is reported ` +
        `to have paused deactivation for updates due from ${
          formatForPeople(DEACTIVATION_PAUSE.dueFrom)
        } on (last checked ${
          formatForPeople(DEACTIVATION_PAUSE.lastChecked)
        }); filing is still required, and a late update can be filed at any time.`,
      url: MCS150_URL,
    });
  }
  const onData = general.filter((one) => one !== "missed");
  if (onData.length === 0) return { type: "answer" };
  const state = await run(health, {});
  const { data_date } = state.snapshot;
  const day = formatForPeople(data_date);
  const texts = onData.map((one) =>
    one === "count"
      ? `The FMCSA census of ${day} here has ${
        state.counts.carriers.toLocaleString("en-US")
      } carriers: ${state.counts.active.toLocaleString("en-US")} active, ${
        state.counts.inactive.toLocaleString("en-US")
      } inactive, ${state.counts.pending.toLocaleString("en-US")} pending.`
      : `The data is FMCSA's census of ${day}, ${
        counted(state.age_days, "day")
      } old, and its roadside ` +
        `inspections from ${formatForPeople(state.window.from)} to ${
          formatForPeople(state.window.to)
        }. Later filings are not included.`
  );
  yield {
    ...plainItem({
      name: "Data",
      about: onData,
      text: withNotice(texts.join(" "), {
        snapshot: { data_date, ...(state.notice === undefined ? {} : { notice: state.notice }) },
      }),
      url: `${baseUrl}/api/v1/health`,
    }),
  };
  return { type: "answer" };
}
