/**
 * From a question and those before it to plans of what is to be answered.
 *
 * @module
 */

import { legalForm } from "../../pipeline/name_words.ts";
import { quoted } from "../../pipeline/text.ts";
import { carryOn, followUp } from "./conversation.ts";
import { feeless, givenName, readIntents } from "./intents.ts";
import { findNames, looksLikeName, type NameBook } from "./names.ts";
import type { NumberEntity } from "./numbers.ts";
import {
  type CarrierRef,
  declinedOf,
  distinct,
  Draft,
  generalOf,
  isNumbered,
  type Lack,
  type Plan,
  topicsOf,
} from "./question.ts";
import { MAX_QUESTION, read } from "./reading.ts";
import { TOPIC_KEYS, TOPICS } from "./topics.ts";

export const MAX_CARRIERS = 20;

/** Earlier questions that are read, and their characters; the caller chooses how many it sends. */
const MAX_EARLIER = 8;
const MAX_EARLIER_CHARACTERS = 2 * MAX_QUESTION;

/**
 * The plan of a question. The same question on the same day always means the same.
 *
 * @param prev Earlier questions of the conversation, the oldest first.
 */
export async function understand(
  query: string,
  prev: readonly string[],
  book: NameBook,
): Promise<Plan> {
  let characters = 0;
  const latest = prev.slice(-MAX_EARLIER).toReversed().filter(({ length }) =>
    (characters += Math.min(length, MAX_QUESTION)) <= MAX_EARLIER_CHARACTERS
  );
  let memory: Plan | null = null;
  for (const earlier of latest.toReversed()) {
    const plan: Plan = await planOf(earlier, memory, book);
    if (plan.lacks?.part !== "question") memory = plan;
  }
  return await planOf(query, memory, book);
}

async function planOf(query: string, memory: Plan | null, book: NameBook): Promise<Plan> {
  const feeBefore = (memory?.fleets.length ?? 0) > 0 || memory?.lacks?.part === "vehicles";
  const reading = read(query, feeBefore);
  const question = new Draft(reading, await findNames(reading, book));
  const { plan } = question;
  const { intents } = plan;
  const fee = question.has("fee", "ucr") || feeBefore;
  plan.years = question.all("year").map((year) => yearOf(year, book.today));
  const own = await readCarriers(question, { memory, fee, book });
  readIntents(question, book.today);
  if (question.asks("no:filters", "no:reverse", "count")) plan.carriers = [];
  readFees(question, fee ? memory : null);
  const most = plan.carriers.length;
  if (
    question.has("compare", ...question.asks("match") ? [] : ["holds"]) && most >= 2 && most <= 3
  ) {
    intents.add("compare");
  }
  carryOn(question, memory, own);
  if (question.specific || declinedOf(plan).length + generalOf(plan).length > 0) {
    intents.delete("overview");
  }
  if (plan.spanish) toSpanish(plan);
  findLack(question);
  if (question.asks("match")) plan.given = givenName(question);
  plan.unused = unusedOf(question);
  return plan;
}

/** Reads the carriers. @returns Whether the question numbers its own or follows up on one. */
async function readCarriers(
  question: Draft,
  { memory, fee, book }: { memory: Plan | null; fee: boolean; book: NameBook },
): Promise<boolean> {
  const { plan, reading, names: [name] } = question;
  const numbers = question.all("usdot", "docket").filter(({ problem }) => problem === undefined);
  const follows = numbers.length > 0 ? null : await followUp(question, memory, book);
  // "12 truks" after a fee is a count that can't be read, not a name.
  const isCount = fee && name !== undefined && name.to - name.from <= 2 && /\d/.test(name.text) &&
    !looksLikeName(reading, name) && legalForm(name.text) === "";
  const [earlier, ...more] = memory?.carriers ?? [];
  // "Does that match General Transport": the number of the question before.
  const matched = earlier !== undefined && isNumbered(earlier) && more.length === 0 &&
    name !== undefined && question.has("holds");
  if (numbers.length > 0) plan.carriers = distinct(numbers.map(refOf));
  else if (matched) plan.carriers = [earlier];
  else if (follows !== null) plan.carriers = [follows];
  else if (!isCount) {
    plan.carriers = question.names.map(({ text, name, place }) => ({
      by: "name",
      text,
      name,
      place,
    }));
  }
  return numbers.length > 0 || matched || follows !== null;
}

/** The fleets whose fee is asked for, or that their size is lacking. */
function readFees(question: Draft, memory: Plan | null): void {
  const { plan, plan: { intents, carriers } } = question;
  const counts = question.all("vehicles");
  if (feeless(question) || question.asks("no:ucr_payment") && counts.length === 0) return;
  const before = memory?.fleets ?? [];
  const alone = question.open && carriers.length === 0;
  const followsFee = before.length > 0 && alone && counts.length + plan.years.length > 0;
  const asked = question.has("ucr") || followsFee ||
    counts.length > 0 && (question.has("fee") || memory?.lacks?.part === "vehicles") ||
    counts.length > 1 && alone && question.has("compare");
  if (!asked) return;
  const more = question.says(/\b(?:and|plus)\b.*\bmore\b/);
  if (
    more || counts.some(({ vague }) => vague) || new Set(counts.map(({ noun }) => noun)).size > 1
  ) {
    const problem = "The UCR fee has brackets, so it needs one number of vehicles";
    plan.lacks = { part: "vehicles", problem };
  } else if (counts.length > 0) {
    plan.fleets = [...new Set(counts.flatMap(({ value, also = value }) => [value, also]))];
  } else if (followsFee) plan.fleets = before;
  else if (question.has("broker") && carriers.length + question.all("unresolved").length === 0) {
    plan.fleets = [0];
  } else if (carriers.length + (memory?.carriers.length ?? 0) === 0) {
    plan.lacks = { part: "vehicles" };
  }
  if (plan.fleets.length === 0) return;
  if (followsFee && plan.years.length === 0) plan.years = memory!.years;
  intents.delete("ucr");
  if (question.open && !question.numbered) plan.carriers = [];
}

/** What a question lacks, and what one without a topic asks. */
function findLack(question: Draft): void {
  const { plan, plan: { intents, carriers } } = question;
  const done = plan.fleets.length + generalOf(plan).length > 0;
  const [first] = carriers;
  const [unknown] = question.names;
  const [unclear] = question.all("unresolved");
  const wrong = question.all("usdot", "docket").find(({ problem }) => problem !== undefined);
  const lack = (part: Lack["part"], problem?: string): void => {
    plan.lacks = { part, ...(problem === undefined ? {} : { problem }) };
  };
  const lackCarrier = (part: Lack["part"]): void =>
    unclear === undefined ? lack(part) : lack("number", `I can't tell what ${unclear.text} is`);
  const onlyOverview = intents.size === 1 && intents.has("overview");
  const asked = !question.open;
  if (wrong !== undefined && carriers.length === 0) {
    lack(wrong.role === "docket" ? "mc" : "dot", wrong.problem);
  } else if (plan.lacks !== undefined) return;
  else if (first?.by === "choice" && first.of === null) {
    lack("carrier", "I can't tell which carrier that is: no earlier question listed several");
  } else if (
    // A check of a carrier answers no question about something unknown.
    unknown !== undefined && question.numbered && !done &&
    (!asked || onlyOverview && question.says(/\bwho/))
  ) {
    lack("question", `I don't know what ${quoted(unknown.text)} means`);
  } else if (topicsOf(plan).length > 0 && carriers.length === 0) {
    if (declinedOf(plan).length > 0 || done) {
      for (const topic of TOPIC_KEYS) intents.delete(topic);
    } else {lackCarrier(
        onlyOverview && !question.has("lookup", "dot", "mc") ? "question" : "carrier",
      );}
  } else if (question.has("compare") && carriers.length === 1 && !asked) {
    lack("carrier");
    intents.add("compare");
  } else if (!asked && !done && !intents.has("compare")) {
    const opened = question.has("hard", "them", "how_to", "when", "file", "pay");
    if (first?.by === "name" && question.has("find", "named", "many")) intents.add("search");
    else if (first !== undefined && (first.by !== "name" || !opened || question.has("follow"))) {
      intents.add("overview");
    } else {
      lackCarrier("question");
      plan.carriers = [];
    }
  }
}

/** Of a question in Spanish only some topics are answered. */
function toSpanish(plan: Plan): void {
  const topics = topicsOf(plan);
  const left = topics.filter((topic) => TOPICS[topic].spanish !== undefined);
  const other = topics.length > 0 && left.length === 0 || plan.intents.has("compare") ||
    declinedOf(plan).length + generalOf(plan).length > 0;
  plan.intents = new Set(other ? [...left, "no:spanish"] : left);
}

/** What was typed and does not matter to the answer. */
function unusedOf(question: Draft): string[] {
  const { numbers, names, reading, plan: { carriers, intents, fleets, given } } = question;
  const inspected = intents.has("inspections") || intents.has("oos");
  const left = numbers.filter(({ role, text }) => {
    if (/^(?:no |without |49 ?cfr)/i.test(text)) return false;
    if (role === "unresolved" && carriers.some(({ by }) => by === "choice")) return false;
    if (role === "vehicles") return fleets.length === 0;
    if (role === "year") return fleets.length === 0 && !intents.has("ucr");
    if (role === "duration") return !inspected || !/^(?:24|2|two)[ -]?(?:month|year)/i.test(text);
    return role !== "usdot" && role !== "docket";
  });
  const unmatched = given === undefined && question.numbered
    ? names.filter((name) => looksLikeName(reading, name))
    : [];
  return [...left, ...unmatched].map(({ text }) => text);
}

function refOf({ role, prefix = "MC", value }: NumberEntity): CarrierRef {
  return role === "docket" ? { by: "docket", prefix, number: value } : { by: "dot", number: value };
}

function yearOf({ text, value }: NumberEntity, today: string): number {
  if (value > 0) return value;
  return Number(today.slice(0, 4)) +
    (/^(?:next|proximo)/i.test(text) ? 1 : /^last/i.test(text) ? -1 : 0);
}
