/**
 * Stage 3, the rest: what was typed but not used in the answer, and what was asked but not answered.
 *
 * @module
 */

import type { QuestionView } from "../entities/entities.ts";
import { MONTH_NAME, WEEKDAY_NAME } from "../tokens/vocabulary.ts";
import { generalIn, type Intent, intentOf, isTopicOrDeclined, topicsIn } from "./asked/intents.ts";
import { looksLikeName } from "../entities/names.ts";
import { type Fleet, ofBroker } from "./details/fees.ts";
import { isCargo } from "./asked/guesses.ts";
import { type CarrierRef, isGivenCarrier, isNumbered } from "./whom/references.ts";
import { type AskedInspections, stateNamed } from "./details/inspected.ts";
import type { Given } from "./whom/given.ts";
import { UCR_YEARS } from "../../rules/ucr.ts";
import { IN_OVERVIEW, isTopic } from "./asked/topics.ts";

/** A part of the question that the answer leaves out. */
export interface PartLeftOut {
  readonly text: string;
  /** Whether it is said before the answer, because it was asked for or could have changed the answer. */
  readonly first: boolean;
  /** Whether it is understood and asked for. */
  readonly asked: boolean;
}

/** The parts of a plan that this needs. */
interface Planned {
  readonly carriers: readonly CarrierRef[];
  /** The carriers of the conversation, of which a part of a name may be. */
  readonly told?: readonly CarrierRef[];
  readonly intents: ReadonlySet<Intent>;
  readonly fleets: readonly Fleet[];
  readonly given?: Given | undefined;
  readonly asOf?: string | undefined;
  readonly ordersIn?: unknown;
  readonly inspected?: AskedInspections | undefined;
  readonly lacks?: unknown;
  /** How many vehicles are added to the fleet on file. */
  readonly more?: number;
}

/** Most phrases that are listed as not understood: only a few words of a long email ask something. */
const MOST_UNUSED = 5;

export function leftOutOf(q: QuestionView, plan: Planned): PartLeftOut[] {
  const asked = plan.lacks === undefined
    ? [...unansweredOf(q, plan).map(({ text }) => text), ...openClausesOf(q, plan)]
    : [];
  return [
    ...asked.map((text) => ({ text, first: true, asked: true })),
    ...unusedOf(q, plan).filter(({ text }) => !asked.some((one) => one.includes(text)))
      .map((one) => ({ ...one, asked: false })),
  ];
}

/**
 * Whether words of a question may ask for more than its topics: whom to trust, an overview beside a topic,
 * "trucks" or "MC" beside another one.
 */
export function hasMore(
  q: QuestionView,
  { before, intents }: { before: ReadonlySet<Intent>; intents: ReadonlySet<Intent> },
): boolean {
  if (topicsIn(intents).length === 0 || intents.has("overview")) return false;
  const done = new Set([...intents, ...[...intents].flatMap((one) => ANSWERS[one] ?? [])]);
  const vague = [...q.marks].some((mark) => mark.endsWith("?") && !done.has(intentOf(mark)));
  const docket = q.has("mc") && !done.has("dockets");
  return vague || docket || intents.has("no:trust") || before.has("overview");
}

/** The other intents that an answer also covers. */
const ANSWERS: Readonly<Partial<Record<Intent, readonly Intent[]>>> = {
  overview: IN_OVERVIEW,
  authority: ["status", "dockets", "operation"],
  dockets: ["authority"],
  contact: ["location"],
  inspections: ["oos", "no:oos_order"],
  oos: ["inspections", "no:oos_order", "fleet"],
  match: ["names", "location", "authority", "operation", "status"],
  search: ["status", "location", "names", "authority"],
  status: ["authority"],
  review: ["rating"],
  rating: ["review"],
  orders: ["no:oos_order"],
  "no:oos_order": ["oos"],
  added: ["no:history"],
  changes: ["no:history"],
  "no:ucr_payment": ["ucr"],
};

/** Intents that cover every topic. */
const OF_ALL: readonly Intent[] = [
  "no:history",
  "no:filters",
  "no:reverse",
  "no:filing",
  "no:legal",
];

/** Phrases that ask for something only together with others, and the intents that answer it. */
const PARTS: Readonly<Record<string, readonly Intent[]>> = {
  due: ["mcs150", "mcs150_digits", "ucr_dates", "missed"],
  fee: ["ucr", "ucr_brackets"],
  ucr: ["ucr", "ucr_brackets", "ucr_dates", "ucr_intrastate"],
  window: ["ucr_dates"],
  table: ["ucr_brackets"],
  broker: ["authority", "match", "ucr"],
  consequence: ["missed", "terms"],
};

/**
 * The parts of a question that are understood and that nothing of the plan answers, with what would answer
 * them: topics, and clauses whose other phrases would ask for something.
 */
export function unansweredOf(
  q: QuestionView,
  { intents, fleets }: Pick<Planned, "intents" | "fleets">,
): { text: string; answers: readonly Intent[] }[] {
  const done = new Set<Intent>([
    ...intents,
    ...[...intents].flatMap((one) => ANSWERS[one] ?? []),
    ...(fleets.length > 0 ? ["ucr", "fleet", "missed", "location", "operation"] as const : []),
    // "UCR for 25 trucks", "and if I'm a broker too".
    ...(fleets.length > 0 && ofBroker(q) ? ["authority"] as const : []),
    "overview",
    "usdot",
  ]);
  if (intents.has("compare") && topicsIn(intents).length === 0) return [];
  const all = OF_ALL.some((one) => intents.has(one)) || generalIn(intents).length > 0;
  return q.clauses.flatMap(({ text, phrases, isAsking }) => {
    const sought = phrases.map(({ mark, text }) => {
      const intent = intentOf(mark);
      const answers = PARTS[intent] ??
        (isTopicOrDeclined(intent) ? [intent] : []);
      const isSure = isTopic(intent) && !mark.endsWith("?") && !(intent in PARTS);
      return { text, answers, isSure, isDone: answers.some((one) => done.has(one)) };
    }).filter(({ answers }) => answers.length > 0);
    const open = sought.filter(({ isDone }) => !isDone);
    if (open.length === 0 || all) return [];
    if (open.length === sought.length && (isAsking || open.some(({ isSure }) => isSure))) {
      return [{ text, answers: open.map(({ answers }) => answers[0]!) }];
    }
    return open.filter(({ isSure }) => isSure)
      .map(({ text, answers }) => ({ text, answers: answers.slice(0, 1) }));
  });
}

const ASKS =
  /^(?:(?:and|so|also|but|or) )*(?:is|are|do|does|did|can|could|how|what|whats|who|where|why|should|would|will|must|has|have|may)\b/;
/** Clauses that ask nothing more: "is that right", "can you check", "when was it given". */
const ASKS_NO_MORE =
  /\b(?:right|correct|true|false|accurate|legit|ok|okay|match\w*|same|check|confirm|verify|tell|know|help|please|or not|yes|real|good|both|find|look|mean|say|says|you|when|date|have it|on file|average|why)\b/;
/** Marks of phrases that are part of many questions. */
const OF_ANY = /^(?:soft|hard|join|them|follow)$/;

/** The clauses behind the first that ask what no phrase knows: "and who visits them", "is that ratio odd". */
function openClausesOf(q: QuestionView, { carriers, intents }: Planned): string[] {
  if (!carriers.some(isGivenCarrier) || topicsIn(intents).length === 0) return [];
  return q.clauses.slice(1).filter(({ text, phrases }) =>
    text.split(" ").length > 3 && ASKS.test(text.toLowerCase()) &&
    !ASKS_NO_MORE.test(text.toLowerCase()) && phrases.every(({ mark }) => OF_ANY.test(mark)) &&
    !/\d/.test(text) && !(intents.has("fleet") && q.all("vehicles").some((number) =>
      text.includes(number.text)
    )) &&
    !q.names.some((name) => text.includes(name.text))
  ).map(({ text }) => text);
}

const SUPPOSED =
  /(?<=[ ,])(?<!\b(?:know|me|us|check|see|ask|asked|wonder|wondering|confirm|verify|sure|out|tell|says?|lookup) )if (?:it|they|he|she)(?:['’](?:s|re)| is| are| was| were| only| just| does| do| starts?)? (?:an? \S+ |\S+ing\b|\S+ \S+ing\b)[^?.!,]{3,60}/i;

/** Text that was typed but isn't used in the answer. */
function unusedOf(
  q: QuestionView,
  { carriers, told = [], intents, fleets, given, asOf, ordersIn, inspected: of, more = 0 }: Planned,
): Pick<PartLeftOut, "text" | "first">[] {
  const inspected = intents.has("inspections") || intents.has("oos");
  const general = generalIn(intents).length > 0;
  const left = q.numbers.filter(({ role, text, value, doubtful }) => {
    // The answer asks about it.
    if (doubtful) return false;
    if (/^(?:no |without |49 ?cfr)/i.test(text)) return false;
    if (role === "unresolved" && more !== 0) return false;
    if (role === "unresolved" && carriers.some(({ by }) => by === "choice")) return false;
    if (role === "date" && (intents.has("ucr_dates") || asOf !== undefined)) return false;
    if (ordersIn !== undefined && /^(?:date|year|unresolved)$/.test(role)) return false;
    if (of?.period !== undefined && /^(?:date|year|duration|unresolved)$/.test(role)) return false;
    if (of !== undefined && /^level/i.test(text)) return false;
    if (intents.has("changes") && /^(?:date|year|duration)$/.test(role)) return false;
    if (intents.has("mcs150_digits") || intents.has("terms") || intents.has("ucr_brackets")) {
      return false;
    }
    if (role === "vehicles" || /drivers?$/i.test(text)) {
      return fleets.length === 0 && !intents.has("fleet") && more === 0;
    }
    if (role === "year") {
      const isOther = carriers.some(isGivenCarrier) && /^\d{4}$/.test(text) &&
        !UCR_YEARS.includes(value);
      return fleets.length === 0 && (!intents.has("ucr") || isOther) && !general;
    }
    if (role === "phone" && given?.phone === text) return false;
    if (given?.zip !== undefined && text.endsWith(given.zip)) return false;
    if (role === "duration") return !inspected || !/^(?:24|2|two)[ -]?(?:mo|year|yr)/i.test(text);
    return role !== "usdot" && role !== "docket";
  });
  const unmatched = given === undefined && carriers.some(isNumbered)
    ? q.names.filter((name) =>
      looksLikeName(q.reading, name) &&
      !carriers.some((ref) => ref.by === "name" && ref.text === name.text)
    )
    // "UCR for 60 trucks, and does White River Logistics pay that".
    : carriers.length === 0 && fleets.length > 0
    ? q.names.filter(({ exists, from, to }) =>
      exists ||
      // "What would Gomez Ag pay in UCR with 73 trucks".
      /^(?:would|does|will|should)$/.test(q.reading.tokens[from - 1]?.text ?? "") &&
        /^(?:pay|owe)$/.test(q.reading.tokens[to]?.text ?? "") ||
      /^(?:for|of)$/.test(q.reading.tokens[from - 1]?.text ?? "") &&
        // "UCR for united star with 72 trucks".
        (looksLikeName(q.reading, { from, to }) || to - from > 1)
    )
    : [];
  // "Does it need authority if it hauls its own materials": the record can't tell.
  const supposed = carriers.some(isGivenCarrier) && fleets.length === 0 && !intents.has("ucr")
    ? SUPPOSED.exec(q.reading.text)?.[0]
    : undefined;
  // "Are there other carriers named Larry's Logistics".
  const sought = intents.has("search")
    ? q.sought.left.filter((text) =>
      !carriers.some((ref) => ref.by === "name" && ref.text.includes(text))
    )
    : [];
  const named = new Set([
    ...unmatched.map(({ text }) => text),
    ...given === undefined ? [] : [given.text, given.place ?? ""],
    ...q.place === null ? [] : [q.place],
    ...[...carriers, ...told].flatMap((ref) => ref.by === "name" ? ref.text : []),
  ]);
  return [
    ...sought.map((text) => ({ text, first: true })),
    ...(carriers.length === 0 || intents.has("search") || carriers.some(({ by }) => by === "choice")
      ? []
      : q.unknownPhrases({ named: carriers.some(({ by }) => by === "name") }))
      .filter((text) => ![...named].some((name) => name.includes(text)))
      .filter((text) =>
        ordersIn === undefined && of?.period === undefined && asOf === undefined ||
        !MONTH_NAME.test(text) && !WEEKDAY_NAME.test(text)
      )
      .filter((text) => !intents.has("cargo") || !isCargo(text))
      .filter((text) => !of?.states.includes(stateNamed(text)?.toUpperCase() ?? ""))
      .filter((text) => !of?.postCrash || !/^(?:post|accident|crash)$/i.test(text))
      .slice(0, MOST_UNUSED).map((text) => ({ text, first: true })),
    ...supposed === undefined ? [] : [{ text: supposed, first: true }],
    ...left.map(({ role, text }) => ({ text, first: !/^(?:money|percent)$/.test(role) })),
    ...unmatched.map(({ text }) => ({ text, first: true })),
  ];
}
