/**
 * What a question asks, for which carriers, and what of it is not used.
 *
 * @module
 */

import { type NumberEntity, read, type Reading } from "./entities.ts";
import { findNames, looksLikeName, type Names } from "./names.ts";
import { SPANISH_TOPICS } from "./spanish.ts";
import {
  DECLINED_TOPICS,
  type DeclinedTopic,
  type Expectation,
  type Mark,
  type Topic,
  TOPICS,
} from "./vocabulary.ts";

/** A carrier as the question names it; a name may be any of `texts`. */
export type CarrierRef =
  | { by: "dot"; number: number }
  | { by: "docket"; prefix: "MC" | "MX" | "FF"; number: number }
  | { by: "name"; texts: readonly string[] }
  /** The one at `index` among the options for `of`; -1 is the last. */
  | { by: "choice"; of: CarrierRef | null; index: number };

/** What a question lacks. */
export type Lack = "carrier" | "dot" | "mc" | "vehicles" | "number" | "question";

/** What is to be answered. */
export interface Plan {
  spanish: boolean;
  carriers: CarrierRef[];
  topics: Topic[];
  expects: Expectation[];
  compare: boolean;
  /** The name that a numbered carrier is matched with. */
  given?: string;
  /** Fleets whose UCR fee is asked for, in each of `years`. */
  fleets: number[];
  years: number[];
  general: ("data_date" | "count" | "missed")[];
  /** The name is searched for: several results are an answer. */
  search: boolean;
  declined: DeclinedTopic[];
  /** Numbers and names of the question that the answer does not use, as typed. */
  unused: string[];
  lacks?: { part: Lack; problem?: string };
}

/** The readings of a question, the likeliest first; others count only for an exact name. */
export interface Understanding {
  plans: Plan[];
}

/** Carriers in one question at most. */
export const MAX_CARRIERS = 20;

/** Earlier questions that are read; the caller chooses how many it sends. */
const MAX_EARLIER = 8;

const ORDINALS = [
  "first|1st|primer[oa]?",
  "second|2nd|segund[oa]",
  "third|3rd|tercer[oa]?",
  "fourth|4th",
  "fifth|5th",
];
const ORDINAL = new RegExp(
  `\\b(?:(?<word>${[...ORDINALS, "last|ultim[oa]"].join("|")}) ` +
    "(?:one|option|carrier|company|result|match)\\b)|" +
    `^\\W*(?:the |el |la )?(?<alone>${[...ORDINALS, "last|ultim[oa]"].join("|")})\\W*$|` +
    "^\\W*(?:option |number |no\\.? ?|#)(?<digit>\\d{1,2})\\W*$",
  "i",
);

/**
 * Understands a question. The same question on the same day always means the same.
 *
 * @param prev Earlier questions of the conversation, the oldest first.
 * @param today `YYYY-MM-DD`, for "next year".
 */
export function understand(query: string, prev: readonly string[], today: string): Understanding {
  let memory: Plan | null = null;
  for (const earlier of prev.slice(-MAX_EARLIER)) {
    const { plans } = understandOne(earlier, memory, today);
    const [plan] = plans;
    if (plan!.lacks?.part === "question") continue;
    const texts = plans.flatMap(({ carriers }) =>
      carriers.flatMap((ref) => ref.by === "name" ? ref.texts : [])
    );
    // All ways to read the name, so that it is found again as it was found then.
    memory = {
      ...plan!,
      carriers: plan!.carriers.map((ref) =>
        ref.by === "name" && plan!.carriers.length === 1 ? { by: "name", texts } : ref
      ),
    };
  }
  return understandOne(query, memory, today);
}

function understandOne(query: string, memory: Plan | null, today: string): Understanding {
  const reading = read(query);
  return { plans: findNames(reading).map((names) => planOf(reading, { names, memory, today })) };
}

/** A question's words and numbers outside its names. */
class Words {
  readonly marks: ReadonlySet<Mark>;
  readonly numbers: readonly NumberEntity[];
  readonly text: string;

  constructor(readonly reading: Reading, { spans }: Names) {
    const free = (at: number): boolean => !spans.some(({ from, to }) => at >= from && at < to);
    this.marks = new Set(
      reading.spans.flatMap((it, at) => it !== null && free(at) ? [it.mark] : []),
    );
    this.numbers = reading.tokens.flatMap(({ number }, at) =>
      number !== undefined && free(at) ? [{ ...number }] : []
    );
    this.text = reading.tokens.filter((_, at) => free(at)).map(({ text }) => text).join(" ");
  }

  has(...marks: Mark[]): boolean {
    return marks.some((mark) => this.marks.has(mark));
  }

  all(role: NumberEntity["role"]): NumberEntity[] {
    return this.numbers.filter((number) => number.role === role);
  }
}

function planOf(
  reading: Reading,
  { names, memory, today }: { names: Names; memory: Plan | null; today: string },
): Plan {
  const words = new Words(reading, names);
  const topics = new Set<Topic>(TOPICS.filter((topic) => words.has(topic)));
  const expects = [...words.marks].filter((mark) => mark.includes("=")) as Expectation[];
  for (const expect of expects) topics.add(expect.split("=")[0] as Topic);
  const declined = new Set(DECLINED_TOPICS.filter((topic) => words.has(`no:${topic}`)));
  const fee = words.has("fee", "ucr") || memory !== null && memory.fleets.length > 0 ||
    memory?.lacks?.part === "vehicles";
  resolveBare(words, { fee, reading });
  const numbered = words.numbers.filter(({ role }) => role === "usdot" || role === "docket");
  const wrong = numbered.find(({ problem }) => problem !== undefined);
  const own = [...numbered.filter(({ problem }) => problem === undefined).map(refOf)];
  const named: CarrierRef[] = own.length > 0
    ? []
    : names.spans.map(({ text }) => ({ by: "name", texts: [text] }));
  const plan: Plan = {
    spanish: reading.spanish,
    carriers: distinct([...own, ...named]),
    topics: [],
    expects,
    compare: false,
    fleets: [],
    years: words.all("year").map((year) => yearOf(year, today)),
    general: [],
    search: false,
    declined: [],
    unused: [],
  };
  const used = new Set<string>(numbered.map(({ text }) => text));
  const ordinal = ordinalOf(reading.text, memory);
  if (ordinal !== null && own.length === 0) plan.carriers = [ordinal];
  const placed = own.length === 0 ? inPlace(reading, plan.carriers, memory) : null;
  if (placed !== null) plan.carriers = [placed];
  // "12 truks" after a fee is a count that cannot be read, not a name.
  const [span] = names.spans;
  if (
    fee && own.length === 0 && span !== undefined && !looksLikeName(reading, span) &&
    /\d/.test(span.text)
  ) {
    plan.carriers = [];
  }
  if (words.has("vehicle") && own.length > 0 && topics.size === 0 && /\bhow\b/.test(words.text)) {
    topics.add("fleet");
  }
  const topicsAsked = { words, topics, declined, plan };
  readGeneral(topicsAsked);
  readMatch(topicsAsked, { reading, names, own });
  readDue(topicsAsked);
  readFees(topicsAsked, { memory, fee, used });
  readDeclined(topicsAsked);
  readCarrierTopics(topicsAsked);
  carryOn(topicsAsked, { memory, own: own.length > 0 || placed !== null || ordinal !== null });
  if (topics.size > 1) topics.delete("overview");
  if (topics.has("overview") && (declined.size > 0 || plan.general.length > 0)) {
    topics.delete("overview");
  }
  plan.topics = TOPICS.filter((topic) => topics.has(topic));
  plan.expects = expects.filter((expect) => topics.has(expect.split("=")[0] as Topic));
  plan.declined = DECLINED_TOPICS.filter((topic) => declined.has(topic));
  if (reading.spanish) toSpanish(plan);
  findLack(plan, { words, wrong });
  plan.unused = unusedOf(plan, { words, used, names, own });
  return plan;
}

interface Asked {
  words: Words;
  topics: Set<Topic>;
  declined: Set<DeclinedTopic>;
  plan: Plan;
}

/** Gives short numbers a role where a carrier or a fleet must stand. */
function resolveBare(words: Words, { fee, reading }: { fee: boolean; reading: Reading }): void {
  const { tokens, spans } = reading;
  const others = words.numbers.filter(({ role }) => role === "usdot" || role === "docket");
  tokens.forEach((token, at) => {
    const number = words.numbers.find(({ text, role }) =>
      role === "unresolved" && text === token.number?.text
    );
    if (number === undefined) return;
    const digits = String(number.value).length;
    const alone = tokens.length === 1;
    const before = tokens[at - 1]?.text ?? "";
    const after = spans[at + 1]?.mark;
    const yearLike = /^(?:199\d|20[0-3]\d)$/.test(number.text);
    if (yearLike && words.has("ucr", "fee")) number.role = "year";
    else if (
      fee && digits <= 3 && !words.has("pay") && words.all("vehicles").length === 0 &&
      (alone || /^(?:for|of|ucr|fee|cost|para)$/.test(before))
    ) {
      number.role = "vehicles";
    } else if (
      alone ? digits > 2 && !yearLike && !fee : others.length === 0 && !yearLike &&
        digits > 2 && (!fee || words.has("pay")) &&
        /^(?:is|are|was|did|does|has|of|for|about|check|compare|vs|run|lookup|y|el|)$/.test(
          before,
        ) &&
        (at + 1 === tokens.length || after !== undefined && after !== "vehicle")
    ) {
      number.role = "usdot";
    }
  });
}

/** Questions on the data, on many carriers, and on what a missed update leads to. */
function readGeneral({ words, topics, declined, plan }: Asked): void {
  const many = words.has("many", "all") || words.has("count") || /\btop\b/.test(words.text);
  if (words.has("data") && words.has("fresh", "when") && plan.carriers.length < 2) {
    plan.general.push("data_date");
    for (const topic of ["mcs150", "due", "location"] as const) topics.delete(topic);
    declined.delete("history");
    declined.delete("explanations");
    if (!plan.carriers.some(({ by }) => by !== "name")) plan.carriers = [];
  }
  const asksMany = words.has("count") && topics.size === 0 && !/\bin\b/.test(words.text);
  if (asksMany && !plan.carriers.some(({ by }) => by !== "name")) {
    plan.general.push("count");
    plan.carriers = [];
  } else if (many && !plan.carriers.some(({ by }) => by !== "name")) {
    const filtered = topics.size > (topics.has("overview") ? 1 : 0) || words.has("count", "all") ||
      words.all("vehicles").length + words.all("other").length > 0;
    if (filtered) {
      topics.clear();
      declined.clear();
      declined.add("filters");
      plan.carriers = [];
      plan.general = [];
    }
  }
  if (
    words.has("consequence") && words.has("mcs150", "mcs150=overdue", "late", "file", "consequence")
  ) {
    const mine = words.has("mcs150", "mcs150=overdue", "late", "file", "dot") ||
      topics.has("mcs150") || /miss/.test(words.text);
    if (mine && !declined.has("insurance")) {
      plan.general.push("missed");
      if (plan.carriers.length === 0 || !words.has("mcs150=overdue")) {
        for (const topic of ["mcs150", "due", "status"] as const) topics.delete(topic);
      }
      declined.delete("legal");
      plan.carriers = plan.carriers.filter(({ by }) => by !== "name" || topics.size > 0);
    }
  }
}

/** A name beside a number: whether the carrier of that number bears it. */
function readMatch(
  { words, topics, declined, plan }: Asked,
  { reading, names, own }: { reading: Reading; names: Names; own: CarrierRef[] },
): void {
  const [name] = names.spans;
  const asked = words.has("holds") || words.has("named") && own.length > 0;
  if (own.length > 0 && name !== undefined && declined.size === 0) {
    const at = reading.tokens.findIndex(({ number }) =>
      number?.role === "usdot" || number?.role === "docket"
    );
    const beside = name.from === at + 1 && reading.spans[at - 1]?.mark === "hard";
    const option = /\(USDOT \d+[^)]*\)$/.test(reading.text);
    if (option) return;
    if (asked || looksLikeName(reading, name) || beside && name.to - name.from > 1) {
      plan.given = name.text;
      topics.add("match");
    }
    topics.delete("usdot");
  } else if (asked && own.length === 2) topics.add("overview");
  if (own.length > 0 && own.every(({ by }) => by === "dot")) topics.delete("usdot");
  if (own.length > 0 && own.every(({ by }) => by === "docket") && words.has("dot")) {
    if (topics.size === 0) topics.add("usdot");
  }
  if (own.length === 0 && name !== undefined && words.has("dot") && topics.size === 0) {
    topics.add("usdot");
  }
}

/** When an update is due, which "when" and "file" ask for too, and what was filed. */
function readDue({ words, topics, declined, plan }: Asked): void {
  const past = /\b(?:did|was|last|has|have|filed)\b/.test(words.text);
  const about = topics.has("mcs150") || words.has("file");
  if (words.has("when") && about && (!past || /\bis it due|next\b/.test(words.text))) {
    if (!topics.has("rating") && !topics.has("inspections")) topics.add("due");
  }
  if (words.has("file") && past && !words.has("how_to") && topics.size === 0) {
    topics.add("mcs150");
    plan.expects.push("mcs150=filed");
  } else if (words.has("file") && topics.has("mcs150") && past && plan.expects.length === 0) {
    if (!words.has("when")) plan.expects.push("mcs150=filed");
  }
  if (
    words.has("late") && (topics.has("mcs150") || topics.size === 0 && plan.carriers.length > 0)
  ) {
    topics.add("mcs150");
    plan.expects.push("mcs150=overdue");
  }
  if (!topics.has("due")) return;
  const filed = /\blast (?:filed?|filing)\b/.test(words.text);
  if (!filed && !plan.expects.some((expect) => expect.startsWith("mcs150"))) {
    topics.delete("mcs150");
  }
  if (topics.has("ucr") && !words.has("mcs150")) {
    topics.delete("due");
    topics.delete("ucr");
    declined.add("explanations");
  }
  declined.delete("legal");
}

/** Fees of fleets, and payments, which come first. */
function readFees(
  { words, topics, declined, plan }: Asked,
  { memory, fee, used }: { memory: Plan | null; fee: boolean; used: Set<string> },
): void {
  const ucr = words.has("ucr");
  const counts = words.all("vehicles");
  const paid = /\bpa(?:id|ied|yed)\b|\bpayment\b/.test(words.text);
  const whose = plan.carriers.length > 0 || words.has("them") || /\bmy\b/.test(words.text);
  if (
    ucr && !words.has("how_to") &&
    (words.has("pay") && (paid || whose) && !declined.has("explanations") ||
      words.has("registered") && whose)
  ) {
    declined.add("ucr_payment");
    topics.delete("ucr");
    topics.delete("status");
    if (counts.length === 0) return;
  }
  if (words.has("how_to")) return;
  const goesOn = memory !== null && memory.fleets.length > 0 && topics.size === 0 &&
    plan.carriers.length === 0 && declined.size === 0 &&
    (counts.length > 0 || plan.years.length > 0);
  const wanted = ucr || words.has("fee") && counts.length > 0 || goesOn ||
    memory?.lacks?.part === "vehicles" && counts.length > 0;
  if (!wanted || !fee || declined.has("filters") || declined.has("explanations")) return;
  const vague = counts.some((one) => one.vague) || new Set(counts.map(({ noun }) => noun)).size > 1;
  if (vague) {
    topics.delete("ucr");
    plan.lacks = {
      part: "vehicles",
      problem: "The UCR fee has brackets, so it needs one number of vehicles",
    };
  } else if (counts.length > 0) plan.fleets = [...new Set(counts.map(({ value }) => value))];
  else if (goesOn) plan.fleets = memory.fleets;
  else if (words.has("broker") && !plan.carriers.some(({ by }) => by !== "name")) {
    plan.fleets = [0];
    topics.delete("kind");
  } else if (plan.carriers.length === 0 && (memory?.carriers.length ?? 0) === 0) {
    topics.delete("ucr");
    plan.lacks = { part: "vehicles" };
  }
  if (plan.fleets.length === 0) return;
  if (goesOn && plan.years.length === 0) plan.years = memory.years;
  topics.delete("ucr");
  if (topics.size === 1) topics.delete("fleet");
  if (topics.size === 0 && declined.size === 0 && plan.carriers.every(({ by }) => by === "name")) {
    plan.carriers = [];
  }
  for (const { text } of [...counts, ...words.all("year")]) used.add(text);
}

/** What a declined topic takes with it. */
function readDeclined({ words, topics, declined, plan }: Asked): void {
  if (
    words.has("how_to") && (words.has("file", "pay", "registered", "dot", "mc", "mcs150", "ucr") ||
      topics.size > 0 || /\b(?:apply|reactivate|renew|alerts?)\b/.test(words.text))
  ) {
    declined.add("filing");
    topics.clear();
  }
  if (declined.has("explanations")) {
    if (plan.carriers.length > 0 && plan.carriers.every(({ by }) => by !== "name")) {
      declined.delete("explanations");
    } else {
      topics.clear();
      plan.carriers = [];
      delete plan.lacks;
    }
  }
  if (declined.has("legal")) {
    for (const topic of ["ucr", "mcs150", "dockets", "usdot", "authority"] as const) {
      topics.delete(topic);
    }
    for (const topic of ["cargo", "filing", "drivers"] as const) declined.delete(topic);
    delete plan.lacks;
  }
  if (declined.has("licensing")) topics.delete("authority");
  if (declined.has("scores")) topics.delete("rating");
  if (declined.has("oos_order")) topics.delete("oos");
  if (declined.has("other_filings")) topics.delete("due");
  if (declined.has("trust")) declined.delete("load_rates");
  if (declined.has("load_rates")) declined.delete("cargo");
  if (declined.has("drivers")) declined.delete("trust");
}

/** Topics that depend on other words, comparisons and searches. */
function readCarrierTopics({ words, topics, declined, plan }: Asked): void {
  const { carriers } = plan;
  if (
    words.has("broker") && carriers.length > 0 && plan.fleets.length === 0 && declined.size === 0
  ) {
    if (/\b(?:is|are)\b/.test(words.text)) topics.add("kind");
  }
  if (topics.has("kind")) plan.given = undefined!;
  if (plan.given === undefined) delete plan.given;
  if (topics.has("kind")) topics.delete("match");
  if (words.has("compare") && carriers.length >= 2 && carriers.length <= 3) plan.compare = true;
  const first = carriers[0];
  if (topics.size === 0 && declined.size === 0 && first?.by === "name" && !words.has("compare")) {
    plan.search = words.has("find", "named", "many");
  }
}

/** Takes carriers and topics from the question before where this one has none. */
function carryOn(
  { words, topics, declined, plan }: Asked,
  { memory, own }: { memory: Plan | null; own: boolean },
): void {
  const general = plan.fleets.length + plan.general.length > 0;
  const asked = topics.size + declined.size > 0;
  if (memory === null || plan.lacks !== undefined) return;
  if (words.has("compare") && plan.carriers.length === 1 && topics.size === 0) {
    plan.carriers = distinct([...memory.carriers, ...plan.carriers]);
    plan.compare = plan.carriers.length === 2;
  }
  if (plan.carriers.length === 0 && asked && !general) plan.carriers = memory.carriers;
  else if (own && !asked && !general && !plan.compare) {
    if (memory.lacks?.part === "carrier" && memory.compare) {
      plan.carriers = distinct([...memory.carriers, ...plan.carriers]);
      plan.compare = true;
    }
    for (const topic of memory.topics) topics.add(topic);
    topics.delete("match");
    plan.expects.push(...memory.expects);
    if (memory.fleets.length > 0 && topics.size === 0) topics.add("ucr");
  }
}

function ordinalOf(text: string, memory: Plan | null): CarrierRef | null {
  const match = ORDINAL.exec(text);
  if (match === null) return null;
  const { word, alone, digit } = match.groups!;
  const said = word ?? alone;
  const at = digit !== undefined
    ? Number(digit) - 1
    : ORDINALS.findIndex((one) => new RegExp(`^(?:${one})$`, "i").test(said!));
  const before = memory?.carriers ?? [];
  const listed = before.length > 1 ? before.at(at) : undefined;
  if (listed !== undefined) return listed;
  const of = before.length === 1 && before[0]!.by === "name" ? before[0]! : null;
  return { by: "choice", of, index: at };
}

/** "The one in Dallas" after a question that named it. */
function inPlace(
  { text }: Reading,
  carriers: readonly CarrierRef[],
  memory: Plan | null,
): CarrierRef | null {
  const [before] = memory?.carriers ?? [];
  const [place] = carriers;
  const asks = /^\W*(?:(?:the|that) (?:one|ones) )?(?:in|near|from) /i.test(text);
  const bare = place?.by === "name" && place.texts[0] === text.replace(/[?!.]+$/, "");
  if (before?.by !== "name" || place?.by !== "name" || !asks && !bare) return null;
  const there = before.texts.map((name) => `${name} in ${place.texts[0]}`);
  return { by: "name", texts: asks ? there : [place.texts[0]!, ...there] };
}

function findLack(
  plan: Plan,
  { words, wrong }: { words: Words; wrong: NumberEntity | undefined },
): void {
  const { topics, carriers, declined } = plan;
  const done = plan.fleets.length + plan.general.length > 0;
  if (wrong !== undefined && carriers.length === 0) {
    plan.lacks = { part: wrong.role === "docket" ? "mc" : "dot", problem: wrong.problem! };
    return;
  }
  if (plan.lacks !== undefined) {
    if (topics.length + declined.length === 0 || carriers.length === 0) return;
    delete plan.lacks;
  }
  const [choice] = carriers;
  if (choice?.by === "choice" && choice.of === null) {
    plan.lacks = {
      part: "carrier",
      problem: "I can't tell which carrier that is: no earlier question listed several",
    };
    return;
  }
  const unresolved = words.all("unresolved");
  if (topics.length > 0 && carriers.length === 0) {
    if (topics.length === 1 && topics[0] === "overview" && declined.length === 0 && !done) {
      plan.lacks = {
        part: unresolved.length > 0
          ? "number"
          : words.has("lookup", "dot", "mc")
          ? "carrier"
          : "question",
      };
    } else if (declined.length === 0 && !done) {
      plan.lacks = { part: unresolved.length > 0 ? "number" : "carrier" };
    } else plan.topics = [];
  } else if (
    words.has("compare") && carriers.length === 1 && topics.length === 0 && declined.length === 0
  ) {
    plan.lacks = { part: "carrier" };
    plan.compare = true;
  } else if (topics.length === 0 && declined.length === 0 && !done && !plan.compare) {
    const byName = carriers.every(({ by }) => by === "name");
    const opened = words.has("hard", "them", "how_to", "when", "file", "pay");
    if (carriers.length > 0 && (!byName || !opened || plan.search || words.has("follow"))) {
      if (!plan.search) plan.topics = ["overview"];
    } else if (words.has("find", "many") && carriers.length > 0) plan.search = true;
    else {
      const part = unresolved.length > 0 && byName && carriers.length === 0 ? "number" : "question";
      plan.lacks = { part: part };
      plan.carriers = [];
    }
  }
  if (plan.lacks?.part === "number") {
    const [{ text }] = unresolved as [NumberEntity];
    plan.lacks.problem = `I can't tell what ${text} is`;
  }
}

/** Of a question in Spanish only some topics are answered. */
function toSpanish(plan: Plan): void {
  const rest = plan.topics.filter((topic) => !SPANISH_TOPICS.includes(topic));
  plan.topics = plan.topics.filter((topic) => SPANISH_TOPICS.includes(topic));
  if (rest.length + plan.general.length > 0 && plan.topics.length === 0 || plan.compare) {
    plan.declined = ["spanish"];
  }
  if (plan.declined.length > 0) plan.declined = ["spanish"];
  plan.general = [];
  plan.compare = false;
}

/** What was typed and does not matter to the answer. */
function unusedOf(
  plan: Plan,
  { words, used, names, own }: { words: Words; used: Set<string>; names: Names; own: CarrierRef[] },
): string[] {
  if (plan.topics.includes("ucr")) { for (const { text } of words.all("year")) used.add(text); }
  const window = plan.topics.some((topic) => /^(?:inspections|violations|oos)$/.test(topic));
  const numbers = words.numbers.filter(({ role, text }) =>
    !used.has(text) && !/^(?:no|without) /.test(text) &&
    !(role === "duration" && window && /^(?:24|two years|2 y)/.test(text)) &&
    !/^(?:mcs|§|49 ?cfr)/i.test(text)
  );
  const unmatched = own.length > 0 && plan.given === undefined
    ? names.spans.filter((name) => looksLikeName(words.reading, name)).map(({ text }) => text)
    : [];
  return [...numbers.map(({ text }) => text), ...unmatched];
}

function refOf({ role, prefix, value }: NumberEntity): CarrierRef {
  return role === "docket"
    ? { by: "docket", prefix: prefix ?? "MC", number: value }
    : { by: "dot", number: value };
}

function yearOf({ text, value }: NumberEntity, today: string): number {
  if (value > 0) return value;
  const year = Number(today.slice(0, 4));
  return /^(?:next|proximo)/i.test(text) ? year + 1 : /^last/i.test(text) ? year - 1 : year;
}

function distinct(refs: readonly CarrierRef[]): CarrierRef[] {
  return [...new Map(refs.map((ref) => [JSON.stringify(ref), ref])).values()];
}
