/**
 * Questions about changes and about a past day: the days and members that they mention, and the changes in
 * words.
 *
 * @module
 */

import { listed } from "../../../pipeline/text.ts";
import type { CarrierHistory } from "../../operations/history.ts";
import {
  addMonths,
  formatDate,
  formatForPeople as day,
  isDate,
  MONTHS,
  parseDate,
} from "../../../pipeline/dates.ts";
import type { Period } from "../../rules/orders.ts";
import { labelInSentence } from "../../rules/change_words.ts";
import { periodLine, removedLine } from "../../rules/changes.ts";
import type { QuestionView } from "../entities/entities.ts";
import { countOf } from "../tokens/number_patterns.ts";
import { type Topic, TOPICS } from "./topics.ts";

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

/** The months by the first letters of their names, in both languages. */
const MONTH_STARTS = [
  MONTHS.map((one) => one.slice(0, 3).toLowerCase()),
  "ene feb mar abr may jun jul ago sep oct nov dic".split(" "),
];
const SINCE_MONTH = new RegExp(
  `\\b(?:since|desde) (?:early |late |last )?((?:${
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

/** Whether it asks what was: "was 286764 active". */
export function isOfPast(q: QuestionView): boolean {
  const asks =
    /^\W*how many (?:\S+ ){1,2}did\b|^\W*(?:(?:so|and|ok|hey) )?(?:was|were|wasnt|had|(?:what|how) (?:was|were|did|had))\b|\bas (?:of|it (?:stood|was))\b/i;
  return asks.test(q.reading.text) || q.says(/\b(?:estaba|estuvo|era|tenia)\b/) ||
    // "Status of 14929 on June 6".
    [...q.marks].some((mark) => /^(?:status|rating|fleet|overview)\b/.test(mark)) &&
      q.places.some((number, at) =>
        number?.role === "date" && /^(?:on|of|at)$/.test(q.reading.tokens[at - 1]?.text ?? "")
      );
}

/** The past day that a question is about, "was 286764 active on Oct 3, 2026"; undefined for today. */
export function pastDayOf(q: QuestionView, today: string): string | undefined {
  return isOfPast(q) ? dayMentioned(q, today) : undefined;
}

/** The only past day that a question mentions; undefined where it asks when something was. */
export function dayMentioned(q: QuestionView, today: string): string | undefined {
  const [date, ...more] = q.all("date");
  // "Active on March 3 when we loaded them".
  const asksWhen = /^\W*(?:\S+ ){0,3}(?:when|what da(?:y|te))\b/i.test(q.reading.text);
  if (date === undefined || more.length > 0 || asksWhen || q.has("changes")) return undefined;
  const said = dateOf(date.text, today);
  return said !== undefined && said < today ? said : undefined;
}

const MONTH_AND_YEAR = new RegExp(
  `\\b(${MONTH_STARTS.flat().join("|")})[a-z]*(?:,| of| de| del)? ((?:19|20)\\d\\d)\\b`,
  "i",
);

/** The past days that a question is about: a date, "in March 2018" or "in 2018". */
export function pastPeriodOf(q: QuestionView, today: string): Period | undefined {
  const [date, ...more] = q.all("date");
  if (more.length > 0 || q.has("when", "changes")) return undefined;
  const day = date === undefined ? undefined : dateOf(date.text, today);
  if (day !== undefined) return day < today ? { from: day, to: day } : undefined;
  const [, month, year] = MONTH_AND_YEAR.exec(q.reading.text) ?? [];
  const first = month === undefined ? undefined : dateOf(`${month} 1 ${year}`, today);
  if (first !== undefined && first < today) return monthFrom(first);
  const [asked] = q.all("year");
  return asked !== undefined && asked.value > 0 && `${asked.value}` < today.slice(0, 4)
    ? yearPeriod(asked.value)
    : undefined;
}

/** The month that begins on a day. */
export function monthFrom(first: string): Period {
  return { from: first, to: formatDate(addMonths(parseDate(first), 1) - 1) };
}

export function yearPeriod(year: number): Period {
  return { from: `${year}-01-01`, to: `${year}-12-31` };
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
  const [, count, unit] =
    /(\w+)[ -](day|week|month|year|dia|sem|mes|ano)/.exec(duration.toLowerCase()) ?? [];
  if (count === undefined) return undefined;
  const number = countOf(count) || 1;
  const now = parseDate(today);
  const days = UNIT_DAYS[unit!];
  return formatDate(
    days === undefined
      ? addMonths(now, -number * (/^(?:year|ano)/.test(unit!) ? 12 : 1))
      : now - number * days,
  );
}

/** A date as people write it in the US; without a year, the most recent one. */
export function dateOf(text: string, today: string): string | undefined {
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  const words = text.toLowerCase().replaceAll(/[^a-z]+/g, " ");
  const named = 1 + Math.max(
    ...MONTH_STARTS.map((starts) => starts.findIndex((start) => ` ${words}`.includes(` ${start}`))),
  );
  const [month, date, year] = numbers[0]! > 31
    ? [numbers[1], numbers[2], numbers[0]]
    : named > 0
    ? [named, ...numbers]
    : numbers;
  if (month === undefined || date === undefined) return undefined;
  const now = Number(today.slice(0, 4));
  const years = year === undefined ? [now, now - 1] : [year < 100 ? 2000 + year : year];
  const twoDigits = (part: number): string => String(part).padStart(2, "0");
  return years.map((one) => `${one}-${twoDigits(month)}-${twoDigits(date)}`)
    .find((day) => isDate(day) && (year !== undefined || day <= today));
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
