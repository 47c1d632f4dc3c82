/**
 * The safety rating of a compliance review. Most carriers were never rated, which is no fault, and a
 * rating can be decades old, so its date is always told.
 *
 * @module
 */
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";
import { formatForPeople } from "../calendar.ts";
import type { Check, CheckState } from "../schemas.ts";
import { censusBasis, type CheckInput } from "./input.ts";

/** Age in years from which a rating is called old. */
const OLD_RATING_YEARS = 5;

const CITED = {
  citation: "49 CFR part 385",
  url: "https://www.ecfr.gov/current/title-49/part-385",
};

interface Verdict {
  state: CheckState;
  says: string;
  next: string;
}

const VERDICTS: Readonly<Record<NonNullable<CarrierRecord["rating"]>, Verdict>> = {
  S: {
    state: "ok",
    says: "Satisfactory",
    next:
      "It tells of the day of the review, not of today: read it together with newer inspections.",
  },
  C: {
    state: "warn",
    says: "Conditional",
    next: "The review found safety controls wanting. The carrier may operate; ask what it has " +
      "corrected since and whether it asked for a new rating.",
  },
  U: {
    state: "bad",
    says: "Unsatisfactory",
    next: "A carrier with a final Unsatisfactory rating is unfit and may not operate (49 CFR " +
      "385.13). Do not tender a load unless SAFER shows a newer rating.",
  },
};

/** `ok` Satisfactory, `warn` Conditional, `bad` Unsatisfactory, `info` not rated. */
export function checkSafetyRating(input: CheckInput): Check {
  const { record, dataDay } = input;
  const verdict = record.rating === undefined ? undefined : VERDICTS[record.rating];
  return {
    id: "safety_rating",
    label: "Safety rating",
    state: verdict?.state ?? "info",
    detail: verdict === undefined
      ? `The census of ${dataDay} has no safety rating for this carrier. Most carriers were never ` +
        "rated: that is neither good nor bad. Look at its inspections instead."
      : `The census of ${dataDay} shows the rating ${verdict.says}${dated(input)}. ${verdict.next}`,
    basis: censusBasis(input, CITED),
  };
}

function dated({ record: { rating_date }, today }: CheckInput): string {
  if (rating_date === undefined) return ", without its date";
  const years = Number(today.slice(0, 4)) - Number(rating_date.slice(0, 4)) -
    (today.slice(5) < rating_date.slice(5) ? 1 : 0);
  const age = years >= OLD_RATING_YEARS ? `, ${years} years ago` : "";
  return ` of ${formatForPeople(rating_date)}${age}`;
}
