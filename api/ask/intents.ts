/**
 * From the facts of a question, and what was asked before, to what is to be done.
 *
 * @module
 */

import { type Facts, hasWord, ownCarriers } from "./facts.ts";
import type { CarrierRef, Intent, Part, Slots, Topic, Understanding } from "./understanding.ts";

/** What is remembered of earlier questions. */
export interface Memory {
  /** The last question that was understood. */
  last: Understanding | null;
  /** The carriers spoken of last. */
  carriers: readonly CarrierRef[];
}

/** What is to be done, with the part that is missing for it. */
export interface Decision {
  intent: Intent | null;
  slots: Slots;
  lacks?: { outcome: "missing" | "ambiguous"; part: Part };
}

const COMPARING = /^(?:compare|comparison|compared|vs|versus|difference|differences)$/;
const AVERAGE = /^averages?$/;
const ABOUT_A_NAME = /^(?:who|whos|about|behind|info|information|profile|report|details)$/;

/** Decides what a question asks. */
export function decide(facts: Facts, memory: Memory): Decision {
  const { reading, topics, expects, fleet: { vehicles, unsure, years }, numbered, due } = facts;
  const own = ownCarriers(facts);
  const last = memory.last;
  const asked = topics.length > 0 || due || facts.declined.length > 0;
  const slots: Slots = { carriers: own, topics: [...topics], expects, years };
  const withThem = { ...slots, carriers: own.length > 0 ? own : [...memory.carriers] };

  const { whole } = facts;
  if (whole !== null) {
    return {
      intent: "search",
      slots: { ...slots, carriers: [], topics: [], expects: [], query: whole },
    };
  }

  const fee = feeDecision(facts, memory);
  if (fee !== null) return fee;

  if (reading.has("compare")) {
    const pair = own.length === 1 && hasWord(reading, COMPARING)
      ? [...memory.carriers, ...own]
      : withThem.carriers;
    if (pair.length >= 2 && pair.length <= 3) {
      return { intent: "compare", slots: { ...slots, carriers: pair } };
    }
    if (pair.length < 2 && hasWord(reading, COMPARING) && !hasWord(reading, AVERAGE)) {
      return lacking("compare", slots, "carrier");
    }
  }
  if (facts.declined.includes("filters") && facts.names.length > 0) {
    return { intent: "search", slots: { ...slots, carriers: [], query: facts.names[0]! } };
  }
  if (facts.declined.length > 0 && topics.length === 0 && !due) {
    return { intent: null, slots: withThem };
  }
  if (due) return needing("due_date", { ...withThem, topics: [] });

  const conversion = topics.length === 0 ? conversionOf(facts, withThem) : null;
  if (conversion !== null) return conversion;
  if (topics.length > 0) return needing("check", { ...withThem, topics: withAuthority(withThem) });

  if (numbered.carriers.length > 0 || numbered.invalid !== undefined) {
    return followed(facts, { slots, last });
  }
  if (facts.names.length > 0) return named(facts, { slots, last });
  if (continues(facts, last) && memory.carriers.length > 0 && years.length > 0 && !asked) {
    return {
      intent: last!.slots.topics.length > 0 ? "check" : null,
      slots: { ...withThem, topics: last!.slots.topics },
    };
  }
  if (vehicles !== undefined && reading.has("fee") || unsure && reading.has("fee")) {
    return { intent: "ucr_fee", slots: { ...slots, carriers: [], ...counted(vehicles) } };
  }
  if (reading.has("find")) return lacking("search", slots, "query");
  if (reading.has("lookup", "dot", "mc", "firms")) {
    if (reading.has("them") && memory.carriers.length > 0) {
      return { intent: "lookup", slots: withThem };
    }
    return lacking("lookup", slots, "carrier");
  }
  return { intent: null, slots };
}

function feeDecision(facts: Facts, memory: Memory): Decision | null {
  const { reading, topics, fleet: { vehicles, unsure, years }, declined } = facts;
  const last = memory.last;
  const lastFee = last !== null && "intent" in last && last.intent === "ucr_fee"
    ? last.slots
    : null;
  const others = topics.some((topic) => topic !== "ucr") || declined.length > 0 || facts.due;
  const goesOn = lastFee !== null && !others && facts.numbered.carriers.length === 0 &&
    facts.names.length === 0 && (vehicles !== undefined || unsure || years.length > 0);
  if (!goesOn) {
    if (!topics.includes("ucr") || topics.length > 1) return null;
    const refs = facts.numbered.carriers.length > 0 || facts.numbered.invalid !== undefined ||
      facts.names.length > 0 || memory.carriers.length > 0;
    if (vehicles === undefined && !unsure && refs && !isBroker(facts)) return null;
  }
  const slots: Slots = {
    carriers: [],
    topics: [],
    expects: [],
    years: years.length > 0 || !goesOn ? years : lastFee!.years,
    ...counted(
      vehicles ?? (isBroker(facts) ? 0 : goesOn && !unsure ? lastFee!.vehicles : undefined),
    ),
  };
  if (unsure) {
    return { intent: "ucr_fee", slots, lacks: { outcome: "ambiguous", part: "vehicles" } };
  }
  if (slots.vehicles === undefined) return lacking("ucr_fee", slots, "vehicles");
  return { intent: "ucr_fee", slots };

  function isBroker({ numbered }: Facts): boolean {
    return reading.has("broker") && vehicles === undefined && numbered.carriers.length === 0;
  }
}

function counted(vehicles: number | undefined): { vehicles?: number } {
  return vehicles === undefined ? {} : { vehicles };
}

/** One kind of number for the other. */
function conversionOf(
  { numbered: { bare }, names, reading }: Facts,
  slots: Slots,
): Decision | null {
  const { carriers } = slots;
  const all = (by: CarrierRef["by"]): boolean =>
    carriers.length > 0 && carriers.every((ref) => ref.by === by);
  if (bare.has("dot") && all("mc")) return { intent: "mc_to_dot", slots };
  if (bare.has("mc") && (all("dot") || all("name"))) return { intent: "dot_to_mc", slots };
  if (bare.has("dot") && all("name")) {
    return { intent: "search", slots: { ...slots, carriers: [], query: names[0] ?? "" } };
  }
  if (carriers.length > 0) return null;
  if (bare.has("dot") && bare.has("mc")) return lacking("mc_to_dot", slots, "carrier");
  return bare.has("mc") && !reading.has("lookup", "find")
    ? lacking("dot_to_mc", slots, "carrier")
    : null;
}

/** Numbers alone: a look-up, or they go on with what was asked before. */
function followed(
  facts: Facts,
  { slots, last }: { slots: Slots; last: Understanding | null },
): Decision {
  const lookup: Decision = { intent: "lookup", slots };
  if (last === null || !continues(facts, last) || !("intent" in last)) return lookup;
  const { topics, expects, years } = last.slots;
  const same: Slots = {
    ...slots,
    topics,
    expects,
    years: slots.years.length > 0 ? slots.years : years,
  };
  switch (last.intent) {
    case "check":
      return { intent: "check", slots: { ...same, topics: withAuthority(same) } };
    case "compare":
      return topics.length > 0 ? { intent: "check", slots: same } : lookup;
    case "due_date":
      return { intent: "due_date", slots: same };
    case "ucr_fee":
      return { intent: "check", slots: { ...same, topics: ["ucr"] } };
    case "mc_to_dot":
    case "dot_to_mc": {
      const from = last.intent === "mc_to_dot" ? "mc" : "dot";
      return slots.carriers.every(({ by }) => by === from)
        ? { intent: last.intent, slots }
        : lookup;
    }
    default:
      return lookup;
  }
}

function named(
  facts: Facts,
  { slots, last }: { slots: Slots; last: Understanding | null },
): Decision {
  const { reading, names } = facts;
  const search = { ...slots, carriers: [] };
  const wanted = names[0] ?? "";
  if (last !== null && "intent" in last && last.intent === "search" && last.slots.query) {
    const place = /^(?:in|near|at|from)$/.test(reading.word(0)) || continues(facts, null);
    if (place) {
      return { intent: "search", slots: { ...search, query: `${last.slots.query} in ${wanted}` } };
    }
  }
  if (reading.has("find", "named", "firms")) {
    return { intent: "search", slots: { ...search, query: wanted } };
  }
  if (reading.has("lookup")) {
    return hasWord(reading, ABOUT_A_NAME)
      ? { intent: "lookup", slots }
      : { intent: "search", slots: { ...search, query: wanted } };
  }
  return { intent: null, slots };
}

/** "and 295017?" and answers to a question back go on with the question before. */
function continues({ reading, numbered }: Facts, last: Understanding | null): boolean {
  if (reading.has("follow") && reading.is(0, "follow")) return true;
  if (last === null) return false;
  const open = last.outcome === "missing" || last.outcome === "ambiguous" ||
    last.outcome === "invalid";
  const byName = last.slots.carriers.some(({ by }) => by === "name");
  return (open || byName) && numbered.carriers.length > 0 && !reading.has("lookup");
}

/** Whether an MC number is active may mean its docket or the carrier: both are told. */
function withAuthority({ carriers, topics, expects }: Slots): Topic[] {
  const asked = expects.some((expect) => expect.startsWith("status"));
  if (!asked || topics.includes("authority") || !carriers.some(({ by }) => by === "mc")) {
    return topics;
  }
  return [...topics, "authority"];
}

function needing(intent: Intent, slots: Slots): Decision {
  return slots.carriers.length > 0 ? { intent, slots } : lacking(intent, slots, "carrier");
}

function lacking(intent: Intent, slots: Slots, part: Part): Decision {
  return { intent, slots, lacks: { outcome: "missing", part } };
}
