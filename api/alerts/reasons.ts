/**
 * The reasons for an alert in words: for its subject and its text, and what to do about each.
 *
 * @module
 */

import { listed } from "../../pipeline/text.ts";
import type { CarrierHistory } from "../operations/history.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import { labelInSentence } from "../rules/change_words.ts";
import {
  betweenWords,
  type CarrierChange,
  periodLine,
  removedLine,
  valueWords,
} from "../rules/changes.ts";
import { outOfServiceIn } from "../rules/inspections.ts";
import { type OfficialSource, REGISTRATION, saferOf, SMS } from "../rules/official_sources.ts";
import type { RoadsideInspection } from "../rules/schemas.ts";

export type AlertReason =
  | { kind: "deadline"; due: string; days: number }
  | { kind: "change"; change: CarrierChange }
  | { kind: "left"; removed: NonNullable<CarrierHistory["removed"]> }
  | {
    kind: "inspections";
    /** The newest first. */
    found: readonly RoadsideInspection[];
    /** Whether `found` includes all such inspections since the last alert. */
    isAll: boolean;
  }
  /** Not all changes since `from` are known. */
  | {
    kind: "restart";
    /** The last data date that was read. */
    from: string;
    /** The data date from which changes are known. */
    since: string;
    /** Whether `since` is before `from`, which happens when the snapshot of `from` was withdrawn. */
    isBefore: boolean;
  };

/** A reason in words. */
export interface ReasonText {
  /** For the subject line, which omits duplicates. */
  short: string;
  full: string[];
  next: string[];
}

/** Maximum number of inspections listed in one email. */
const MOST_INSPECTIONS = 5;

export function reasonText(reason: AlertReason, dot: string): ReasonText {
  switch (reason.kind) {
    case "deadline": {
      const { due, days } = reason;
      const when = days === 0 ? "today" : days === 1 ? "tomorrow" : `in ${days} days`;
      return {
        short: `MCS-150 due ${when}`,
        full: [`The MCS-150 update is due by ${formatForPeople(due)}, ${when}.`],
        next: [step("Your company? File the update, even if nothing changed", REGISTRATION)],
      };
    }
    case "change":
      return changeText(reason.change, dot);
    case "left":
      return {
        short: "no longer in the census",
        full: [`${removedLine(reason.removed)}.`],
        next: [step("Confirm the status before you tender a load", saferOf(dot))],
      };
    case "inspections":
      return inspectionsText(reason);
    case "restart":
      return restartText(reason, dot);
  }
}

function changeText(change: CarrierChange, dot: string): ReasonText {
  const { member, label, now } = change;
  const safer = saferOf(dot);
  const full = [`${periodLine(change)}.`];
  const changed = `${labelInSentence(label)} changed`;
  switch (member) {
    case "dot":
      return {
        short: "in the census again",
        full,
        next: [step("Confirm the status before you tender a load", safer)],
      };
    case "status":
      return {
        short: `now ${valueWords(change, "now")}`,
        full,
        next: now === "active" ? [step("Confirm the status before you tender a load", safer)] : [
          step("Vetting this carrier? Wait until SAFER shows it as active", safer),
          step("Your company? Reactivate the number first", REGISTRATION),
        ],
      };
    case "rating":
      return {
        short: `safety rating now ${valueWords(change, "now")}`,
        full,
        next: [step("Confirm the rating and its date before you tender a load", safer)],
      };
    case "rating_date":
      return {
        short: changed,
        full,
        next: [step("Confirm the rating and its date before you tender a load", safer)],
      };
    case "dockets":
      return {
        short: changed,
        full: [`${full} Docket status isn't operating authority.`],
        next: [step("Confirm operating authority before you tender a load", safer)],
      };
    case "power_units":
      return { short: changed, full, next: [step("Check the fleet size", safer)] };
    case "prior_revoked":
    case "prior_revoked_dot":
      return {
        short: changed,
        full,
        next: [step("Confirm operating authority before you tender a load", safer)],
      };
    default:
      return {
        short: changed,
        full,
        next: [step("Call the phone number on SAFER to confirm who you are dealing with", safer)],
      };
  }
}

function inspectionsText(
  { found, isAll }: Extract<AlertReason, { kind: "inspections" }>,
): ReasonText {
  const shown = found.slice(0, MOST_INSPECTIONS);
  const more = found.length - shown.length;
  const atLeast = isAll ? "" : "at least ";
  const orMore = isAll ? "" : " or more";
  return {
    short: found.length === 1 && isAll
      ? "out of service at an inspection"
      : `out of service at ${found.length}${orMore} inspections`,
    full: [
      ...shown.map(inspectionLine),
      ...more > 0 || !isAll ? [`And ${atLeast}${more} more such inspections.`] : [],
    ],
    next: [step("See the carrier's inspections", SMS)],
  };
}

/** `Inspection of Oct 8, 2026 in TX: vehicle and driver out of service.` */
function inspectionLine(inspection: RoadsideInspection): string {
  const { date, state } = inspection;
  const place = state === null ? "" : ` in ${state}`;
  const what = listed(outOfServiceIn(inspection));
  return `Inspection on ${formatForPeople(date)}${place}: ${what} out of service.`;
}

function restartText(
  { from, since, isBefore }: Extract<AlertReason, { kind: "restart" }>,
  dot: string,
): ReasonText {
  const period = betweenWords([from, since]);
  const full = isBefore
    ? `The data we last read (${formatForPeople(from)}) was withdrawn. These changes are since ` +
      `the data of ${formatForPeople(since)}.`
    : `We don't know what changed ${period.charAt(0).toLowerCase()}${period.slice(1)}. We have ` +
      `tracked changes since ${formatForPeople(since)}.`;
  return {
    short: isBefore ? "data withdrawn" : `changes tracked since ${formatForPeople(since)}`,
    full: [full],
    next: [step("Confirm the record", saferOf(dot))],
  };
}

function step(text: string, { url }: OfficialSource): string {
  return `${text}:\n  ${url}`;
}
