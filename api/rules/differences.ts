/**
 * FMCSA's two files held against each other: facts with counts and dates and their innocent
 * explanations. They are no part of the checks or of the verdict.
 *
 * @module
 */
import type { InspectionSpan } from "../../pipeline/snapshot/record.ts";
import { counted, listed, plural, quoted } from "../../pipeline/text.ts";
import { formatDate, formatForPeople, parseDate } from "./calendar.ts";
import { census, type CheckInput } from "./check_input.ts";
import TEXTS from "./differences.json" with { type: "json" };
import type { FileDifference } from "./schemas.ts";

/** A fleet is large from so many power units on ... */
const LARGE_FLEET = 20;
/** ... and drives much from so many miles a year on. */
const MANY_MILES = 1_000_000;

type Found = Omit<FileDifference, "kind" | "label" | "explanations">;

/** What finds each kind, in the order of the schema. */
const FINDERS: Readonly<
  Record<FileDifference["kind"], (input: CheckInput) => Found | undefined>
> = {
  inactive_but_inspected: inactive,
  intrastate_but_inspected_interstate: interstate,
  placarded_without_hazmat: placarded,
  other_names: otherNames,
  not_inspected: notInspected,
};

/** What the two files say that does not go together. */
export function differencesOf(input: CheckInput): FileDifference[] {
  return (Object.keys(FINDERS) as FileDifference["kind"][]).flatMap((kind) => {
    const found = FINDERS[kind](input);
    const { label, explanations } = TEXTS[kind];
    return found === undefined ? [] : { kind, label, ...found, explanations };
  });
}

function inactive(input: CheckInput): Found | undefined {
  const { record: { status, inspections } } = input;
  if (status !== "I" || inspections === undefined) return undefined;
  const { total, last } = inspections;
  return {
    detail: `Inactive in ${census(input)}, and ${times(total)} ${period(input)}, the last on ${
      formatForPeople(last)
    }. The file doesn't say since when it is inactive.`,
    inspections: total,
    first: null,
    last,
  };
}

function interstate(input: CheckInput): Found | undefined {
  const span = input.record.inspections?.interstate;
  if (span === undefined) return undefined;
  return {
    detail: `Registered as intrastate in ${census(input)}. ${share(span, input)} marked as ` +
      `interstate${between(span, input)}.`,
    ...datesOf(span, input),
  };
}

function placarded(input: CheckInput): Found | undefined {
  const span = input.record.inspections?.placarded;
  if (span === undefined) return undefined;
  return {
    detail: `Not registered for hazardous materials in ${census(input)}. ${
      share(span, input)
    } placarded for hazmat${between(span, input)}.`,
    ...datesOf(span, input),
  };
}

/** Names listed in a sentence. */
const QUOTED = 3;

function otherNames(input: CheckInput): Found | undefined {
  const { renamed, names = [] } = input.record.inspections ?? {};
  if (renamed === undefined) return undefined;
  const shown = names.slice(0, QUOTED).map(([name, count]) =>
    `${quoted(name)} (${counted(count)})`
  );
  return {
    detail: `${share(renamed, input)} under a name that differs from the registered one${
      between(renamed, input)
    }, most often ${listed(shown)}.`,
    ...datesOf(renamed, input),
    names: names.map(([name, ...span]) => ({ name, ...datesOf(span, input) })),
  };
}

function notInspected(input: CheckInput): Found | undefined {
  const { record, partial } = input;
  const { power_units = 0, mileage = 0, mileage_year, status } = record;
  const large = power_units >= LARGE_FLEET && mileage >= MANY_MILES;
  if (partial || status !== "A" || record.inspections !== undefined || !large) return undefined;
  const year = mileage_year === undefined ? "" : ` in ${mileage_year}`;
  return {
    detail: `${counted(power_units)} power units and ${counted(mileage)} miles${year} in ${
      census(input)
    }, and no roadside inspection ${period(input)}.`,
    inspections: 0,
    first: null,
    last: null,
  };
}

/** `3 of 55 inspections were`, of the window. */
function share([count]: InspectionSpan, { record: { inspections } }: CheckInput): string {
  const total = inspections!.total;
  return `${counted(count)} of ${plural(total, "roadside inspection")} ${
    count === 1 ? "was" : "were"
  }`;
}

/** `, from Jan 20, 2025 to Mar 2, 2026` */
function between(span: InspectionSpan, input: CheckInput): string {
  const { first, last } = datesOf(span, input);
  return first === last
    ? `, on ${formatForPeople(first)}`
    : `, from ${formatForPeople(first)} to ${formatForPeople(last)}`;
}

function datesOf(
  [inspections, first, last]: InspectionSpan,
  { window }: CheckInput,
): { inspections: number; first: string; last: string } {
  const end = parseDate(window.to);
  return { inspections, first: formatDate(end - first), last: formatDate(end - last) };
}

function times(count: number): string {
  return count === 1 ? "inspected once" : `inspected ${counted(count)} times`;
}

function period({ window }: CheckInput): string {
  return `from ${formatForPeople(window.from)} to ${formatForPeople(window.to)}`;
}
