/**
 * Stage 3, times: the days, months and years that a question mentions.
 *
 * @module
 */

import { addMonths, formatDate, isDate, MONTHS, parseDate } from "../../../../pipeline/dates.ts";
import type { Period } from "../../../rules/orders.ts";
import type { QuestionView } from "../../entities/entities.ts";
import type { NumberEntity } from "../../entities/number_entity.ts";

/** The months by the first letters of their names, in both languages. */
export const MONTH_STARTS = [
  MONTHS.map((one) => one.slice(0, 3).toLowerCase()),
  "ene feb mar abr may jun jul ago sep oct nov dic".split(" "),
];

/** The days, months and years that a question mentions. */
export interface TimesSaid {
  readonly years: readonly number[];
  /** The past day it may be about. */
  readonly day: string | undefined;
  readonly period: Period | undefined;
  /** Whether it is about the past, but no day. */
  readonly past: boolean;
}

export function timesIn(q: QuestionView, today: string): TimesSaid {
  // "UCR fee in Jan 2027".
  const ofMonths = q.all("date").flatMap(({ text }) =>
    /^[a-z.]+,? (?:of )?(\d{4})$/i.exec(text)?.[1] ?? []
  );
  const named = q.all("year").map((year) => yearOf(year, today));
  // "What did we owe".
  const owed = /\bdid (?:we|i|he|she|they|it) (?:owe|pay)\b/i.test(q.reading.text) &&
    named.length === 0;
  const years = [
    ...new Set([...named, ...ofMonths.map(Number), ...owed ? [Number(today.slice(0, 4))] : []]),
  ];
  const day = pastDayOf(q, today);
  return {
    years,
    day,
    period: pastPeriodOf(q, today),
    // Changes since a year are answered as far as they are known.
    past: day === undefined && !q.has("changes") && isPast(q, years, today),
  };
}

function isPast(q: QuestionView, years: readonly number[], today: string): boolean {
  // "Satisfactory in 2023, is it now", "moved loads with them in 2024. Current rating?"
  const isNow = q.says(
    /\bcurrent(?:ly)?\b|\b(?:is|are) .*\bstill\b|\b(?:is|are) (?:it|they|he|she) (?:still )?now\b/,
  );
  const dates = q.all("date", "year").filter(({ text }) => !isTold(q.reading.text, text))
    .flatMap(({ text }) => /(?:19|20)\d\d/.exec(text)?.map(Number) ?? []);
  const asked = years.filter((year) =>
    q.all("date", "year").every(({ text }) => !text.includes(String(year)) || dates.includes(year))
  );
  // "Was it rated Conditional before it got the Satisfactory".
  return q.says(/\b(?:was|were)\b.*\bbefore (?:it|they|he|the|that|this)\b/) ||
    (q.has("past") || q.all("duration").length > 0 && q.says(/\bago\b/)) && isOfPast(q) ||
    !isNow && [...asked, ...dates].some((year) => year < Number(today.slice(0, 4)));
}

/** Whether words stand in a sentence that tells something, before one that asks: "Policy of 7/1/2024. Drivers?" */
function isTold(text: string, words: string): boolean {
  const sentences = text.split(/(?<=\p{L}{3}\.|\d\.|[?!]) +/u);
  const asking = sentences.filter((one) => /\?\W*$/.test(one));
  return asking.length > 0 && asking.length < sentences.length &&
    !asking.some((one) => one.includes(words));
}

/** The year that is said, also in words: "this year". */
export function yearOf({ text, value }: NumberEntity, today: string): number {
  if (value > 0) return value;
  return Number(today.slice(0, 4)) +
    (/^next/i.test(text) ? 1 : /^last/i.test(text) ? -1 : 0);
}

/** Whether it asks what was: "was 286764 active". */
function isOfPast(q: QuestionView): boolean {
  const asks =
    /^\W*how many (?:\S+ ){1,2}did\b|^\W*(?:(?:so|and|ok|hey) )?(?:was|were|wasnt|had|(?:what|how) (?:was|were|did|had))\b|\bas (?:of|it (?:stood|was))\b/i;
  return asks.test(q.reading.text) ||
    // "Status of 14929 on June 6".
    [...q.marks].some((mark) => /^(?:status|rating|fleet|overview)\b/.test(mark)) &&
      q.places.some((number, at) =>
        number?.role === "date" && /^(?:on|of|at)$/.test(q.reading.tokens[at - 1]?.text ?? "") &&
        // "Their status for my audit on June 30".
        !OF_EVENT.test(q.reading.tokens[at - 2]?.text ?? "") &&
        // "A field trip on May 9. Can you confirm the rating?"
        (/\d{4}/.test(number.text) || !isTold(q.reading.text, number.text))
      );
}

const OF_EVENT =
  /^(?:audit|meeting|renewal|appointment|pickup|delivery|load|call|interview|deadline|trip|hearing|closing)$/;

/** The past day that a question is about, "was 286764 active on Oct 3, 2026"; undefined for today. */
function pastDayOf(q: QuestionView, today: string): string | undefined {
  // "Injured on March 3, 2026. Give me the rating as of today".
  const isNow = /\bas of (?:today|now|this morning)\b|\btoday['’]?s\b/i.test(q.reading.text);
  return isOfPast(q) && !isNow && q.all("date").length > 0 ? dayMentioned(q, today) : undefined;
}

const FOLLOWS = /^\W*(?:and|what about|how about)\b/i;
const WEEKDAYS = "sun|mon|tues|wednes|thurs|fri|satur";
const RELATIVE = new RegExp(
  `\\b(?:(?<before>day before yesterday)|yesterday|last (?<unit>week|month)|` +
    `last (?<weekday>${WEEKDAYS})day|(?:last|back in|as of|in) (?:last )?(?<month>${
      MONTHS.join("|")
    })\\b(?! \\d))`,
  "i",
);

/** "Last Monday", "yesterday", "as of last January". */
function relativeDay(q: QuestionView, today: string): string | undefined {
  const said = RELATIVE.exec(q.reading.text)?.groups;
  if (said === undefined || q.has("changes")) return undefined;
  const now = parseDate(today);
  const { before, unit, weekday, month } = said;
  if (month !== undefined) {
    const first = dateOf(`${month} 1`, today);
    return first === undefined || first >= today ? undefined : first;
  }
  if (unit === "month") return formatDate(addMonths(now, -1));
  if (unit !== undefined) return formatDate(now - 7);
  if (weekday === undefined) return formatDate(now - (before === undefined ? 1 : 2));
  // The days count from Jan 1, 1970, a Thursday.
  const back = (now + 4 - WEEKDAYS.split("|").indexOf(weekday.toLowerCase())) % 7;
  return formatDate(now - (back === 0 ? 7 : back));
}

/** The only past day that a question mentions; undefined where it asks when something was. */
export function dayMentioned(q: QuestionView, today: string): string | undefined {
  const [date, ...more] = q.all("date");
  if (date === undefined) {
    return isOfPast(q) || FOLLOWS.test(q.reading.text) ? relativeDay(q, today) : undefined;
  }
  // "Active on March 3 when we loaded them".
  const asksWhen = /^\W*(?:\S+ ){0,3}(?:when|what da(?:y|te))\b/i.test(q.reading.text);
  if (more.length > 0 || asksWhen || q.has("changes")) return undefined;
  const said = dateOf(date.text, today);
  return said !== undefined && said < today ? said : undefined;
}

const MONTH_AND_YEAR = new RegExp(
  `\\b(${MONTH_STARTS.flat().join("|")})[a-z]*(?:,| of)? ((?:19|20)\\d\\d)\\b`,
  "i",
);

/** The past days that a question is about: a date, "in March 2018" or "in 2018". */
function pastPeriodOf(q: QuestionView, today: string): Period | undefined {
  const [date, ...more] = q.all("date");
  if (more.length > 0 || q.has("when", "changes")) return undefined;
  // "Has the order been rescinded? Letter dated Sep 19, 2024".
  const day = date === undefined || isTold(q.reading.text, date.text)
    ? undefined
    : dateOf(date.text, today);
  if (day !== undefined) {
    // "Orders since 2023-01-01".
    const isSince = new RegExp(`\\b(?:since|after)[ =:]+${RegExp.escape(date!.text)}`, "i")
      .test(q.reading.text);
    return day < today ? { from: day, to: isSince ? today : day } : undefined;
  }
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
