/**
 * Whether a question asks for the UCR fee of a fleet.
 *
 * @module
 */

import { type Decision, lacking, type Memory } from "./decision.ts";
import type { Facts } from "./facts.ts";
import type { Slots } from "./understanding.ts";

/** The fee that is asked for; null when it is something else, or the fee of a carrier. */
export function feeDecision(facts: Facts, memory: Memory): Decision | null {
  const { reading, topics, fleet: { vehicles, unsure, years }, declined } = facts;
  const last = memory.last;
  const lastFee = last !== null && "intent" in last && last.intent === "ucr_fee"
    ? last.slots
    : null;
  const others = topics.some((topic) => topic !== "ucr") || declined.length > 0 || facts.due;
  const goesOn = lastFee !== null && !others && facts.numbered.carriers.length === 0 &&
    facts.names.length === 0 && (vehicles !== undefined || unsure || years.length > 0);
  if (!goesOn) {
    // The only fee told here that goes by vehicles, so it need not be named.
    const priced = reading.has("fee") && (vehicles !== undefined || unsure) && !others;
    if (!priced && !topics.includes("ucr") || topics.length > 1) return null;
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
  if (slots.vehicles === undefined) return lacking("vehicles", { intent: "ucr_fee", slots });
  return { intent: "ucr_fee", slots };

  function isBroker({ numbered }: Facts): boolean {
    return reading.has("broker") && vehicles === undefined && numbered.carriers.length === 0;
  }
}

function counted(vehicles: number | undefined): { vehicles?: number } {
  return vehicles === undefined ? {} : { vehicles };
}
