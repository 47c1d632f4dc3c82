/**
 * Stage 3, intents: what a question can ask. Most phrases mean an intent; intent_rules.ts has what no single
 * phrase says.
 *
 * @module
 */

import { OFFICIAL_SOURCES, type OfficialSource } from "../../../rules/official_sources.ts";
// `where` has names of official sources.
import OTHERS from "./declines.json" with { type: "json" };
import { SUBJECTS } from "../../tokens/vocabulary.ts";
import { isTopic, type Topic, TOPIC_KEYS } from "./topics.ts";

const ROWS = { ...SUBJECTS, ...OTHERS };

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
    { ...row, where: row.where.map((source) => OFFICIAL_SOURCES[source] ?? partOf(source)) },
  ]),
) as unknown as Readonly<Record<DeclinedTopic, Decline>>;

/** A part of the regulations by its name: "49 CFR Part 395". */
function partOf(name: string): OfficialSource {
  const [title, , , part] = name.split(" ");
  return { name, url: `https://www.ecfr.gov/current/title-${title}/part-${part}` };
}

/** Whether it is of rules beside the service's subject. */
export function isOfOtherRules(intent: string): boolean {
  return intent.replace("no:", "") in SUBJECTS;
}

/** Intents that are not about a single carrier. */
const GENERAL = [
  "data_date",
  "count",
  "missed",
  "mcs150_digits",
  "ucr_brackets",
  "ucr_dates",
  "ucr_intrastate",
  "terms",
] as const;
export type General = typeof GENERAL[number];

/** One thing that is asked. For `search`, several results are an answer. */
export type Intent = Topic | General | `no:${DeclinedTopic}` | "compare" | "search";

export type Intents = ReadonlySet<Intent>;

/** What is asked, and guesses to answer yes or no: `status=active`. */
export interface Asked {
  readonly intents: Intents;
  readonly guesses: ReadonlySet<string>;
}

/** What a phrase's mark asks: `status` of `status=active` and of `status?`. */
export function intentOf(mark: string): Intent {
  return mark.replace(/[=?].*/, "") as Intent;
}

/** Whether a text names a topic or, as "no:…", one that is declined. */
export function isTopicOrDeclined(name: string): name is Topic | `no:${DeclinedTopic}` {
  return isTopic(name) || name.startsWith("no:");
}

export function topicsIn(intents: Intents): Topic[] {
  return TOPIC_KEYS.filter((topic) => intents.has(topic));
}

export function generalIn(intents: Intents): General[] {
  return GENERAL.filter((one) => intents.has(one));
}

export function isGeneral(intent: Intent): boolean {
  return (GENERAL as readonly Intent[]).includes(intent);
}

export function declinedIn(intents: Intents): DeclinedTopic[] {
  return DECLINED.filter(([, intent]) => intents.has(intent)).map(([topic]) => topic);
}

const DECLINED = DECLINE_KEYS.map((topic) => [topic, `no:${topic}`] as const);

/** Whether no topic is asked for and nothing that is declined. */
export function isOpen(intents: Intents): boolean {
  return topicsIn(intents).length + declinedIn(intents).length === 0;
}

/** Whether a topic is asked for by its own words. */
export function isSpecific(intents: Intents): boolean {
  return topicsIn(intents).some((topic) => topic !== "overview");
}

/** Whether it asks about fees in general, not for one. */
export function isFeeless(intents: Intents): boolean {
  return ["no:filters", "no:explanations", "no:filing"].some((one) => intents.has(one as Intent));
}

/** Intents about carriers, or else their overview. */
export function orOverview(intents: Intents): Intents {
  return topicsIn(intents).length > 0 ? intents : intents.union(new Set<Intent>(["overview"]));
}
