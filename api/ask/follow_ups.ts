/**
 * Questions that go on with the one before, and names without a topic.
 *
 * @module
 */

import { type Decision, withAuthority } from "./decision.ts";
import { type Facts, hasWord } from "./facts.ts";
import type { CarrierRef, Slots, Understanding } from "./understanding.ts";

const ONE_THERE = /^(?:the |that )?(?:one |ones )?(?:in|near|from) /;
const ABOUT_A_NAME = /^(?:who|whos|about|behind|info|information|profile|report|details)$/;

/** Numbers alone: a look-up, or they go on with what was asked before. */
export function followed(
  facts: Facts,
  { slots, last }: { slots: Slots; last: Understanding | null },
): Decision {
  const lookup: Decision = { intent: "lookup", slots };
  if (last === null || !("intent" in last)) return lookup;
  const named = slots.carriers.some(({ by }) => by === "name");
  if (!named && !continues(facts, last)) return lookup;
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

/** A name without a topic: a look-up or a search, or nothing that is understood. */
export function named(
  facts: Facts,
  { slots, last }: { slots: Slots; last: Understanding | null },
): Decision {
  const { reading, names } = facts;
  const search = { ...slots, carriers: [] };
  const wanted = names[0] ?? "";
  if (last !== null && isSearch(last) && last.slots.query) {
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

/** Whether a question was a search. */
export function isSearch(last: Understanding): boolean {
  return "intent" in last && last.intent === "search";
}

/** The carrier that "the one in Dallas" means after a question that named it; null for other words. */
export function placed({ reading, names }: Facts, last: Understanding | null): CarrierRef | null {
  const [ref, ...others] = last?.slots.carriers ?? [];
  if (ref?.by !== "name" || others.length > 0 || names.length === 0) return null;
  const text = reading.tokens.map((token) => token.text).join(" ");
  return ONE_THERE.test(text) ? { by: "name", name: `${ref.name} in ${names[0]}` } : null;
}

/** "and 295017?" and answers to a question back go on with the question before. */
export function continues({ reading, numbered }: Facts, last: Understanding | null): boolean {
  if (reading.has("follow") && reading.is(0, "follow")) return true;
  if (last === null) return false;
  const open = last.outcome === "missing" || last.outcome === "ambiguous" ||
    last.outcome === "invalid";
  const byName = last.slots.carriers.some(({ by }) => by === "name");
  return (open || byName) && numbered.carriers.length > 0 && !reading.has("lookup");
}
