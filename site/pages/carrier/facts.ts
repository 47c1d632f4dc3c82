/**
 * What a carrier filed, fact by fact in words, for its page, its vetting record and comparisons.
 *
 * @module
 */

import { formatForPeople } from "../../../pipeline/dates.ts";
import { ordersLine } from "../../../api/rules/orders.ts";
import type { Carrier, SnapshotFacts } from "../../../api/rules/schemas.ts";
import {
  addressLine,
  docketName,
  fleetCount,
  fleetParts,
  isUnusable,
  mileageWords,
  NOT_USABLE,
  OPERATION_WORDS,
  placeOf,
  statusWord,
  yesOrNo,
} from "../../../api/rules/words.ts";
import type { RefusedMember } from "../../../pipeline/snapshot/record/record.ts";
import { capitalized, counted, inert } from "../../../pipeline/text.ts";

const NOT_REPORTED = "Not reported";

/** Facts by label, in words; null for one that is shown only when known. */
type FactTable = Readonly<Record<string, (carrier: Carrier) => string | null>>;

/** The facts of each part of the page, in its order. */
export const FACT_ROWS = {
  company: {
    "Legal name": ({ legal_name }) => legal_name || NOT_REPORTED,
    "Doing business as": ({ dba_name }) => dba_name ?? "None on file",
    "Business form": ({ business_form }) => business_form,
    "Physical address": ({ address }) => addressLine(address) || NOT_REPORTED,
    "Mailing address": ({ mailing_address: address }) => address && addressLine(address),
    "Phone": (carrier) => carrier.phone ?? refusedWords(carrier, "phone"),
    "DUNS": ({ duns }) => duns,
    "Undeliverable mail": undeliverableWords,
    "USDOT record since": (carrier) =>
      carrier.added === null ? refusedWords(carrier, "added") : formatForPeople(carrier.added),
  },
  operation: {
    "Operation": (carrier) => refusedWords(carrier, "operation") ?? carrier.operation,
    "Registered as": ({ roles }) => capitalized(roles.join(", ")) || NOT_REPORTED,
    "Classifications": ({ classes }) => classes.join(", ") || NOT_REPORTED,
    "Hazmat": (carrier) => refusedWords(carrier, "hazmat") ?? hazmatWords(carrier),
    "Passengers": ({ passengers }) => capitalized(yesOrNo(passengers)),
    "Mileage": (carrier) =>
      carrier.mileage === null ? refusedWords(carrier, "mileage") : mileageWords(carrier.mileage),
    "Cargo": ({ cargo }) => cargo.join(", ") || "None marked",
    "Other cargo": ({ other_cargo }) => other_cargo,
  },
  fleet: {
    "Power units": (carrier) => capitalized(fleetCount(carrier, "power_units")),
    "Drivers": (carrier) => capitalized(fleetCount(carrier, "drivers")),
  },
  safety: {
    "Safety rating": (carrier) => {
      const { safety_rating, rating_date: day } = carrier;
      return refusedWords(carrier, "rating") ??
        (day === null ? safety_rating : `${safety_rating} on ${formatForPeople(day)}`);
    },
    "Last review": reviewWords,
    "Recordable crash rate": (carrier) => {
      const { recordable_crash_rate: rate } = carrier;
      return rate === null ? refusedWords(carrier, "crash_rate") : String(rate);
    },
    "Prior revocation, as filed by the carrier": (carrier) =>
      refusedWords(carrier, "prior_revoked") ??
        capitalized(yesOrNo(carrier.prior_revocation?.revoked ?? null)),
  },
  /** In fewer words than the parts above. */
  summary: {
    "Result": ({ verdict }) => verdict,
    "Inspections, 24 months": inspectionCount,
    "Vehicles out of service": (carrier) => rateWords(carrier, "vehicle"),
    "Drivers out of service": (carrier) => rateWords(carrier, "driver"),
    "Out-of-service orders": (carrier) => ordersLine(carrier) ?? "Not included in the data",
    "Fleet": fleetWords,
    "Dockets": (carrier) =>
      carrier.dockets.map((docket) => `${docketName(docket)} (listed ${statusWord(docket)})`)
        .join(", ") || (refusedWords(carrier, "dockets") ?? "None on file"),
    "Location": (carrier) => placeOf(carrier) || NOT_REPORTED,
  },
} satisfies Record<string, FactTable>;

const { company, operation, fleet, safety, summary } = FACT_ROWS;
const ALL = { ...company, ...operation, ...fleet, ...safety, ...summary };

export type FactLabel = keyof typeof ALL;

type LabeledFact = [label: string, words: string | null];

export function labeledFacts(part: FactTable, carrier: Carrier): LabeledFact[] {
  return Object.entries(part).map(([label, words]) => [label, words(carrier)]);
}

export function someFacts(carrier: Carrier, labels: readonly FactLabel[]): LabeledFact[] {
  return labels.map((label) => [label, factOf(carrier, label)]);
}

export function factOf(carrier: Carrier, label: FactLabel): string | null {
  return ALL[label](carrier);
}

function refusedWords(carrier: Carrier, member: RefusedMember): string | null {
  return isUnusable(carrier, member) ? capitalized(NOT_USABLE) : null;
}

/** `No, though filed as Intrastate Hazmat`: two boxes of one form may disagree. */
function hazmatWords({ hazmat, operation }: Carrier): string {
  const isOther = hazmat === false && operation === OPERATION_WORDS.B;
  return capitalized(yesOrNo(hazmat)) + (isOther ? `, though filed as ${operation}` : "");
}

/** What to call a carrier: its name, or its number when the name has no visible characters. */
export function calledName({ name, dot }: Pick<Carrier, "name" | "dot">): string {
  return inert(name) === "" ? `USDOT ${dot}` : name;
}

/** `85 power units · 70 drivers`. */
function fleetWords(carrier: Carrier): string {
  const { not_reported } = carrier;
  return not_reported.includes("power_units") && not_reported.includes("drivers")
    ? NOT_REPORTED
    : fleetParts(carrier).join(" · ");
}

function undeliverableWords({ undeliverable }: Carrier): string | null {
  const { physical, mail_returned: day } = undeliverable;
  const marked = [
    ...physical ? ["physical address marked"] : [],
    ...day === null ? [] : [`mailing address marked ${formatForPeople(day)}`],
  ];
  return marked.length === 0 ? null : capitalized(marked.join("; "));
}

/** `Compliance review, May 1, 2014`. */
function reviewWords({ review }: Carrier): string {
  if (review === null) return "None on file";
  const type = review.name ?? (review.type === null ? "Review" : `Review of type ${review.type}`);
  return review.date === null ? type : `${type}, ${formatForPeople(review.date)}`;
}

function inspectionCount({ inspections_24m, snapshot }: Carrier): string {
  return inspections_24m === null
    ? withoutInspections(snapshot, "None")
    : counted(inspections_24m.total);
}

function rateWords({ inspections_24m, snapshot }: Carrier, kind: "vehicle" | "driver"): string {
  if (inspections_24m === null) return withoutInspections(snapshot, "Not inspected");
  const { inspections, out_of_service, rate_pct } = inspections_24m[kind];
  return rate_pct === null
    ? "Not inspected"
    : `${counted(out_of_service)} of ${counted(inspections)} (${rate_pct.toFixed(1)}%)`;
}

/** A sample lacks the inspections of its real carriers. */
function withoutInspections({ notice }: SnapshotFacts, words: string): string {
  return notice === undefined ? words : "No data in this sample";
}
