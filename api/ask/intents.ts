/**
 * What a question asks, for which carriers, and what of it is not used.
 *
 * @module
 */

import { quoted } from "../../pipeline/text.ts";
import { legalForm } from "../operations/match.ts";
import { MAX_QUESTION, type NumberEntity, read } from "./entities.ts";
import { findNames, looksLikeName } from "./names.ts";
import {
  type CarrierRef,
  carryOn,
  distinct,
  drop,
  followUp,
  isNumbered,
  type Lack,
  type Plan,
  Words,
} from "./plan.ts";
import { type Topic, TOPIC_KEYS, TOPICS } from "./topics.ts";
import { type DeclinedTopic, DECLINES } from "./declines.ts";

/** Carriers in one question at most. */
export const MAX_CARRIERS = 20;

/** Earlier questions that are read, and their characters; the caller chooses how many it sends. */
const MAX_EARLIER = 8;
const MAX_EARLIER_CHARACTERS = 2 * MAX_QUESTION;

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
  const plans = findNames(reading).map((names) => planOf(new Words(reading, names), memory, today));
  const [first] = plans as [Plan];
  return first.carriers.length > 0 && first.carriers.every(isNumbered) ? [first] : plans;
}

function planOf(words: Words, memory: Plan | null, today: string): Plan {
  const { reading, marks } = words;
  const fee = words.has("fee", "ucr") || (memory?.fleets.length ?? 0) > 0 ||
    memory?.lacks?.part === "vehicles";
  resolveBare(words, fee);
  const plan: Plan = {
    spanish: reading.spanish,
    carriers: [],
    topics: new Set(TOPIC_KEYS.filter((topic) => words.has(topic))),
    guesses: new Set([...marks].filter((mark) => mark.includes("="))),
    compare: false,
    fleets: [],
    years: words.all("year").map((year) => yearOf(year, today)),
    general: new Set(),
    search: false,
    declined: new Set(declineKeys.filter((topic) => words.has(`no:${topic}`))),
    unused: [],
  };
  for (const guess of plan.guesses) plan.topics.add(guess.split("=")[0] as Topic);
  const own = readCarriers(plan, words, { memory, fee });
  readGeneral(plan, words);
  readMatch(plan, words);
  readDue(plan, words);
  readDeclined(plan, words);
  readFees(plan, words, fee ? memory : null);
  plan.compare ||= words.has("compare") && plan.carriers.length >= 2 && plan.carriers.length <= 3;
  carryOn(plan, words, { memory, own });
  if (plan.topics.size + plan.declined.size + plan.general.size > 1) drop(plan.topics, "overview");
  if (plan.spanish) toSpanish(plan);
  findLack(plan, words);
  if (!plan.topics.has("match")) delete plan.given;
  plan.unused = unusedOf(plan, words);
  return plan;
}

/** Gives short numbers a role where only a carrier or a fleet can stand. */
function resolveBare(words: Words, fee: boolean): void {
  const { tokens, spans } = words.reading;
  const isTopic = (at: number): boolean =>
    TOPIC_KEYS.includes(spans[at]?.mark.split("=")[0] as Topic);
  const paying = words.has("pay");
  let listed = -1;
  for (const number of words.all("unresolved")) {
    const { at, value, text } = number;
    const digits = String(value).length;
    const before = tokens[at - 1]?.text ?? "";
    const after = tokens[at + 1];
    const yearLike = /^(?:199\d|20[0-3]\d)$/.test(text);
    const begins = at === 0 || isTopic(at - 1) ||
      /^(?:is|are|was|did|does|has|of|for|about|check|compare|vs|and|or|y|el)$/.test(before);
    const ends = after === undefined || after.number !== undefined || isTopic(at + 1) ||
      /^(?:hard|join|compare|pay|file)$/.test(spans[at + 1]?.mark ?? "") ||
      /^(?:still|currently|ever|also|already|yet)$/.test(after.text);
    const isCarrier = (!fee || paying) && digits > 2 && digits <= 8 && !yearLike && begins && ends;
    const isFleet = fee && digits <= 3 && !paying && ends && words.all("vehicles").length === 0 &&
      (tokens.length === 1 || /^(?:for|of|ucr|fee|cost|para)$/.test(before));
    const continues = listed === at - 1 && /^[\s,;&/]*$/.test(tokens[at]!.gap);
    if (yearLike && fee) number.role = "year";
    else if (isFleet) number.role = "vehicles";
    else if (listed >= 0 ? continues : isCarrier && words.all("usdot", "docket").length === 0) {
      number.role = "usdot";
      listed = at;
    }
  }
}

/** Reads the carriers. @returns Whether the question names its own or follows up on one. */
function readCarriers(
  plan: Plan,
  words: Words,
  { memory, fee }: { memory: Plan | null; fee: boolean },
): boolean {
  const { reading, names: [name] } = words;
  const numbered = words.all("usdot", "docket").filter(({ problem }) => problem === undefined);
  const follows = numbered.length > 0 ? null : followUp(words, memory);
  if (numbered.length > 0) plan.carriers = distinct(numbered.map(refOf));
  else if (follows !== null) plan.carriers = [follows];
  // "12 truks" after a fee is a count that can't be read, not a name.
  else if (
    !fee || name === undefined || !/\d/.test(name.text) || looksLikeName(reading, name) ||
    legalForm(name.text) !== ""
  ) {
    plan.carriers = words.names.map(({ text }) => {
      const owner = text.replace(/['’]s$/i, "");
      return { by: "name", texts: owner === text ? [text] : [owner, text] };
    });
  }
  return plan.carriers.length > 0 && (numbered.length > 0 || follows !== null);
}

/** Questions on the data, on many carriers, and on what a missed update leads to. */
function readGeneral(plan: Plan, words: Words): void {
  const { topics, declined, general } = plan;
  const missed = words.has("mcs150", "mcs150=overdue", "file", "dot") || words.says(/\bmiss/);
  if (words.has("consequence") && missed) general.add("missed");
  if (words.has("data") && words.has("fresh", "when", "mcs150=filed")) {
    general.add("data_date");
    drop(topics, "mcs150", "due", "location");
  }
  if (plan.carriers.some(isNumbered)) return;
  const about = topics.size - Number(topics.has("overview"));
  if (words.has("count") && about === 0 && !words.says(/\bin\b(?! your\b)/)) {
    general.add("count");
    plan.carriers = [];
  } else if (
    words.has("count", "all") ||
    words.has("many") && about + words.all("vehicles", "other").length > 0
  ) {
    topics.clear();
    declined.clear();
    declined.add("filters");
    plan.carriers = [];
  }
}

/** A name beside a number: whether it is the name of that carrier. */
function readMatch(plan: Plan, words: Words): void {
  const { topics, carriers, declined } = plan;
  const { reading: { text, tokens, spans }, names: [name] } = words;
  if (topics.size === 0 && carriers.length > 0) {
    if (words.has("dot") && carriers.every(({ by }) => by !== "dot")) topics.add("usdot");
    else if (words.has("mc") && carriers.every(({ by }) => by !== "docket")) topics.add("dockets");
  }
  if (!carriers.some(isNumbered)) return;
  if (name === undefined) {
    plan.compare = words.has("holds") && carriers.length === 2;
    return;
  }
  const isOption = /\(USDOT \d+[^)]*\)$/.test(text);
  if (isOption || declined.size > 0) return;
  const at = tokens.findIndex(({ number }) =>
    number?.role === "usdot" || number?.role === "docket"
  );
  const beside = name.from === at + 1 && name.to - name.from > 1 &&
    spans[at - 1]?.mark === "hard" && !/ (?:for|to|with|by|on|a|the|its) /.test(name.text);
  const inPlace = /^(?:is|are)$/.test(tokens[at - 1]?.text ?? "") && name.from === at + 2 &&
    /^(?:in|from|of|near)$/.test(tokens[at + 1]!.text);
  if (inPlace || beside || words.has("holds", "named") || looksLikeName(words.reading, name)) {
    plan.given = inPlace ? `in ${name.text}` : name.text;
    topics.add("match");
  }
}

/** When an update is due, and whether it was filed. */
function readDue(plan: Plan, words: Words): void {
  const { topics, guesses, declined } = plan;
  const filed = words.has("file") && words.says(/\b(?:did|was|last|has|have|filed)\b/);
  if (filed && !words.has("how_to") && (topics.size === 0 || topics.has("mcs150"))) {
    topics.add("mcs150");
    if (!words.has("when")) guesses.add("mcs150=filed");
  }
  if (declined.size > 0 && !words.has("mcs150")) drop(topics, "due");
  const guessed = [...guesses].some((guess) => guess.startsWith("mcs150"));
  if (topics.has("due") && !guessed && !words.says(/\blast fil/)) drop(topics, "mcs150");
}

/** What a declined topic takes with it, and what a word means only where nothing else is asked. */
function readDeclined(plan: Plan, words: Words): void {
  const { topics, declined, carriers } = plan;
  const errand = words.has("file", "pay", "registered", "dot", "mc") || topics.size > 0 ||
    words.says(/\b(?:apply|reactivate|renew|alerts?)\b/);
  if (words.has("how_to") && errand) {
    declined.add("filing");
    topics.clear();
  }
  if (carriers.some(isNumbered)) drop(declined, "explanations");
  if (declined.has("legal")) {
    drop(topics, "ucr", "mcs150", "dockets", "usdot", "authority");
    drop(declined, "cargo", "filing", "drivers");
  }
  if (declined.has("licensing")) drop(topics, "authority");
  if (carriers.length === 0 || topics.size + declined.size > 0) return;
  const trucks = words.has("vehicle") && words.says(/\bhow\b/) || words.all("vehicles").length > 0;
  if (words.has("broker") && words.says(/\b(?:is|are)\b/)) topics.add("kind");
  else if (trucks && carriers.some(isNumbered) && !words.has("fee", "pay")) topics.add("fleet");
}

/** Fees of fleets; a question of payment comes before. */
function readFees(plan: Plan, words: Words, memory: Plan | null): void {
  const { topics, declined, carriers } = plan;
  const counts = words.all("vehicles");
  const whose = carriers.length > 0 || words.has("them") || words.says(/\bmy\b/);
  const paid = words.has("pay") && (whose || words.says(/\bpa(?:id|ied|yed)\b|\bpayment\b/));
  if (["filters", "explanations", "filing"].some((it) => declined.has(it as DeclinedTopic))) return;
  if (words.has("ucr") && (paid || words.has("registered") && whose)) {
    declined.add("ucr_payment");
    drop(topics, "ucr", "status");
    if (counts.length === 0) return;
  }
  const before = memory?.fleets ?? [];
  const alone = topics.size + declined.size + carriers.length === 0;
  const followsFee = before.length > 0 && alone && counts.length + plan.years.length > 0;
  const asked = words.has("ucr") || followsFee ||
    counts.length > 0 && (words.has("fee") || memory?.lacks?.part === "vehicles") ||
    counts.length > 1 && alone && words.has("compare");
  if (!asked) return;
  if (counts.some(({ vague }) => vague) || new Set(counts.map(({ noun }) => noun)).size > 1) {
    const problem = "The UCR fee has brackets, so it needs one number of vehicles";
    plan.lacks = { part: "vehicles", problem };
  } else if (counts.length > 0) plan.fleets = [...new Set(counts.map(({ value }) => value))];
  else if (followsFee) plan.fleets = before;
  else if (
    words.has("broker") && carriers.length + words.all("unresolved").length === 0
  ) plan.fleets = [0];
  else if (carriers.length + (memory?.carriers.length ?? 0) === 0) {
    plan.lacks = { part: "vehicles" };
  }
  if (plan.fleets.length === 0) return;
  if (followsFee && plan.years.length === 0) plan.years = memory!.years;
  drop(topics, "ucr", "kind");
  if (topics.size + declined.size === 0 && !carriers.some(isNumbered)) plan.carriers = [];
}

/** What a question lacks, and what one without a topic asks. */
function findLack(plan: Plan, words: Words): void {
  const { topics, carriers, declined } = plan;
  const done = plan.fleets.length + plan.general.size > 0;
  const asked = topics.size + declined.size > 0;
  const [first] = carriers;
  const [unknown] = words.names;
  const [unclear] = words.all("unresolved");
  const wrong = words.all("usdot", "docket").find(({ problem }) => problem !== undefined);
  const lack = (part: Lack["part"], problem?: string): void => {
    plan.lacks = { part, ...(problem === undefined ? {} : { problem }) };
  };
  const lackCarrier = (part: Lack["part"]): void =>
    unclear === undefined ? lack(part) : lack("number", `I can't tell what ${unclear.text} is`);
  // A check of a carrier answers no question about something unknown.
  const onlyOverview = !asked ||
    topics.size === 1 && topics.has("overview") && words.says(/\bwho/);
  if (wrong !== undefined && carriers.length === 0) {
    lack(wrong.role === "docket" ? "mc" : "dot", wrong.problem);
  } else if (plan.lacks !== undefined) return;
  else if (first?.by === "choice" && first.of === null) {
    lack("carrier", "I can't tell which carrier that is: no earlier question listed several");
  } else if (unknown !== undefined && carriers.some(isNumbered) && onlyOverview && !done) {
    lack("question", `I don't know what ${quoted(unknown.text)} means`);
  } else if (topics.size > 0 && carriers.length === 0) {
    const vague = topics.size === 1 && topics.has("overview") && !words.has("lookup", "dot", "mc");
    if (declined.size > 0 || done) topics.clear();
    else lackCarrier(vague ? "question" : "carrier");
  } else if (words.has("compare") && carriers.length === 1 && !asked) {
    lack("carrier");
    plan.compare = true;
  } else if (!asked && !done && !plan.compare) {
    const opened = words.has("hard", "them", "how_to", "when", "file", "pay");
    if (first?.by === "name" && words.has("find", "named", "many")) plan.search = true;
    else if (first !== undefined && (first.by !== "name" || !opened || words.has("follow"))) {
      topics.add("overview");
    } else {
      lackCarrier("question");
      plan.carriers = [];
    }
  }
}

/** Of a question in Spanish only some topics are answered. */
function toSpanish(plan: Plan): void {
  const left = [...plan.topics].filter((topic) => TOPICS[topic].es?.text !== undefined);
  const other = plan.topics.size > 0 && left.length === 0;
  plan.topics = new Set(left);
  if (other || plan.compare || plan.declined.size + plan.general.size > 0) {
    plan.declined = new Set(["spanish"]);
  }
  plan.general.clear();
  plan.compare = false;
}

/** What was typed and does not matter to the answer. */
function unusedOf(
  { topics, fleets, carriers, given }: Plan,
  { numbers, names, reading }: Words,
): string[] {
  const inspected = topics.has("inspections") || topics.has("violations") || topics.has("oos");
  const left = numbers.filter(({ role, text }) => {
    if (/^(?:no |without |49 ?cfr)/i.test(text)) return false;
    if (role === "vehicles") return fleets.length === 0;
    if (role === "year") return fleets.length === 0 && !topics.has("ucr");
    if (role === "duration") return !inspected || !/^(?:24|2|two)[ -]?(?:month|year)/i.test(text);
    return role !== "usdot" && role !== "docket";
  });
  const unmatched = given === undefined && carriers.some(isNumbered)
    ? names.filter((name) => looksLikeName(reading, name))
    : [];
  return [...left, ...unmatched].map(({ text }) => text);
}

const declineKeys = Object.keys(DECLINES) as DeclinedTopic[];

function refOf({ role, prefix = "MC", value }: NumberEntity): CarrierRef {
  return role === "docket" ? { by: "docket", prefix, number: value } : { by: "dot", number: value };
}

function yearOf({ text, value }: NumberEntity, today: string): number {
  if (value > 0) return value;
  return Number(today.slice(0, 4)) +
    (/^(?:next|proximo)/i.test(text) ? 1 : /^last/i.test(text) ? -1 : 0);
}
