/**
 * FMCSA's two files held against each other: facts with counts and dates and their innocent
 * explanations. They are no part of the checks or of the verdict.
 *
 * @module
 */
import { counted } from "../../pipeline/text.ts";
import { formatForPeople } from "./calendar.ts";
import { census, type CheckInput } from "./check_input.ts";
import type { FileDifference } from "./schemas.ts";

/** A fleet is large from so many power units on ... */
const LARGE_FLEET = 20;
/** ... and drives much from so many miles a year on. */
const MANY_MILES = 1_000_000;

/** What the two files say that does not go together, in the order of the schema. */
export function differencesOf(input: CheckInput): FileDifference[] {
  return [inactive(input), notInspected(input)].filter((one) => one !== undefined);
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

function times(count: number): string {
  return count === 1 ? "inspected once" : `inspected ${counted(count)} times`;
}

function period({ window }: CheckInput): string {
  return `from ${formatForPeople(window.from)} to ${formatForPeople(window.to)}`;
}
