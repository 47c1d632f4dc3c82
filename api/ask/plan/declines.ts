/**
 * Topics that are not answered: why not, and where to look.
 *
 * @module
 */

import { OFFICIAL_SOURCES, type OfficialSource } from "../../rules/official_sources.ts";
// `where` has names of official sources.
import ROWS from "./declines.json" with { type: "json" };

export type DeclinedTopic = keyof typeof ROWS;

export const DECLINE_KEYS = Object.keys(ROWS) as DeclinedTopic[];

interface Decline {
  /** What people call it. */
  name: string;
  /** Why it is not answered, without final period. */
  text: string;
  /** Whether it is about a carrier, whose overview is then given as well. */
  ofCarrier?: boolean;
  /** Where to look for it. */
  where: readonly OfficialSource[];
}

export const DECLINES = Object.fromEntries(
  Object.entries(ROWS).map(([topic, row]) => [
    topic,
    { ...row, where: row.where.map((source) => OFFICIAL_SOURCES[source]!) },
  ]),
) as unknown as Readonly<Record<DeclinedTopic, Decline>>;
