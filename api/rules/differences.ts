/**
 * Differences between FMCSA's two files: facts with counts, dates and ordinary reasons for them. They do not
 * imply wrongdoing and are not part of the checks.
 *
 * @module
 */
import type { InspectionSpan } from "../../pipeline/snapshot/record/record.ts";
import { counted, listed, plural, quoted } from "../../pipeline/text.ts";
import { formatDate, formatForPeople, parseDate } from "../../pipeline/dates.ts";
import type { CheckInput } from "./check.ts";
import TEXTS from "./differences.json" with { type: "json" };
import { lacksRole } from "./roles.ts";
import type { FileDifference } from "./schemas.ts";

/** Smallest number of power units of a large fleet. */
const LARGE_FLEET = 20;
/** Miles a year above which a fleet should have been inspected. */
const MANY_MILES = 100_000;
/** How many years old a filed mileage may be to count. */
const MILEAGE_YEARS = 3;

/** Maximum number of names listed in a sentence. */
const QUOTED = 3;

type Kind = FileDifference["kind"];
type Found = Omit<FileDifference, "kind" | "label" | "explanations">;

/** The function that finds each kind, in the order of the schema. */
const FINDERS: Readonly<Record<Kind, (input: CheckInput) => Found | undefined>> = {
  inactive_but_inspected: inactive,
  intrastate_but_inspected_interstate: (input) =>
    spanned(
      input,
      input.record.inspections?.interstate,
      (share, period) =>
        `Registered as intrastate in ${input.census}. ${share} marked as interstate${period}.`,
    ),
  placarded_without_hazmat: (input) =>
    spanned(
      input,
      input.record.inspections?.placarded,
      (share, period) =>
        `Not registered for hazardous materials in ${input.census}. ${share} placarded for hazmat` +
        `${period}.`,
    ),
  other_names: otherNames,
  not_inspected: notInspected,
};

/** Where the two files disagree. */
export function differencesOf(input: CheckInput): FileDifference[] {
  return (Object.keys(FINDERS) as Kind[]).flatMap((kind) => {
    const found = FINDERS[kind](input);
    const { label, explanations } = TEXTS[kind];
    return found === undefined ? [] : { kind, label, ...found, explanations };
  });
}

function inactive(input: CheckInput): Found | undefined {
  const { record: { status, inspections }, census } = input;
  if (status !== "I" || inspections === undefined) return undefined;
  const { total, last } = inspections;
  const times = total === 1 ? "once" : `${counted(total)} times`;
  return {
    detail: `Inactive in ${census}, and inspected ${times} ${windowWords(input)}, the last on ${
      formatForPeople(last)
    }. The file doesn't say when it became inactive.`,
    inspections: total,
    first: null,
    last,
  };
}

function otherNames(input: CheckInput): Found | undefined {
  const { renamed, names = [] } = input.record.inspections ?? {};
  const often = names.slice(0, QUOTED)
    .map(([name, count]) => `${quoted(name)} (${counted(count)})`);
  const found = spanned(
    input,
    renamed,
    (share, period) =>
      `${share} under a name that differs from the registered one${period}, most often ` +
      `${listed(often)}.`,
  );
  return found && {
    ...found,
    names: names.map(([name, ...span]) => ({ name, ...datesOf(span, input) })),
  };
}

/** Only for an active carrier added before the inspection window, so it had 24 months to be inspected. */
function notInspected(input: CheckInput): Found | undefined {
  const { record, dates: { notice, window }, census, today } = input;
  const { power_units = 0, mileage = 0, mileage_year = 0, status, inspections, added } = record;
  const isLarge = power_units >= LARGE_FLEET && mileage >= MANY_MILES &&
    mileage_year >= Number(today.slice(0, 4)) - MILEAGE_YEARS;
  const hadTime = added !== undefined && added < window.from;
  if (
    notice !== undefined || status !== "A" || inspections !== undefined || !isLarge || !hadTime ||
    lacksRole(record, "C")
  ) return undefined;
  return {
    detail: `${counted(power_units)} power units and ${
      counted(mileage)
    } miles in ${mileage_year} in ${census}, and no roadside inspection ${windowWords(input)}.`,
    inspections: 0,
    first: null,
    last: null,
  };
}

/**
 * A difference found in some inspections, with the days of the first and the last. `detail` gets
 * `3 of 55 roadside inspections were` and `, from Jan 20, 2025 to Mar 2, 2026`.
 */
function spanned(
  input: CheckInput,
  span: InspectionSpan | undefined,
  detail: (share: string, period: string) => string,
): Found | undefined {
  if (span === undefined) return undefined;
  const dates = datesOf(span, input);
  const total = plural(input.record.inspections!.total, "roadside inspection");
  const share = `${counted(span[0])} of ${total} ${span[0] === 1 ? "was" : "were"}`;
  const [first, last] = [dates.first, dates.last].map(formatForPeople);
  return {
    detail: detail(share, first === last ? `, on ${first}` : `, from ${first} to ${last}`),
    ...dates,
  };
}

function datesOf(
  [inspections, first, last]: InspectionSpan,
  { dates: { window } }: CheckInput,
): { inspections: number; first: string; last: string } {
  const end = parseDate(window.to);
  return { inspections, first: formatDate(end - first), last: formatDate(end - last) };
}

function windowWords({ dates: { window } }: CheckInput): string {
  return `from ${formatForPeople(window.from)} to ${formatForPeople(window.to)}`;
}
