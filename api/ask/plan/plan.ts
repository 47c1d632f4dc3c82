/**
 * Stage 3: the plan of a question: what to answer about whom, or what is missing.
 *
 * @module
 */

import { quoted } from "../../../pipeline/text.ts";
import { carriedOn, kindSaid } from "./conversation.ts";
import { DECLINES } from "./declines.ts";
import {
  type Entities,
  type EntityContext,
  QuestionView,
  type Sought,
} from "../entities/entities.ts";
import {
  type Asked,
  declinedIn,
  generalIn,
  type Intent,
  isOpen,
  isSpecific,
  topicsIn,
} from "./intents.ts";
import { intentsOf } from "./asked.ts";
import type { Period } from "../../rules/orders.ts";
import { type AskedChanges, changesAsked, isOfPast, pastDayOf, pastPeriodOf } from "./history.ts";
import { termsAsked, termsMeant } from "./explained.ts";
import { feesOf, type Fleet, type Lack } from "./fees.ts";
import { looksLikeName } from "../entities/names.ts";
import type { NumberEntity } from "../entities/numbers.ts";
import { type CarrierRef, isNumbered } from "./references.ts";
import { carriersOf, type Given, givenOf, linkOf } from "./subjects.ts";
import { hasMore, leftOutOf, type PartLeftOut } from "./unanswered.ts";

export interface Plan extends Asked {
  readonly spanish: boolean;
  readonly carriers: readonly CarrierRef[];
  /** The name to compare with the carrier of a number. If not `sure`, it is used only if it matches. */
  readonly given?: Given | undefined;
  /** Fleets whose UCR fee is asked for. */
  readonly fleets: readonly Fleet[];
  /** Which changes are asked for, if any. */
  readonly changed?: AskedChanges | undefined;
  /** The past day to answer for, `YYYY-MM-DD`. */
  readonly asOf?: string | undefined;
  /** The past days for which out-of-service orders are asked for; their dates answer for any day. */
  readonly ordersIn?: Period | undefined;
  /** Ids in {@link EXPLANATIONS} of the terms to explain. */
  readonly terms: readonly string[];
  /** What is searched for, of a search. */
  readonly sought?: Sought | undefined;
  /** Registration years that are asked about. */
  readonly years: readonly number[];
  readonly leftOut: readonly PartLeftOut[];
  /** Whether the answer adds the rest of the record: it was asked for, or may answer a part not understood. */
  readonly whole: boolean;
  /** Whether everything asked is declined, so that the answer adds the overview of the carriers. */
  readonly beside: boolean;
  readonly lacks?: Lack | undefined;
  /** Whether it mentions an MC number without giving one. */
  readonly docket: boolean;
}

/** What a plan means for the next question. */
export function contextOf(plan: Plan | null): EntityContext {
  const [only, ...more] = plan?.carriers ?? [];
  return {
    fee: (plan?.fleets.length ?? 0) > 0 || plan?.lacks?.part === "vehicles",
    docket: plan?.docket || plan?.carriers.length === 1 && only?.by === "docket" || false,
    name: only?.by === "name" && more.length === 0 ? only : null,
  };
}

/**
 * The plan of a question.
 *
 * @param memory The plan of the question before that was understood.
 * @param today `YYYY-MM-DD`.
 */
export function planOf(entities: Entities, memory: Plan | null, today: string): Plan {
  const q = new QuestionView(entities);
  const fee = q.has("fee", "ucr", "table", "window") || contextOf(memory).fee;
  const years = [...new Set(q.all("year").map((year) => yearOf(year, today)))];
  const said = memory === null ? null : kindSaid(q.reading.text, memory);
  const { carriers, own } = said === null
    ? carriersOf(q, memory, fee)
    : { carriers: [said], own: true };
  const linked = linkOf(q, carriers);
  const given = givenOf(q, carriers);
  const asOf = pastDayOf(q, today);
  // Changes since a year are answered as far as they are known.
  const past = asOf === undefined && !q.has("changes") && isPast(q, years, today);
  const meant = termsMeant(q, memory?.intents ?? []);
  // "Why inactive", of the carrier of the previous question.
  const asksWhy = (memory?.carriers.length ?? 0) > 0 && carriers.length === 0 &&
    /^\W*(?:and |but |so )?why\b/i.test(q.reading.text);
  const asked = meant.length > 0
    ? { intents: new Set<Intent>(["terms"]), guesses: new Set<string>() }
    : said === null
    ? intentsOf(q, { carriers, named: given !== undefined, linked, past, asksWhy })
    : { intents: new Set<Intent>(), guesses: new Set<string>() };
  const period = pastPeriodOf(q, today);
  const isOfNone = asked.intents.has("terms") && topicsIn(asked.intents).length === 0;
  const about = isOfNone ||
      ["no:filters", "no:reverse", "count"].some((one) => asked.intents.has(one as Intent))
    ? []
    : linked === null
    ? carriers
    : carriers.filter(({ by }) => by === "dot");
  // "What if we're a broker only", after a question about a fee.
  const ofBroker = contextOf(memory).fee && q.has("broker") && about.length === 0;
  const feeIntents = ofBroker
    ? asked.intents.difference(new Set<Intent>(["terms"]))
    : asked.intents;
  const fees = feesOf(q, { intents: feeIntents, carriers: about, memory, years, fee });
  const comparing = (q.has("compare", ...asked.intents.has("match") ? [] : ["holds"]) ||
    q.says(/\bsame\b/) && q.names.filter(({ exists }) => exists).length > 1) &&
    fees.carriers.length >= 2 && fees.carriers.length <= 3;
  const first = {
    intents: comparing ? fees.intents.union(new Set<Intent>(["compare"])) : fees.intents,
    guesses: asked.guesses,
    carriers: fees.carriers,
  };
  const memorized = memory === null || fees.fleets.length > 0 || fees.lacks !== undefined
    ? first
    : carriedOn(q, first, { ...memory, lacksCarrier: isLacking(memory) }, own);
  const others = declinedIn(memorized.intents).length + generalIn(memorized.intents).length > 0;
  const intents = isSpecific(memorized.intents) || others
    ? memorized.intents.difference(new Set(["overview"]))
    : memorized.intents;
  // "Was it out of service in March 2018" asks for an order, not for the rates of the last 24 months.
  const ofOrders = period !== undefined && intents.has("oos") &&
      !q.says(/\b(?:rates?|percent|percentage|inspect\w*|average)\b/)
    ? intents.difference(new Set<Intent>(["oos"])).union(new Set<Intent>(["no:oos_order"]))
    : intents;
  const settled = settle(q, { intents: ofOrders, carriers: memorized.carriers, fees });
  const { fleets } = fees;
  const plan = { ...settled, guesses: memorized.guesses, fleets, years: fees.years };
  const compared = asked.intents.has("match") ? given : undefined;
  // "Is DOT 286764 general transport brokerage" asks nothing else that the last word may be.
  const alone = compared !== undefined && topicsIn(plan.intents).length === 1 &&
    q.names[0] !== undefined && looksLikeName(q.reading, q.names[0]);
  const beside = fleets.length === 0 && isBeside(plan);
  const ordersIn = plan.intents.has("no:oos_order") ? period : undefined;
  const leftOut = leftOutOf(q, { ...plan, given: compared, asOf, ordersIn });
  return {
    ...plan,
    intents: beside ? plan.intents.union(new Set<Intent>(["overview"])) : plan.intents,
    beside,
    terms: meant.length > 0 ? meant : termsAsked(q),
    spanish: q.reading.spanish,
    given: compared === undefined ? undefined : { ...compared, sure: compared.sure || alone },
    ...plan.intents.has("changes") && {
      changed: changesAsked(q, { topics: topicsIn(plan.intents), today }),
    },
    ...asOf !== undefined && { asOf },
    ...ordersIn !== undefined && { ordersIn },
    ...plan.intents.has("search") && { sought: q.sought },
    leftOut,
    whole: asked.guesses.has("overview=all") || leftOut.some(({ first }) => first) ||
      hasMore(q, { before: asked.intents, intents: plan.intents }),
    docket: plan.carriers.length === 0 && !plan.intents.has("terms") &&
      q.says(/\b(?:mc|docket)\b/) && !q.says(/\b(?:us)?dot\b/),
  };
}

function isLacking({ lacks }: Plan): boolean {
  return lacks?.part === "carrier" || lacks?.part === "number";
}

function isPast(q: QuestionView, years: readonly number[], today: string): boolean {
  const dates = q.all("date").flatMap(({ text }) => /(?:19|20)\d\d/.exec(text)?.map(Number) ?? []);
  return q.has("past") && isOfPast(q) ||
    [...years, ...dates].some((year) => year < Number(today.slice(0, 4)));
}

/** Whether all that is asked is declined of its carriers, which leaves their overview to be given. */
function isBeside(
  { intents, carriers, lacks }: Pick<Plan, "intents" | "carriers" | "lacks">,
): boolean {
  const declined = declinedIn(intents).filter((topic) => DECLINES[topic].ofCarrier);
  return lacks === undefined && carriers.length > 0 && carriers.length <= 3 &&
    declined.length > 0 && declined.length === intents.size &&
    carriers.every((ref) => isNumbered(ref) || ref.by === "name" && ref.exists === true);
}

/** What is answered about whom, of a question without a topic or a carrier; or what it lacks. */
function settle(
  q: QuestionView,
  { intents, carriers, fees }: Pick<Plan, "intents" | "carriers"> & {
    fees: Pick<Plan, "fleets" | "lacks">;
  },
): Pick<Plan, "intents" | "carriers" | "lacks"> {
  const plan = { intents, carriers };
  const done = fees.fleets.length + generalIn(intents).length > 0;
  const [first] = carriers;
  const { unknown } = q;
  const unclear = q.all("unresolved")[0] ??
    // "437 inspections pls".
    q.all("other", "vehicles").find(({ text }) =>
      /^\d{3,8} (?:inspections?|violations?|trucks?|drivers?)$/i.test(text)
    );
  const doubtful = q.numbers.find(({ doubtful }) => doubtful);
  const wrong = q.all("usdot", "docket").find(({ problem }) => problem !== undefined);
  const asked = !isOpen(intents);
  // A name that a carrier has, with words around it that ask nothing.
  const isFound = q.unknownWords.length === 0 && q.names.length === 1 &&
    q.names[0]!.exists === true && carriers.length === 1 &&
    [...q.marks].every((mark) =>
      /^(?:hard|soft|join|them|lookup|follow|named|dot|data)$/.test(mark)
    );
  const topics = topicsIn(intents);
  const onlyOverview = intents.size === 1 && intents.has("overview");
  const lacking = (part: Lack["part"]): Lack =>
    unclear === undefined
      ? { part }
      : { part: "number", problem: `I can't tell what ${unclear.text} is` };
  if (wrong !== undefined && carriers.length === 0) {
    return {
      ...plan,
      lacks: { part: wrong.role === "docket" ? "mc" : "dot", problem: wrong.problem! },
    };
  }
  if (doubtful !== undefined) {
    return { ...plan, lacks: doubt(doubtful) };
  }
  if (fees.lacks !== undefined) return { ...plan, lacks: fees.lacks };
  if (first?.by === "choice" && first.of === null) {
    const problem = "I can't tell which carrier that is: no earlier question listed several";
    return { ...plan, lacks: { part: "carrier", problem } };
  }
  if (topics.length > 0 && carriers.length === 0) {
    if (declinedIn(intents).length > 0 || done) {
      return { intents: intents.difference(new Set(topics)), carriers };
    }
    const nothing = onlyOverview && !q.has("lookup", "dot", "mc");
    return { ...plan, lacks: lacking(nothing ? "question" : "carrier") };
  }
  if (q.has("compare") && carriers.length === 1 && !asked) {
    return {
      intents: intents.union(new Set(["compare"] as const)),
      carriers,
      lacks: { part: "carrier" },
    };
  }
  // "List every Singh that is active in South Carolina", "haulers based in Spartanburg".
  const listed = q.has("many", "find", "every") && q.sought.place !== "" &&
    topics.every((topic) => /^(?:status|location|overview)$/.test(topic)) &&
    declinedIn(intents).length === 0 &&
    q.names.every((name) => !name.exists || !looksLikeName(q.reading, name));
  if (first?.by === "name" && listed && !done && !intents.has("compare")) {
    return { intents: new Set<Intent>(["search"]), carriers };
  }
  if (asked || done || intents.has("compare")) return plan;
  const ofPlace = q.has("many") && (q.hasPlace || !q.has("hard"));
  const ofAll = q.has("many") && (q.has("every") || q.says(/\ball (?:of )?(?:the|your)\b/));
  // "The certificate names Ruiz Hauling LLC": the carrier of that name.
  const isOne = q.has("named") && !q.has("find", "many", "all", "every") && q.names.length === 1 &&
    q.names[0]!.exists === true && looksLikeName(q.reading, q.names[0]!);
  if (first?.by === "name" && !isOne && (q.has("find", "named") || ofPlace || ofAll)) {
    return withIntent("search");
  }
  const opened = q.has("hard", "them", "how_to", "when", "file", "pay");
  // A number that no word beside it says the kind of, and something unknown: "flight 286764".
  const isUnsure = q.carrierNumbers.some(({ bare, mentioned }) => bare || mentioned);
  if (unknown !== undefined && isUnsure && !q.has("compare")) {
    const problem = `I don't know what ${quoted(unknown)} means`;
    return { ...plan, lacks: { part: "question", problem } };
  }
  // What is unknown is said before the overview of a carrier that is clearly given.
  const isClear = unknown !== undefined && q.names.some(({ exists }) => exists);
  if (q.names.filter(({ exists }) => exists).length > 1 && carriers.length <= 3) {
    return withIntent("compare");
  }
  if (
    first !== undefined &&
    (first.by !== "name" || !opened || isFound || isClear || q.has("follow") ||
      !q.has("pay", "file", "how_to") &&
        q.names.some((name) => name.exists || looksLikeName(q.reading, name)))
  ) return withIntent("overview");
  // "All the Smith trucking companies in California".
  const lists = q.has("many", "all", "every") && q.sought.place !== "" &&
    (q.sought.name === "" || q.has("all", "every") ||
      q.says(/\b(?:carriers|compan|firms|outfits)/));
  if (carriers.length === 0 && lists) return withIntent("search");
  return {
    intents,
    carriers: [],
    lacks: lacking(q.has("lookup") && carriers.length === 0 ? "carrier" : "question"),
  };

  function withIntent(intent: Intent): Pick<Plan, "intents" | "carriers"> {
    return { intents: intents.union(new Set([intent])), carriers };
  }
}

/** A number that may be of either kind. */
function doubt({ text, value }: NumberEntity): Lack {
  const digits = String(value || text.replace(/\D/g, ""));
  return {
    part: "number",
    problem: `${text} could be a USDOT number or an MC number, which are different carriers`,
    options: [`DOT ${digits}`, `MC ${digits}`],
  };
}

function yearOf({ text, value }: NumberEntity, today: string): number {
  if (value > 0) return value;
  return Number(today.slice(0, 4)) +
    (/^(?:next|proximo)/i.test(text) ? 1 : /^last/i.test(text) ? -1 : 0);
}
