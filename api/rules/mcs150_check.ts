/**
 * The MCS-150 verdict.
 *
 * Interstate carriers, hazmat safety permit carriers and intermodal equipment providers owe the
 * update. Intrastate carriers owe it only where their state adopted the rule, and brokers and
 * forwarders that are not carriers are said not to owe it: there a missed date is only a reason to ask.
 *
 * @module
 */
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import { capitalized, plural } from "../../pipeline/text.ts";
import { formatForPeople } from "./calendar.ts";
import type { CheckInput, Finding } from "./check.ts";
import { DEACTIVATION_PAUSE, MCS150_CITATION, MCS150_URL } from "./mcs150.ts";
import { hasRole, lacksRole, roleWords } from "./roles.ts";

const CITED = { citation: MCS150_CITATION, url: MCS150_URL };

const PAUSED_FROM = formatForPeople(DEACTIVATION_PAUSE.dueFrom);
const PAUSE_CHECKED = formatForPeople(DEACTIVATION_PAUSE.lastChecked);
const PAUSE = `FMCSA is reported (last checked ${PAUSE_CHECKED}) to have paused deactivation for ` +
  `updates due on or after ${PAUSED_FROM}; filing is still required.`;

/**
 * The state of the check for certain, and where the carrier may not owe the update or the census is
 * older than the date missed.
 */
const STATES = {
  "overdue": ["bad", "warn"],
  "due-soon": ["warn", "info"],
  "ok": ["ok", "ok"],
  "unknown": ["info", "info"],
} as const;

export function checkMcs150(input: CheckInput): Finding {
  const { record, mcs150, today, dates } = input;
  const { last_filed, next_due, days_until_due } = mcs150;
  const missed = days_until_due < 0;
  const doubts = scopeDoubts(record);
  const [certain, doubtful] = STATES[mcs150.state];
  const filed = last_filed === null
    ? "No filing date on file"
    : `Filed ${formatForPeople(last_filed)}${last_filed > today ? ", a day to come" : ""}`;
  return {
    state: doubts.length > 0 || missed && next_due > dates.data_date ? doubtful : certain,
    summary: `${filed}; ${missed ? "was" : "next"} due ${formatForPeople(next_due)}`,
    detail: [
      ...standing(input),
      ...(missed && next_due >= DEACTIVATION_PAUSE.dueFrom ? [PAUSE] : []),
      ...doubts,
    ],
    cited: CITED,
  };
}

function standing({ record, mcs150, today, dates, census }: CheckInput): string[] {
  const { last_filed, next_due, days_until_due, state, early, registration, first } = mcs150;
  const due = formatForPeople(next_due);
  const asking = [
    `By its USDOT number the next update is due by ${due}.`,
    "Ask the carrier when it last filed.",
  ];
  if (last_filed === null) {
    return [`No MCS-150 filing date in ${census}: it may or may not have filed.`, ...asking];
  }
  const day = formatForPeople(last_filed);
  const filed = `Last MCS-150 filed ${day}, according to ${census}.`;
  if (last_filed > today) {
    return [filed, "That date has not come yet, so nothing follows from it.", ...asking];
  }
  const unseen = dates.notice === undefined
    ? `Filings after ${formatForPeople(dates.data_date)} aren't included.`
    : "Newer filings aren't included.";
  const missed = `the update due by ${due}, ${plural(-days_until_due, "day")} ago`;
  const added = record.added === undefined ? "" : formatForPeople(record.added);
  if (state === "overdue") {
    return [
      filed,
      `${capitalized(missed)}, is not in that file.`,
      "It is due even when nothing changed.",
      unseen,
      "Ask the carrier for proof of a newer filing.",
    ];
  }
  if (state === "unknown") {
    return [
      filed,
      registration
        ? `That is the registration itself (added ${added}), which does not replace ${missed}.`
        : `That is more than 12 months before ${missed}. Whether so early a filing counts for it ` +
          "is not settled.",
      "So it may or may not be overdue.",
      unseen,
      "Ask the carrier whether it has filed since.",
    ];
  }
  const days = days_until_due === 0 ? "today" : `in ${plural(days_until_due, "day")}`;
  // Why a filing or a registration does not change the date that is coming.
  const note = early
    ? `Filed early, on ${day}: whether an early filing counts for ${due} is not settled, so plan ` +
      "to file again by then."
    : registration
    ? `The filing is the registration itself (added ${added}), so the due date ${due} is unchanged.`
    : first
    ? `Its record was added ${added}: no scheduled date has passed since.`
    : undefined;
  return [filed, `Next update due by ${due}, ${days}.`, ...(note ? [note] : []), unseen];
}

/** Why it is not certain that the carrier owes the update; empty when it does. */
function scopeDoubts(record: CarrierRecord): string[] {
  if (lacksRole(record, "C", "I")) {
    const registered = `Registered as ${roleWords(record)}, not as a carrier`;
    return hasRole(record, "B", "F")
      ? [
        `${registered}; brokers and freight forwarders that run no vehicles are said not to owe ` +
        "the update, so whether it does is uncertain.",
      ]
      : [`${registered}, so whether it owes the update is uncertain.`];
  }
  if (hasRole(record, "I")) return [];
  switch (record.operation) {
    case "A":
      return [];
    case "B":
      return [
        "Registered as intrastate with hazardous materials: the federal rule applies to it with a " +
        "hazardous materials safety permit, otherwise only where its state adopted the rule.",
      ];
    case "C":
      return [
        "Registered as intrastate: the update is owed only where its state adopted the rule.",
      ];
    default:
      return [
        "The census doesn't say whether it operates interstate, so whether it owes the update is " +
        "uncertain.",
      ];
  }
}
