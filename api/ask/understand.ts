/**
 * What people ask, understood by tables of words alone: the same question always means the same.
 *
 * @module
 */

import { factsOf, ownCarriers } from "./facts.ts";
import type { Memory } from "./decision.ts";
import { decide } from "./intents.ts";
import { Reading } from "./reading.ts";
import { MAX_CARRIERS, MAX_QUESTION, type Understanding } from "./understanding.ts";
import { describe } from "./wording.ts";

// A pronoun seldom reaches further back, and the caller chooses how much it sends.
const MAX_EARLIER = 8;

/**
 * Understands a question.
 *
 * @param query Any text; {@link MAX_QUESTION} characters of it are read.
 * @param prev Earlier questions of the same conversation, the oldest first; the last 8 are read.
 */
export function understand(query: string, prev: readonly string[] = []): Understanding {
  let memory: Memory = { last: null, carriers: [] };
  for (const earlier of prev.slice(-MAX_EARLIER)) {
    const last = understandOne(earlier, memory);
    if (last.outcome === "unknown") continue;
    const { carriers } = last.slots;
    memory = { last, carriers: carriers.length > 0 ? carriers : memory.carriers };
  }
  return understandOne(query, memory);
}

function understandOne(query: string, memory: Memory): Understanding {
  const text = query.slice(0, MAX_QUESTION).normalize("NFKC").slice(0, MAX_QUESTION);
  const last = memory.last;
  const aboutUcr = last !== null && "intent" in last && last.intent === "ucr_fee";
  const facts = factsOf(text, new Reading(text), { aboutUcr });
  const { declined, numbered: { invalid } } = facts;
  const decision = decide(facts, memory);
  const { intent, slots, lacks } = decision;
  const common = { slots, declined, understood: describe(decision, declined) };
  if (intent === null) return { ...common, outcome: declined.length > 0 ? "declined" : "unknown" };
  if (invalid !== undefined) return { ...common, outcome: "invalid", intent, ...invalid };
  if (ownCarriers(facts).length > MAX_CARRIERS) {
    return { ...common, outcome: "too_many", intent, part: "carrier" };
  }
  if (lacks !== undefined) return { ...common, ...lacks, intent };
  return { ...common, outcome: "clear", intent };
}
