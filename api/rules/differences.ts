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
import type { FileDifference } from "./schemas.ts";

/** A fleet is large from so many power units on ... */
const LARGE_FLEET = 20;
/** ... and drives much from so many miles a year on. */
const MANY_MILES = 1_000_000;

/** What the two files say that does not go together, in the order of the schema. */
export function differencesOf(input: CheckInput): FileDifference[] {
  return [inactive, interstate, placarded, otherNames, notInspected]
    .flatMap((find) => find(input) ?? []);
}

function inactive(input: CheckInput): FileDifference | undefined {
  const { record: { status, inspections } } = input;
  if (status !== "I" || inspections === undefined) return undefined;
  const { total, last } = inspections;
  return {
    kind: "inactive_but_inspected",
    label: "Inactive and inspected",
    detail: `Inactive in ${census(input)}, and ${times(total)} ${period(input)}, the last on ${
      formatForPeople(last)
    }. The file doesn't say since when it is inactive.`,
    inspections: total,
    first: null,
    last,
    explanations: [
      "It may have been active on the day of the inspection.",
      "The inspector may have entered the wrong USDOT number.",
    ],
  };
}

function interstate(input: CheckInput): FileDifference | undefined {
  const span = input.record.inspections?.interstate;
  if (span === undefined) return undefined;
  return {
    kind: "intrastate_but_inspected_interstate",
    label: "Registered intrastate, inspected as interstate",
    detail: `Registered as intrastate in ${census(input)}. ${share(span, input)} marked as ` +
      `interstate${between(span, input)}.`,
    ...datesOf(span, input),
    explanations: [
      "A load that started or ends in another state is interstate even when the truck stays in one.",
      "The truck may have been leased to an interstate carrier.",
      "The inspector may have marked it by mistake, or the registration may have changed since.",
    ],
  };
}

function placarded(input: CheckInput): FileDifference | undefined {
  const span = input.record.inspections?.placarded;
  if (span === undefined) return undefined;
  return {
    kind: "placarded_without_hazmat",
    label: "Placarded hazmat, not registered for it",
    detail: `Not registered for hazardous materials in ${census(input)}. ${
      share(span, input)
    } placarded for hazmat${between(span, input)}.`,
    ...datesOf(span, input),
    explanations: [
      "The truck may have been leased to a carrier registered for hazardous materials.",
      "The registration may have changed since.",
      "The inspector may have entered the wrong USDOT number or marked the placard by mistake.",
    ],
  };
}

/** Names listed in a sentence. */
const QUOTED = 3;

function otherNames(input: CheckInput): FileDifference | undefined {
  const { renamed, names = [] } = input.record.inspections ?? {};
  if (renamed === undefined) return undefined;
  const shown = names.slice(0, QUOTED).map(([name, count]) =>
    `${quoted(name)} (${counted(count)})`
  );
  return {
    kind: "other_names",
    label: "Inspected under other names",
    detail: `${share(renamed, input)} under a name that differs from the registered one${
      between(renamed, input)
    }, most often ${listed(shown)}.`,
    ...datesOf(renamed, input),
    names: names.map(([name, ...span]) => ({ name, ...datesOf(span, input) })),
    explanations: [
      "A leased truck may carry the name of its owner or of another carrier.",
      "The company may have changed its name.",
      "The inspector may have mistyped the name or the USDOT number.",
    ],
  };
}

function notInspected(input: CheckInput): FileDifference | undefined {
  const { record, partial } = input;
  const { power_units = 0, mileage = 0, mileage_year, status } = record;
  const large = power_units >= LARGE_FLEET && mileage >= MANY_MILES;
  if (partial || status !== "A" || record.inspections !== undefined || !large) return undefined;
  const year = mileage_year === undefined ? "" : ` in ${mileage_year}`;
  return {
    kind: "not_inspected",
    label: "Large fleet, no inspections",
    detail: `${counted(power_units)} power units and ${counted(mileage)} miles${year} in ${
      census(input)
    }, and no roadside inspection ${period(input)}.`,
    inspections: 0,
    first: null,
    last: null,
    explanations: [
      "Its trucks may run under another company's USDOT number.",
      "It may operate where few inspections are made.",
      "The fleet or mileage on file may be wrong or out of date.",
    ],
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
