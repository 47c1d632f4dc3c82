/**
 * What is to be done, and what is remembered of it.
 *
 * @module
 */

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

/** A decision that lacks a part. */
export function lacking(part: Part, decision: { intent: Intent; slots: Slots }): Decision {
  return { ...decision, lacks: { outcome: "missing", part } };
}

/** A decision that needs a carrier. */
export function needing(intent: Intent, slots: Slots): Decision {
  return slots.carriers.length > 0 ? { intent, slots } : lacking("carrier", { intent, slots });
}

/** Whether an MC number is active may mean its docket or the carrier: both are told. */
export function withAuthority({ carriers, topics, expects }: Slots): Topic[] {
  const asked = expects.some((expect) => expect.startsWith("status"));
  if (!asked || topics.includes("authority") || !carriers.some(({ by }) => by === "mc")) {
    return topics;
  }
  return [...topics, "authority"];
}
