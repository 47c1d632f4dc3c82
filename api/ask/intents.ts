/**
 * From the facts of a question, and what was asked before, to what is to be done.
 *
 * @module
 */

import { type Decision, lacking, type Memory, needing, withAuthority } from "./decision.ts";
import { type Facts, hasWord, ownCarriers } from "./facts.ts";
import { feeDecision } from "./fee_intent.ts";
import { continues, followed, isSearch, named, placed } from "./follow_ups.ts";
import type { CarrierRef, Slots } from "./understanding.ts";

const COMPARING = /^(?:compare|comparison|compared|vs|versus|difference|differences)$/;
const AVERAGE = /^averages?$/;

/** Decides what a question asks. */
export function decide(facts: Facts, memory: Memory): Decision {
  const { reading, topics, expects, fleet: { years }, numbered, due } = facts;
  const own = ownCarriers(facts);
  const last = memory.last;
  const asked = topics.length > 0 || due || facts.declined.length > 0;
  const slots: Slots = { carriers: own, topics: [...topics], expects, years };
  const withThem = { ...slots, carriers: own.length > 0 ? own : [...memory.carriers] };

  const there = placed(facts, last);
  if (there !== null) return followed(facts, { slots: { ...slots, carriers: [there] }, last });
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
      return lacking("carrier", { intent: "compare", slots });
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
  if (facts.names.length > 0 && continues(facts, null) && last !== null && !isSearch(last)) {
    return followed(facts, { slots, last });
  }
  if (facts.names.length > 0) return named(facts, { slots, last });
  if (continues(facts, last) && memory.carriers.length > 0 && years.length > 0 && !asked) {
    return {
      intent: last!.slots.topics.length > 0 ? "check" : null,
      slots: { ...withThem, topics: last!.slots.topics },
    };
  }
  if (reading.has("find")) return lacking("query", { intent: "search", slots });
  if (reading.has("lookup", "dot", "mc", "firms")) {
    if (reading.has("them") && memory.carriers.length > 0) {
      return { intent: "lookup", slots: withThem };
    }
    return lacking("carrier", { intent: "lookup", slots });
  }
  return { intent: null, slots };
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
  if (bare.has("dot") && bare.has("mc")) return lacking("carrier", { intent: "mc_to_dot", slots });
  return bare.has("mc") && !reading.has("lookup", "find")
    ? lacking("carrier", { intent: "dot_to_mc", slots })
    : null;
}
