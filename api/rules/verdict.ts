/**
 * A carrier's verdict in words, the same on every surface: the worst reason first, and how old the
 * data is.
 *
 * @module
 */
import { capitalized, plural } from "../../pipeline/text.ts";
import { formatForPeople } from "./calendar.ts";
import { compareRate, INSPECTION_KINDS } from "./out_of_service.ts";
import type { Carrier, Check, CheckId, SnapshotFacts } from "./schemas.ts";

/** The checks from the one that weighs most, for findings of equal state. */
const BY_WEIGHT: readonly CheckId[] = [
  "usdot_status",
  "safety_rating",
  "mcs150",
  "operating_authority",
  "oos_rates",
  "ucr",
];

type CarrierFindings = Pick<
  Carrier,
  "mcs150" | "safety_rating" | "inspections_24m" | "checks"
>;

/** What a check found, in a few words: `Rated Unsatisfactory`; for checks in state `warn` or `bad`. */
export function factOf(
  findings: CarrierFindings,
  { id, state }: Pick<Check, "id" | "state">,
): string {
  const { mcs150, safety_rating, inspections_24m } = findings;
  switch (id) {
    case "usdot_status":
      return state === "bad" ? "Inactive" : "Registration pending";
    case "mcs150": {
      const due = formatForPeople(mcs150.next_due);
      if (mcs150.state === "due-soon") return `MCS-150 due by ${due}`;
      return state === "bad"
        ? `MCS-150 overdue since ${due}`
        : `MCS-150 may be overdue since ${due}`;
    }
    case "operating_authority":
      return "No active docket: confirm operating authority";
    case "safety_rating":
      return `Rated ${safety_rating}`;
    default: {
      const above = INSPECTION_KINDS.filter((kind) =>
        inspections_24m !== null && compareRate(inspections_24m[kind]) === "above"
      );
      const rates = above.length === 1 ? "rate" : "rates";
      const words = `${above.join(" and ")} out-of-service ${rates} above average`;
      return capitalized(words);
    }
  }
}

/** The checks in state `bad` or `warn`, the worst first. */
export function findingsOf(checks: readonly Check[]): Check[] {
  return (["bad", "warn"] as const).flatMap((state) =>
    checks.filter((check) => check.state === state)
      .sort((a, b) => BY_WEIGHT.indexOf(a.id) - BY_WEIGHT.indexOf(b.id))
  );
}

/** What they found, the worst first. */
export function reasonsOf(findings: CarrierFindings): string[] {
  return findingsOf(findings.checks).map((check) => factOf(findings, check));
}

/** The worst reason and how many more, or that none was found: a sentence without its period. */
export function verdictOf(findings: CarrierFindings): string {
  const [worst, ...more] = reasonsOf(findings);
  if (worst !== undefined) return more.length === 0 ? worst : `${worst} (and ${more.length} more)`;
  const unknown = findings.checks.filter(({ state }) => state === "info").length;
  return unknown === 0
    ? "No issues found"
    : `No issues found; ${unknown} of ${findings.checks.length} checks ${
      unknown === 1 ? "has" : "have"
    } no data`;
}

/** The date of the data and its age: `Oct 3, 2026 (50 days old)`. */
export function dataAge({ data_date, age_days }: SnapshotFacts): string {
  const age = age_days === 0 ? "today's" : `${plural(age_days, "day")} old`;
  return `${formatForPeople(data_date)} (${age})`;
}

/** `FMCSA data: census of Oct 3, 2026 (50 days old), inspections to Oct 2, 2026.`, or that it is a sample. */
export function dataLine(snapshot: SnapshotFacts): string {
  return snapshot.notice === undefined
    ? `FMCSA data: census of ${dataAge(snapshot)}, inspections to ${
      formatForPeople(snapshot.inspections_date)
    }.`
    : `Sample data of ${dataAge(snapshot)}.`;
}
