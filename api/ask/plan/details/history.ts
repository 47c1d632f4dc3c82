/**
 * Questions about changes and about a past day: the days and members that they mention, and the changes in
 * words.
 *
 * @module
 */

import { listed } from "../../../../pipeline/text.ts";
import type { CarrierHistory } from "../../../operations/history.ts";
import {
  addMonths,
  formatDate,
  formatForPeople as day,
  parseDate,
} from "../../../../pipeline/dates.ts";
import { labelInSentence } from "../../../rules/change_words.ts";
import { periodLine, removedLine } from "../../../rules/changes.ts";
import type { QuestionView } from "../../entities/entities.ts";
import { countOf } from "../../tokens/number_patterns.ts";
import { dateOf, MONTH_STARTS } from "./times.ts";
import { type Topic, TOPICS } from "../asked/topics.ts";

/** The changes that are asked for: from a day on, of certain members. */
export interface AskedChanges {
  /** `YYYY-MM-DD`; undefined for all that are known. */
  readonly since: string | undefined;
  /** What the members are called; empty for all of them. */
  readonly of: readonly string[];
  readonly members: ReadonlySet<string>;
}

const NAMES: readonly string[] = ["legal_name", "dba_name"];

/** The members of a record that a topic is about. */
const TOPIC_MEMBERS: Readonly<Partial<Record<Topic, readonly string[]>>> = {
  status: ["status", "dot"],
  mcs150: ["mcs150_date"],
  authority: ["dockets"],
  dockets: ["dockets"],
  rating: ["rating", "rating_date"],
  fleet: ["power_units", "drivers", "driver_counts", "vehicles"],
  location: ["street", "city", "state", "zip", "country", "mailing"],
  operation: ["operation", "roles", "classes", "hazmat"],
  contact: ["street", "city", "state", "zip", "country", "mailing", "phone"],
  cargo: ["cargo", "cargo_other"],
  mileage: ["mileage", "mileage_year"],
  review: ["review_type", "review_date"],
  revocation: ["prior_revoked", "prior_revoked_dot"],
};

const SINCE_MONTH = new RegExp(
  `\\bsince (?:early |late |last )?((?:${
    MONTH_STARTS.flat().join("|")
  })[a-z]*)(?:,?(?: del?)? (\\d{4}))?`,
  "i",
);
const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, dia: 1, week: 7, sem: 7 };

/** What is asked of the changes, by the topics that are asked for beside them. */
export function changesAsked(
  q: QuestionView,
  { topics, today }: { topics: readonly Topic[]; today: string },
): AskedChanges {
  const isOfStatus = q.says(/\b(?:in)?activ[eoa]\b/);
  const about = [...new Set<Topic>([...isOfStatus ? ["status" as const] : [], ...topics])]
    .filter((topic) => TOPIC_MEMBERS[topic] !== undefined);
  const isOfName = q.says(/\b(?:names?|renamed?|nombre)\b/);
  return {
    since: sinceOf(q, today),
    of: [
      ...isOfName ? ["Name"] : [],
      ...about.map((topic) => TOPICS[topic].name),
    ],
    members: new Set([
      ...isOfName ? NAMES : [],
      ...about.flatMap((topic) => TOPIC_MEMBERS[topic]!),
    ]),
  };
}

function sinceOf(q: QuestionView, today: string): string | undefined {
  const [, month, year] = SINCE_MONTH.exec(q.reading.text) ?? [];
  const [date] = q.all("date");
  const given = date === undefined ? undefined : dateOf(date.text, today);
  if (given !== undefined) return given;
  if (month !== undefined) return dateOf(`${month} 1 ${year ?? ""}`, today);
  const [asked] = q.all("year");
  if (asked !== undefined && asked.value > 0) return `${asked.value}-01-01`;
  const duration = (q.all("duration")[0]?.text ?? "").normalize("NFD").replaceAll(/\p{M}/gu, "");
  const [, count, unit] = /(\w+)[ -](day|week|month|year)/.exec(duration.toLowerCase()) ?? [];
  if (count === undefined) return undefined;
  const number = countOf(count) || 1;
  const now = parseDate(today);
  const days = UNIT_DAYS[unit!];
  return formatDate(
    days === undefined ? addMonths(now, -number * (unit === "year" ? 12 : 1)) : now - number * days,
  );
}

/** Most changes named in one answer. */
const MOST_SAID = 12;

/** The changes that were asked for, in words. */
export function changesText(history: CarrierHistory, { since, of, members }: AskedChanges): string {
  const from = since !== undefined && since > history.since ? since : history.since;
  const found = history.changes.filter(({ member, between: [, until] }) =>
    until! >= from && (members.size === 0 || members.has(member))
  );
  const whose = of.length === 0 ? "" : ` of ${listed(of.map(labelInSentence))}`;
  const lines = [
    ...history.removed === undefined ? [] : [removedLine(history.removed)],
    ...found.slice(0, MOST_SAID).map(periodLine),
  ];
  const more = found.length > MOST_SAID ? ` And ${found.length - MOST_SAID} more.` : "";
  const known = from === since
    ? ""
    : ` What changed before ${day(history.since)} isn't known here.`;
  const said = lines.length === 0
    ? `No change${whose} is listed since ${day(from)}.`
    : `Changes${whose} since ${day(from)}: ${lines.join(". ")}.`;
  return `${said}${more}${known}`;
}
