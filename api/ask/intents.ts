/**
 * What a question asks, for which carriers, and what of it is not used.
 *
 * @module
 */

import { quoted } from "../../pipeline/text.ts";
import { legalForm } from "../../pipeline/search/shared/name_match.ts";
import { carryOn, followUp } from "./conversation.ts";
import { MAX_QUESTION, type NumberEntity, read } from "./entities.ts";
import { findNames, looksLikeName } from "./names.ts";
import {
  type CarrierRef,
  declinedOf,
  distinct,
  Draft,
  generalOf,
  type Intent,
  isNumbered,
  type Lack,
  type Plan,
  topicsOf,
} from "./plan.ts";
import { SPANISH_TEXTS } from "./spanish.ts";
import { type Topic, TOPIC_KEYS } from "./topics.ts";
import { FIRM_WORD } from "./vocabulary.ts";

/** Carriers in one question at most. */
export const MAX_CARRIERS = 20;

/** Earlier questions that are read, and their characters; the caller chooses how many it sends. */
const MAX_EARLIER = 8;
const MAX_EARLIER_CHARACTERS = 2 * MAX_QUESTION;

const PHONE = /\(?\d{3}\)?[-. ]?\d{3}[-. ]\d{4}\b|\b1?[2-9]\d{9}\b/;
const STREET =
  /\b(?:at|on|of|from) \d{1,5} (?:[\w.]+ ){1,3}(?:st|street|ave|avenue|rd|road|blvd|dr|drive|ln|lane|hwy|highway|pkwy)\b/i;

/** "Is the authority still active" asks of the authority, not of the USDOT number. */
const AUTHORITY_STATUS =
  /\b(?:authority|docket)\b(?: (?!and\b)\S*){0,5} (?:in)?active\b|\bauthority status\b/;

type Test = (question: Draft) => boolean;

const paying: Test = (q) =>
  q.has("pay") && (whose(q) || q.says(/\bpa(?:id|ied|yed)\b|\bpayment\b/)) ||
  q.has("registered") && whose(q) || q.says(/\bucr (?:registration|status)\b/);
const whose: Test = (q) => q.plan.carriers.length > 0 || q.has("them") || q.says(/\bmy\b/);
const feeless: Test = (q) => q.asks("no:filters", "no:explanations", "no:filing");
const filed: Test = (q) =>
  q.has("file") && q.says(/\b(?:did|was|last|has|have|filed)\b/) && !q.has("how_to") &&
  (topicsOf(q.plan).length === 0 || q.asks("mcs150"));
/** "Does MC 186800 belong to USDOT 286764": the dockets of the second answer it. */
const linked: Test = (q) => {
  const [dot, ...others] = q.plan.carriers.toSorted((a) => a.by === "dot" ? -1 : 1);
  return q.has("holds") && dot?.by === "dot" && others.length === 1 && others[0]!.by === "docket";
};
const names = (q: Draft, by: CarrierRef["by"]): boolean =>
  q.plan.carriers.length > 0 && q.plan.carriers.every((ref) => ref.by !== by);

/** What is asked without a phrase of its own, in this order: each sees what the ones before it found. */
const RULES: Readonly<Partial<Record<Intent, Test>>> = {
  missed: (q) =>
    q.has("consequence") && (q.has("mcs150", "mcs150=overdue", "file", "dot") || q.says(/\bmiss/)),
  data_date: (q) => q.has("data") && q.has("fresh", "when", "mcs150=filed"),
  count: (q) => q.has("count") && !q.numbered && !q.specific && !q.says(/\bin\b(?! your\b)/),
  "no:filters": (q) =>
    !q.numbered && !q.asks("count") &&
    (q.has("count", "all") ||
      q.has("every") && q.specific && q.says(/\b(?:carrier|compan|mcs?\b|fleet|trucker)/) ||
      q.has("many") && (q.specific || q.all("vehicles", "other").length > 0)),
  "no:reverse": (q) =>
    q.plan.carriers.length === 0 && PHONE.test(q.reading.text) ||
    !q.numbered && STREET.test(q.reading.text),
  // A number with the word for another one: "what is the DOT of MC 186800".
  usdot: (q) => topicsOf(q.plan).length === 0 && q.has("dot") && names(q, "dot"),
  dockets: (q) => linked(q) || topicsOf(q.plan).length === 0 && q.has("mc") && names(q, "docket"),
  match: (q) => declinedOf(q.plan).length === 0 && givenName(q) !== undefined,
  mcs150: (q) => filed(q) || q.has("due") && declinedOf(q.plan).length === 0,
  authority: (q) => q.open && whose(q) && q.has("broker") && q.says(/\b(?:is|are)\b/),
  // How many are placed out of service, not whether an order is in force.
  oos: (q) => q.asks("no:oos_order") && q.says(/\b(?:percent|rate|share|often|average|compare|times)/),
  location: (q) =>
    q.open && /^(?:is|are)\b/i.test(q.reading.text) && / in /i.test(q.names[0]?.text ?? ""),
  "no:filing": (q) =>
    q.has("how_to") &&
    (q.has("file", "pay", "registered", "dot", "mc") || topicsOf(q.plan).length > 0 ||
      q.says(/\b(?:apply|reactivate|renew|alerts?)\b/)),
  "no:licensing": (q) => q.asks("authority") && q.asks("revocation"),
  fleet: (q) =>
    q.open && q.numbered && !q.has("fee", "pay") &&
    (q.has("vehicle") && q.says(/\bhow\b/) || q.all("vehicles").length > 0),
  "no:ucr_payment": (q) => q.has("ucr") && !feeless(q) && paying(q),
};

/** What is known of now only. */
const UNDATED: readonly Topic[] = [
  "status",
  "authority",
  "rating",
  "fleet",
  "location",
  "operation",
  "contact",
  "cargo",
];

/** What is not asked where these are. */
const OUTRANKED: Readonly<Partial<Record<Intent, readonly Intent[]>>> = {
  data_date: ["mcs150", "location", "inspections"],
  count: TOPIC_KEYS,
  "no:filters": TOPIC_KEYS,
  "no:reverse": [...TOPIC_KEYS, "no:filters"],
  oos: ["no:oos_order"],
  "no:filing": TOPIC_KEYS,
  "no:legal": [
    "ucr",
    "mcs150",
    "dockets",
    "usdot",
    "authority",
    "cargo",
    "no:filing",
    "no:drivers",
  ],
  "no:licensing": ["authority", "revocation"],
  "no:ucr_payment": ["ucr", "status"],
};

/**
 * The ways to understand a question, the likeliest first; the others count only for an exact name. The
 * same question on the same day always means the same.
 *
 * @param prev Earlier questions of the conversation, the oldest first.
 * @param today `YYYY-MM-DD`, for "next year".
 */
export function understand(query: string, prev: readonly string[], today: string): Plan[] {
  let characters = 0;
  const latest = prev.slice(-MAX_EARLIER).toReversed().filter(({ length }) =>
    (characters += Math.min(length, MAX_QUESTION)) <= MAX_EARLIER_CHARACTERS
  );
  let memory: Plan | null = null;
  for (const earlier of latest.toReversed()) {
    const plans = plansOf(earlier, memory, today);
    const [plan] = plans as [Plan];
    if (plan.lacks?.part === "question") continue;
    memory = plan;
    // All ways to read the name, so that it is found again as it was found then.
    if (plan.carriers.length === 1 && plan.carriers[0]!.by === "name") {
      const texts = plans.flatMap((one) =>
        one.carriers.flatMap((ref) => ref.by === "name" ? ref.texts : [])
      );
      memory = { ...plan, carriers: [{ by: "name", texts }] };
    }
  }
  return plansOf(query, memory, today);
}

function plansOf(query: string, memory: Plan | null, today: string): Plan[] {
  const reading = read(query);
  const plans = findNames(reading).map((names) => planOf(new Draft(reading, names), memory, today));
  const [first] = plans as [Plan];
  return first.carriers.length > 0 && first.carriers.every(isNumbered) ? [first] : plans;
}

function planOf(question: Draft, memory: Plan | null, today: string): Plan {
  const { plan } = question;
  const { intents, guesses } = plan;
  const fee = question.has("fee", "ucr") || (memory?.fleets.length ?? 0) > 0 ||
    memory?.lacks?.part === "vehicles";
  resolveBare(question, fee);
  plan.years = question.all("year").map((year) => yearOf(year, today));
  const own = readCarriers(question, memory, fee);
  if (filed(question) && !question.has("when")) guesses.add("mcs150=filed");
  for (const [intent, test] of Object.entries(RULES)) {
    if (test(question)) intents.add(intent as Intent);
  }
  if (linked(question)) {
    const { prefix = "MC", value } = question.all("docket")[0]!;
    guesses.add(`dockets=${prefix} ${value}`);
    plan.carriers = plan.carriers.filter(({ by }) => by === "dot");
  }
  if (!question.specific && declinedOf(plan).length + generalOf(plan).length === 0) {
    question.takeLikely();
  }
  if (plan.years.some((year) => year < Number(today.slice(0, 4)))) {
    for (const topic of UNDATED) if (intents.delete(topic)) intents.add("no:history");
  }
  if (question.numbered) intents.delete("no:explanations");
  if (question.says(AUTHORITY_STATUS)) intents.delete("status");
  for (const intent of [...intents]) for (const one of OUTRANKED[intent] ?? []) intents.delete(one);
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

/** Gives short numbers a role where only a carrier or a fleet can stand. */
function resolveBare(question: Draft, fee: boolean): void {
  const { tokens, spans } = question.reading;
  const isTopic = (at: number): boolean =>
    TOPIC_KEYS.includes(spans[at]?.mark.split("=")[0] as Topic);
  const paying = question.has("pay");
  let listed = -1;
  for (const number of question.all("unresolved")) {
    const { at, value, text } = number;
    const digits = String(value).length;
    const before = tokens[at - 1]?.text ?? "";
    const after = tokens[at + 1];
    const yearLike = /^(?:199\d|20[0-3]\d)$/.test(text);
    const begins = at === 0 || isTopic(at - 1) ||
      /^(?:is|are|was|did|does|has|of|for|about|check|compare|vs|and|or|y|el)$/.test(before);
    const opensName = FIRM_WORD.test(tokens[at + 2]?.text ?? "");
    const ends = after === undefined || after.number !== undefined ||
      isTopic(at + 1) && !opensName ||
      /^(?:hard|join|compare|pay|file)$/.test(spans[at + 1]?.mark ?? "") ||
      /^(?:still|currently|ever|also|already|yet)$/.test(after.text);
    const isCarrier = (!fee || paying) && digits > 2 && digits <= 8 && !yearLike && begins && ends;
    const isFleet = fee && digits <= 3 && !paying && ends &&
      question.all("vehicles").length === 0 &&
      (tokens.length === 1 || /^(?:for|of|ucr|fee|cost|para)$/.test(before));
    const continues = listed === at - 1 && /^[\s,;&/]*$/.test(tokens[at]!.gap);
    if (yearLike && fee) number.role = "year";
    else if (isFleet) number.role = "vehicles";
    else if (listed >= 0 ? continues : isCarrier && question.all("usdot", "docket").length === 0) {
      number.role = "usdot";
      listed = at;
    }
  }
}

/** Reads the carriers. @returns Whether the question numbers its own or follows up on one. */
function readCarriers(question: Draft, memory: Plan | null, fee: boolean): boolean {
  const { plan, reading, names: [name] } = question;
  const numbers = question.all("usdot", "docket").filter(({ problem }) => problem === undefined);
  const follows = numbers.length > 0 ? null : followUp(question, memory);
  // "12 truks" after a fee is a count that can't be read, not a name.
  const isCount = fee && name !== undefined && name.to - name.from <= 2 && /\d/.test(name.text) &&
    !looksLikeName(reading, name) && legalForm(name.text) === "";
  if (numbers.length > 0) plan.carriers = distinct(numbers.map(refOf));
  else if (follows !== null) plan.carriers = [follows];
  else if (!isCount) {
    plan.carriers = question.names.map(({ text }) => {
      const owner = text.replace(/['’]s$/i, "");
      return { by: "name", texts: owner === text ? [text] : [owner, text] };
    });
  }
  return numbers.length > 0 || follows !== null;
}

/** A name or a place beside a number, to be compared with what its carrier filed. */
function givenName(question: Draft): Plan["given"] {
  const { reading, names: [name] } = question;
  const { text, tokens, spans } = reading;
  const isOption = /\(USDOT \d+[^)]*\)$/.test(text);
  if (!question.numbered || name === undefined || isOption) return undefined;
  const at = tokens.findIndex(({ number }) =>
    number?.role === "usdot" || number?.role === "docket"
  );
  const behind = /^(?:is|are)$/.test(tokens[at - 1]?.text ?? "")
    ? tokens[at + 1]?.text ?? ""
    : null;
  const beside = name.from === at + 1 && name.to - name.from > 1 &&
    spans[at - 1]?.mark === "hard" &&
    !/ (?:for|to|with|by|on|a|the|its) /.test(name.text);
  if (behind !== null && name.from === at + 2 && /^(?:in|from|of|near)$/.test(behind)) {
    return { text: `in ${name.text}`, sure: true };
  }
  const sure = looksLikeName(reading, name);
  return sure || beside || question.has("holds", "named") ? { text: name.text, sure } : undefined;
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
  if (more || counts.some(({ vague }) => vague) || new Set(counts.map(({ noun }) => noun)).size > 1) {
    const problem = "The UCR fee has brackets, so it needs one number of vehicles";
    plan.lacks = { part: "vehicles", problem };
  } else if (counts.length > 0) plan.fleets = [...new Set(counts.map(({ value }) => value))];
  else if (followsFee) plan.fleets = before;
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
  const left = topics.filter((topic) => topic in SPANISH_TEXTS);
  const other = topics.length > 0 && left.length === 0 || plan.intents.has("compare") ||
    declinedOf(plan).length + generalOf(plan).length > 0;
  plan.intents = new Set(other ? [...left, "no:spanish"] : left);
}

/** What was typed and does not matter to the answer. */
function unusedOf(question: Draft): string[] {
  const { numbers, names, reading, plan: { intents, fleets, given } } = question;
  const inspected = intents.has("inspections") || intents.has("oos");
  const left = numbers.filter(({ role, text }) => {
    if (/^(?:no |without |49 ?cfr)/i.test(text)) return false;
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
