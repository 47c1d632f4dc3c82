/**
 * Stage 3, inspections: which of a carrier's inspections a question asks for (those of some days, a state, a
 * level or after a crash, or the counts of each month), and what is on file about them, in words.
 *
 * @module
 */

import {
  addMonths,
  formatDate,
  formatForPeople as day,
  MONTHS,
  parseDate,
} from "../../../../pipeline/dates.ts";
import { STATE_LETTERS, stateCode } from "../../../../pipeline/search/query/query.ts";
import { inert, listed, plural } from "../../../../pipeline/text.ts";
import { outOfServiceIn } from "../../../rules/inspections.ts";
import type { Period } from "../../../rules/orders.ts";
import type { Carrier } from "../../../rules/schemas.ts";
import type { QuestionView } from "../../entities/entities.ts";
import { countOf } from "../../tokens/number_patterns.ts";
import { dateOf, monthFrom, yearOf, yearPeriod } from "./times.ts";

const KINDS = ["month", "state", "level"] as const;
type Kind = typeof KINDS[number];

/** "By state", "each month", "monthly". */
const ASKS_BY = KINDS.map((kind): [Kind, RegExp] => [
  kind,
  new RegExp(
    `\\b(?:by|per|each|every|which|what) ${kind}s?\\b|\\b${kind}(?: by ${kind}|ly)\\b`,
    "i",
  ),
]);

/** The inspections that are asked for, apart from all of them. */
export interface AskedInspections {
  readonly period?: Period | undefined;
  /** What the counts are asked by. */
  readonly by: readonly Kind[];
  /** Codes of states that inspected. */
  readonly states: readonly string[];
  readonly levels: readonly number[];
  readonly postCrash: boolean;
}

type Seen = NonNullable<Carrier["inspections_24m"]>;
type Inspection = NonNullable<Seen["latest"]>[number];

const LEVELS: readonly string[] = ["i", "ii", "iii", "iv", "v", "vi"];
const MONTH_NAMES = [...MONTHS, ...MONTHS.map((name) => name.slice(0, 3)), "Sept"].join("|");
// "May" and short names are other words, too: "may I", "dec", "mar".
const IN_MONTH = new RegExp(
  `\\b(?:(?:in|this|last|during|of|for|since) (?<month>${MONTH_NAMES})\\b|(?<sure>${MONTH_NAMES})(?=,?(?: of)? (?:19|20)\\d\\d)|(?<whole>${
    MONTHS.filter((name) => name !== "May").join("|")
  })\\b)(?:,?(?: of)? (?<year>(?:19|20)\\d\\d))?`,
  "gi",
);

/** What a question asks about inspections; undefined when it asks for all of them. */
export function inspectionsAsked(q: QuestionView, today: string): AskedInspections | undefined {
  const { text } = q.reading;
  const asked: AskedInspections = {
    period: periodIn(q, today),
    by: ASKS_BY.flatMap(([kind, asks]) => asks.test(text) ? [kind] : []),
    states: statesIn(text),
    levels: [...text.matchAll(/\blevels? ([1-6]|i{1,3}|iv|vi?)\b/gi)].map(([, level]) =>
      Number(level) || LEVELS.indexOf(level!.toLowerCase()) + 1
    ),
    postCrash:
      /\bpost[- ]?(?:accident|crash)|\b(?:after|following) (?:an?|the|any) (?:crash|accident|wreck)/i
        .test(text),
  };
  const { period, by, states, levels, postCrash } = asked;
  return period !== undefined || postCrash || by.length + states.length + levels.length > 0
    ? asked
    : undefined;
}

/** The days in "on Nov 2", "in October 2026", "this month", "in 2026" or "the last 30 days". */
function periodIn(q: QuestionView, today: string): Period | undefined {
  const { text } = q.reading;
  const [date, ...more] = q.all("date");
  const asked = date === undefined || more.length > 0 ? undefined : dateOf(date.text, today);
  if (asked !== undefined) return { from: asked, to: asked };
  const months = [...text.matchAll(IN_MONTH)].map(({ groups = {} }) => ({
    name: groups.month ?? groups.sure ?? groups.whole!,
    year: groups.year,
  }));
  // "Between January and August 2026".
  const given = months.findLast(({ year }) => year !== undefined)?.year ?? "";
  const [first, last] = [months[0], months.at(-1)].map((one) =>
    one && dateOf(`${one.name} 1 ${one.year ?? given}`, today)
  );
  if (months.length > 0) {
    return months.length > 2 || first === undefined || last === undefined || last < first
      ? undefined
      : { from: first, to: monthFrom(last).to };
  }
  const [, which, unit] = /\b(this|last|past|previous) (month|year)\b/i.exec(text) ?? [];
  const ago = which?.toLowerCase() === "this" ? 0 : 1;
  if (unit?.toLowerCase() === "month") {
    return monthFrom(formatDate(addMonths(parseDate(`${today.slice(0, 7)}-01`), -ago)));
  }
  // "In the last year" are 12 months, "last year" the one before this.
  if (/\b(?:the (?:last|past)|past) year\b/i.test(text)) {
    return { from: formatDate(addMonths(parseDate(today), -12)), to: today };
  }
  const [single] = q.all("year");
  const ofYear = single !== undefined
    ? yearOf(single, today)
    : /year/i.test(unit ?? "")
    ? Number(today.slice(0, 4)) - ago
    : undefined;
  if (ofYear !== undefined) return yearPeriod(ofYear);
  const [, count = "one", span] = /\b(?:last|past) (?:(\w+) )?(day|week|month)s?\b/i.exec(text) ??
    [];
  const number = countOf(count.toLowerCase());
  if (span === undefined || number === 0 || span === "month" && number >= 24) return undefined;
  const now = parseDate(today);
  return {
    from: formatDate(
      span === "month" ? addMonths(now, -number) : now - number * (span === "week" ? 7 : 1),
    ),
    to: today,
  };
}

/** The states in "inspected in Arizona", "inspections in NM", "in WI, IL and IN". */
function statesIn(text: string): string[] {
  return [...text.matchAll(/\bin (?:the state of )?/gi)].flatMap(
    ({ 0: { length }, index }) => {
      const states: string[] = [];
      for (let rest = text.slice(index + length); rest !== "";) {
        const [one = "", two = ""] = /^\p{L}+(?: \p{L}+)?/u.exec(rest)?.[0].split(" ") ?? [];
        const both = stateCode(`${one} ${two}`.toLowerCase());
        const code = both ?? stateNamed(one);
        if (code === undefined) break;
        states.push(code.toUpperCase());
        const behind = rest.slice((both === undefined ? one : `${one} ${two}`).length);
        rest = /^(?:, ?(?:and |or )?| (?:and|or) )(.*)$/is.exec(behind)?.[1] ?? "";
      }
      return states;
    },
  );
}

/** The code of a state by its name, or by its letters in capitals. */
export function stateNamed(word: string): string | undefined {
  return stateCode(word.toLowerCase()) ??
    (/^[A-Z]{2}$/.test(word) && STATE_LETTERS.has(word.toLowerCase()) ? word : undefined);
}

/** Inspections that are described one by one. */
const MOST_DESCRIBED = 3;
const MOST_STATES = 10;

/** The inspections that were asked for, in words; empty without inspections. */
export function inspectedText(
  { city, inspections_24m: seen }: Carrier,
  asked: AskedInspections,
): string {
  if (seen === null) return "";
  // "Steven Johnson in LA": his city.
  const states = asked.states.filter((code) => code !== "LA" || city !== "LOS ANGELES");
  const { by_state = [], by_level = [], by_month = [], latest = [], total } = seen;
  const lines = asked.period === undefined ? [] : [periodLine(seen, asked.period)];
  const ofAll = (what: string, one?: Counts): string =>
    `${what}: ${one === undefined ? "none" : counts(one)} of the ${total}.`;
  lines.push(
    ...states.map((code) => ofAll(`In ${code}`, by_state.find(({ state }) => state === code))),
    ...asked.levels.map((n) => ofAll(`Level ${n}`, by_level.find(({ level }) => level === n))),
    asked.period === undefined || states.length + asked.levels.length === 0
      ? ""
      : "Counts of days aren't kept apart by state or level.",
  );
  if (asked.postCrash) {
    const found = latest.filter(({ post_crash }) => post_crash);
    lines.push(
      `Recorded as made after a crash: ${found.length} of the ${
        latest.length === total ? total : `newest ${latest.length}`
      }${described(found)}. That doesn't say who caused it.`,
    );
  }
  const listOf = (items: readonly (Counts & { name: string })[]): string =>
    items.map((one) => `${one.name} ${one.inspections} (${one.out_of_service})`).join(", ");
  const seenIn = by_state.map((one) => ({ ...one, name: inert(one.state ?? "not reported") }));
  const lists = {
    month: listOf(
      by_month.filter(({ inspections }) => inspections > 0).toReversed()
        .map((one) => ({ ...one, name: monthName(one.from) })),
    ),
    state: listOf(seenIn.slice(0, MOST_STATES)) +
      (seenIn.length > MOST_STATES ? ` and ${seenIn.length - MOST_STATES} more` : ""),
    level: listOf(
      by_level.map((one) => ({ ...one, name: `level ${one.level ?? "not reported"}` })),
    ),
  };
  lines.push(
    ...asked.by.filter((kind) => lists[kind] !== "").map((kind) =>
      `By ${kind}, with how many had an out-of-service violation: ${lists[kind]}.`
    ),
  );
  return lines.filter(Boolean).join(" ");
}

type Counts = Pick<Seen["vehicle"], "inspections" | "out_of_service">;

function counts({ inspections, out_of_service: out }: Counts): string {
  return `${inspections}${out === 0 ? "" : ` (${out} with an out-of-service violation)`}`;
}

function monthName(date: string): string {
  return `${MONTHS[Number(date.slice(5, 7)) - 1]!.slice(0, 3)} ${date.slice(0, 4)}`;
}

/** The inspections of some days: counted by month, or from the newest ones, which have their days. */
function periodLine(seen: Seen, { from, to }: Period): string {
  const { by_month = [], latest = [], total } = seen;
  const range = from === to
    ? `On ${day(from)}`
    : from.endsWith("-01") && to === monthFrom(from).to
    ? `In ${monthName(from)}`
    : from.endsWith("-01-01") && to.endsWith("-12-31")
    ? `In ${from.slice(0, 4)}`
    : `From ${day(from)} to ${day(to)}`;
  const [first, last] = [from > seen.from ? from : seen.from, to < seen.to ? to : seen.to];
  if (first > last) {
    return `${range}: not in the file, which has ${day(seen.from)} to ${day(seen.to)}.`;
  }
  const clipped = first === from && last === to
    ? ""
    : `, as far as the file has it (${day(first)} to ${day(last)})`;
  const within = ({ date }: Inspection): boolean => date >= first && date <= last;
  const isListed = latest.length === total || first > (latest.at(-1)?.date ?? seen.to);
  if (isListed) {
    const found = latest.filter(within);
    const out = found.filter((one) => outOfServiceIn(one).length > 0);
    const each = { inspections: found.length, out_of_service: out.length };
    return `${range}${clipped}: ${inspectionsIn(each)}${described(found)}.`;
  }
  const months = by_month.filter((month) => month.from >= first && month.to <= last);
  const [begin, end] = [months[0]?.from, months.at(-1)?.to];
  if (begin === undefined || end === undefined) {
    return `${range}: the days of single inspections are kept for the newest ${latest.length}, from ${
      day(latest.at(-1)!.date)
    } on.`;
  }
  const sum = (key: keyof Counts): number => months.reduce((all, month) => all + month[key], 0);
  const all = { inspections: sum("inspections"), out_of_service: sum("out_of_service") };
  // The days of single inspections are kept for the newest alone.
  const whole = begin === first && end === last
    ? clipped
    : `, counted by whole months (${day(begin)} to ${day(end)})`;
  return `${range}${whole}: ${inspectionsIn(all)}.`;
}

function inspectionsIn({ inspections, out_of_service: out }: Counts): string {
  if (inspections === 0) return "no roadside inspection";
  return `${plural(inspections, "roadside inspection")}, ${
    out === 0 ? "none" : out
  } with an out-of-service violation`;
}

/** What was found in a few inspections: ": Nov 2, 2026 in NJ (level 1, 5 violations, vehicle out of service)". */
function described(found: readonly Inspection[]): string {
  if (found.length === 0 || found.length > MOST_DESCRIBED) return "";
  const each = found.map((inspection) => {
    const { date, state, level, violations } = inspection;
    const out = outOfServiceIn(inspection);
    const facts = [
      ...level === null ? [] : [`level ${level}`],
      plural(violations, "violation"),
      ...out.length === 0 ? [] : [`${listed(out)} out of service`],
    ];
    return `${day(date)}${state === null ? "" : ` in ${inert(state)}`} (${facts.join(", ")})`;
  });
  return `: ${each.join("; ")}`;
}
