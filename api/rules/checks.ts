/**
 * The six checks, two of which are defined here because each reads one member of the census: the status of
 * the USDOT number and the safety rating. Most carriers were never rated, which is not a fault, and a rating can be
 * decades old, so its date is always stated with it.
 *
 * @module
 */
import { formatForPeople, wholeYears } from "../../pipeline/dates.ts";
import { capitalized, quoted } from "../../pipeline/text.ts";
import { checkOperatingAuthority } from "./authority_check.ts";
import type { Checked, CheckInput, CheckResult } from "./check.ts";
import { checkMcs150 } from "./mcs150_check.ts";
import { CENSUS, INSPECTIONS, ORDERS } from "./official_sources.ts";
import { unrescindedOrders, withoutOrders } from "./orders.ts";
import { checkOosRates } from "./out_of_service.ts";
import { CHECK_IDS, type CheckId } from "./schemas.ts";
import { checkUcr } from "./ucr_check.ts";
import { listedAs, STATUS_WORDS } from "./words.ts";

const CHECKS: Readonly<Record<CheckId, [label: string, run: (input: CheckInput) => CheckResult]>> =
  {
    usdot_status: ["USDOT number", checkUsdotStatus],
    mcs150: ["MCS-150 update", checkMcs150],
    operating_authority: ["Operating authority", checkOperatingAuthority],
    safety_rating: ["Safety rating", checkSafetyRating],
    oos_rates: ["Out-of-service rates", checkOosRates],
    ucr: ["UCR fee", checkUcr],
  };

/** All checks with the file that each reads. The source page is the file's own when no rule is cited. */
export function checksOf(input: CheckInput): Checked[] {
  const { data_date, inspections_date, orders_date } = input.dates;
  return CHECK_IDS.map((id) => {
    const [label, run] = CHECKS[id];
    const { state, data, summary, detail, cited, found, ofOrders } = run(input);
    const [file, date] = ofOrders
      ? [ORDERS, orders_date!]
      : id === "oos_rates"
      ? [INSPECTIONS, inspections_date]
      : [CENSUS, data_date];
    const { citation, url } = cited ?? { citation: null, url: file.url };
    const basis = { file: file.name, data_date: date, citation, url };
    return { check: { id, label, state, data, summary, detail: detail.join(" "), basis }, found };
  });
}

const ACTIVE_NEXT =
  "Active means the number is in use; check compliance, insurance and operating authority on SAFER.";

const STATUSES = {
  A: {
    state: "ok",
    summary: "Active",
    next: "Active means the number is in use. It doesn't show compliance, insurance, operating " +
      "authority or the absence of an out-of-service order; check those on SAFER.",
  },
  I: {
    state: "bad",
    summary: "Inactive",
    next: "The census doesn't say why. Confirm on SAFER before you tender a load.",
  },
  P: {
    state: "warn",
    summary: "Registration pending",
    next: "A pending number belongs to an application that is not decided, usually of a carrier " +
      "domiciled in Mexico. Confirm on SAFER that it became active before you tender a load.",
  },
} as const;

/** The worse of the orders' state and the number's own. */
function checkUsdotStatus(input: CheckInput): CheckResult {
  const { record, census } = input;
  const { state, summary, next } = STATUSES[record.status];
  const listed = `${listedAs(record.status)}${census}.`;
  const orders = unrescindedOrders(input);
  if (orders !== undefined) {
    const { text } = orders;
    const both = record.status === "A"
      ? text
      : `${capitalized(STATUS_WORDS[record.status]!)}; ${text.charAt(0).toLowerCase()}${
        text.slice(1)
      }`;
    return {
      state: state === "bad" ? "bad" : orders.state,
      data: "used",
      summary: both,
      detail: [...orders.detail, listed, ...record.status === "A" ? [] : [next]],
      found: {
        text: both,
        reasons: ["A rescission may be missing from the file, or newer than it."],
      },
      ofOrders: true,
    };
  }
  const none = withoutOrders(input);
  return {
    state,
    data: "used",
    summary,
    detail: [
      listed,
      ...none,
      record.status === "A" && none.length > 0 ? ACTIVE_NEXT : next,
    ],
    ...(state !== "ok" && { found: { text: summary, reasons: [] } }),
  };
}

export const RATINGS = {
  S: { state: "ok", word: "Satisfactory" },
  C: { state: "warn", word: "Conditional" },
  U: { state: "bad", word: "Unsatisfactory" },
} as const;

/** Age in years at which a rating is called old. */
const OLD_RATING_YEARS = 5;

/** 49 CFR 385.13(a)(2) reaches carriers of general freight for reviews completed from this day on. */
const GENERAL_FREIGHT_FROM = "2000-11-20";

const RATING_RULE = {
  citation: "49 CFR part 385",
  url: "https://www.ecfr.gov/current/title-49/part-385",
};

function checkSafetyRating({ record, inspections, today, dates, census }: CheckInput): CheckResult {
  const { rating, rating_date, status, refused } = record;
  if (refused?.rating !== undefined) {
    return {
      state: "info",
      data: "unusable",
      summary: `The filed rating ${quoted(refused.rating)} isn't usable`,
      detail: [
        `The safety rating in ${census} is ${
          quoted(refused.rating)
        }, a code FMCSA doesn't publish.`,
        "Look up the rating on SAFER.",
      ],
      cited: RATING_RULE,
    };
  }
  if (rating === undefined) {
    return {
      state: "info",
      data: "missing",
      summary: "No rating on file, like most carriers",
      detail: [
        `No safety rating in ${census}.`,
        "Most carriers were never rated; that is neither good nor bad.",
        ...(inspections !== null
          ? ["Look at its roadside inspections instead."]
          : dates.notice === undefined
          ? ["It has no inspections either: check SAFER and ask for references."]
          : []),
      ],
      cited: RATING_RULE,
    };
  }
  const { state, word } = RATINGS[rating];
  const dated = refused?.rating_date !== undefined
    ? `(the filed date ${quoted(refused.rating_date)} isn't usable)`
    : rating_date === undefined
    ? "(no date filed)"
    : `on ${ratedOn(rating_date, today)}`;
  const inadequate = "The review found inadequate safety controls.";
  // For a number that is not active, nothing is said about operating.
  const meaning = {
    S: ["It reflects the review on that date, not today."],
    C: [
      inadequate,
      ...(status === "A"
        ? ["A Conditional rating alone doesn't bar a carrier from operating."]
        : []),
      "Ask what it has corrected since and whether it asked for a new rating.",
    ],
    U: [
      inadequate,
      ...(status === "A" ? [prohibition(rating_date)] : []),
      "Confirm on SAFER that no newer rating replaced it.",
    ],
  }[rating];
  return {
    state,
    data: "used",
    summary: `${word} ${dated}`,
    detail: [`Rated ${word} ${dated}, according to ${census}.`, ...meaning],
    cited: RATING_RULE,
    ...(rating !== "S" && { found: { text: `Rated ${word}`, reasons: [] } }),
  };
}

function ratedOn(date: string, today: string): string {
  const years = wholeYears(date, today);
  const age = years >= OLD_RATING_YEARS ? ` (${years} years ago)` : "";
  return formatForPeople(date) + age;
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
