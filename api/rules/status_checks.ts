/**
 * The safety rating of a compliance review. Most carriers were never rated, which is not a fault, and a
 * rating can be decades old, so its date is always stated with it.
 *
 * @module
 */
import { formatForPeople } from "./calendar.ts";
import type { Check, CheckState } from "./schemas.ts";
import { census, censusBasis, type CheckInput } from "./check_input.ts";

/** Age in years from which a rating is called old. */
const OLD_RATING_YEARS = 5;

/** 49 CFR 385.13(a)(2) reaches carriers of general freight for reviews completed from this day on. */
const GENERAL_FREIGHT_FROM = "2000-11-20";

const CITED = {
  citation: "49 CFR part 385",
  url: "https://www.ecfr.gov/current/title-49/part-385",
};

const RATINGS = {
  S: { state: "ok", word: "Satisfactory" },
  C: { state: "warn", word: "Conditional" },
  U: { state: "bad", word: "Unsatisfactory" },
} as const satisfies Record<string, { state: CheckState; word: string }>;

/** `ok` Satisfactory, `warn` Conditional, `bad` Unsatisfactory, `info` not rated. */
export function checkSafetyRating(input: CheckInput): Check {
  const rating = input.record.rating && RATINGS[input.record.rating];
  return {
    id: "safety_rating",
    label: "Safety rating",
    state: rating?.state ?? "info",
    summary: rating === undefined
      ? "No rating on file, like most carriers"
      : `${rating.word}${dated(input)}`,
    detail: rating === undefined
      ? `No safety rating in ${
        census(input)
      }. Most carriers were never rated; that is neither good ` +
        `nor bad.${input.inspections === null ? "" : " Look at its roadside inspections instead."}`
      : [`Rated ${rating.word}${dated(input)}, according to ${census(input)}.`, ...meaning(input)]
        .join(" "),
    basis: censusBasis(input, CITED),
  };
}

function dated({ record: { rating_date }, today }: CheckInput): string {
  if (rating_date === undefined) return " (no date filed)";
  const years = Number(today.slice(0, 4)) - Number(rating_date.slice(0, 4)) -
    (today.slice(5) < rating_date.slice(5) ? 1 : 0);
  const age = years >= OLD_RATING_YEARS ? ` (${years} years old)` : "";
  return ` on ${formatForPeople(rating_date)}${age}`;
}

/** What the rating means; about operating, nothing is said of a number that is not active. */
function meaning({ record }: CheckInput): string[] {
  const { rating, rating_date, status } = record;
  switch (rating) {
    case "S":
      return ["It reflects the review on that date, not today."];
    case "C":
      return [
        "The review found inadequate safety controls.",
        ...(status === "A"
          ? ["A Conditional rating alone doesn't bar a carrier from operating."]
          : []),
        "Ask what it has corrected since and whether it asked for a new rating.",
      ];
    default:
      return [
        "The review found inadequate safety controls.",
        ...(status === "A" ? [prohibition(rating_date)] : []),
        "Confirm on SAFER that no newer rating replaced it.",
      ];
  }
}

function prohibition(date: string | undefined): string {
  const rule =
    "Under 49 CFR 385.13 a carrier with a final Unsatisfactory rating may not operate a commercial " +
    "motor vehicle in interstate commerce";
  const before =
    `for reviews completed before ${formatForPeople(GENERAL_FREIGHT_FROM)} that covers ` +
    "only passenger carriers and carriers of placarded hazardous materials";
  if (date === undefined) return `${rule}; ${before}.`;
  return date < GENERAL_FREIGHT_FROM ? `${rule}; ${before}, and this one was.` : `${rule}.`;
}

const STATUSES = {
  A: {
    state: "ok",
    says: "active",
    title: "Active",
    next: "Active means the number is in use. It doesn't show compliance, insurance, operating " +
      "authority or the absence of an out-of-service order; check those on SAFER.",
  },
  I: {
    state: "bad",
    says: "inactive",
    title: "Inactive",
    next: "The census doesn't say why. Confirm on SAFER before you tender a load.",
  },
  P: {
    state: "warn",
    says: "pending",
    title: "Registration pending",
    next: "A pending number belongs to an application that is not decided, usually of a carrier " +
      "domiciled in Mexico. Confirm on SAFER that it became active before you tender a load.",
  },
} as const;

/** `ok` when active, `bad` when inactive, `warn` when pending. */
export function checkUsdotStatus(input: CheckInput): Check {
  const { state, says, title, next } = STATUSES[input.record.status];
  return {
    id: "usdot_status",
    label: "USDOT number",
    state,
    summary: title,
    detail: `Listed ${says} in ${census(input)}. ${next}`,
    basis: censusBasis(input),
  };
}
