/**
 * The MCS-150 verdict.
 *
 * Interstate carriers, hazmat safety permit carriers and intermodal equipment providers owe the update.
 * Intrastate carriers owe it only where their state adopted the rule, and brokers and forwarders that are not
 * carriers do not owe it, as FMCSA states. If it is uncertain whether a carrier owes
 * it, a missed date is not a problem but something to ask about.
 *
 * @module
 */
import type { CarrierRecord } from "../../pipeline/snapshot/record/record.ts";
import { capitalized, plural, quoted, unquoted } from "../../pipeline/text.ts";
import { addMonths, daysBetween, formatForPeople, parseDate } from "../../pipeline/dates.ts";
import type { CheckInput, CheckResult } from "./check.ts";
import { DEACTIVATION_PAUSE, MCS150_CITATION, MCS150_URL } from "./mcs150.ts";
import { hasRole, lacksRole, roleWords } from "./roles.ts";

const CITED = { citation: MCS150_CITATION, url: MCS150_URL };

const PAUSED_FROM = formatForPeople(DEACTIVATION_PAUSE.dueFrom);
const PAUSE_CHECKED = formatForPeople(DEACTIVATION_PAUSE.lastChecked);
const PAUSE = `FMCSA is reported (last checked ${PAUSE_CHECKED}) to have paused deactivation for ` +
  `updates due on or after ${PAUSED_FROM}; filing is still required.`;

/** The state of the check when it is certain, and when it is not. */
const STATES = {
  "overdue": ["bad", "warn"],
  "due-soon": ["warn", "info"],
  "ok": ["ok", "ok"],
  "unknown": ["info", "info"],
} as const;

/**
 * Days after a scheduled date by which the census must include filings made for it: a filing on
 * the due day is timely, and the census runs about a day behind.
 */
const FILINGS_SEEN_DAYS = 3;

/** Age of a filing, in months, from which SAFER marks it as outdated, whatever the schedule says. */
const SAFER_OUTDATED_MONTHS = 24;

/**
 * `bad` only when the carrier certainly owes the update and the census is new enough to have a filing
 * made on the due day.
 */
export function checkMcs150(input: CheckInput): CheckResult {
  const { record, mcs150, today, dates } = input;
  const { last_filed, next_due, days_until_due, state } = mcs150;
  const refused = record.refused?.mcs150_date;
  const missed = days_until_due < 0;
  const doubts = scopeDoubts(record);
  const seen = !missed || daysBetween(next_due, dates.data_date) >= FILINGS_SEEN_DAYS;
  const [certain, doubtful] = STATES[state];
  const checkState = doubts.length > 0 || !seen ? doubtful : certain;
  const due = formatForPeople(next_due);
  const filed = refused !== undefined
    ? `The filed date ${unquoted(refused)} isn't usable`
    : last_filed === null
    ? "No filing date on file"
    : `Filed ${formatForPeople(last_filed)}${last_filed > today ? ", a future date" : ""}`;
  const found = state === "unknown"
    ? missed ? `MCS-150 was due ${due}; whether it was filed is unclear` : undefined
    : checkState !== "bad" && checkState !== "warn"
    ? undefined
    : state === "due-soon"
    ? `MCS-150 due by ${due}`
    : `MCS-150 ${checkState === "bad" ? "" : "may be "}overdue since ${due}`;
  return {
    state: checkState,
    data: refused !== undefined || last_filed !== null && last_filed > today
      ? "unusable"
      : last_filed === null
      ? "missing"
      : "used",
    summary: `${filed}; ${
      missed ? `was due ${due}` : state === "due-soon" ? `due soon, by ${due}` : `next due ${due}`
    }`,
    detail: [
      ...standing(input),
      ...(seen ? [] : [
        `The census is dated ${
          formatForPeople(dates.data_date)
        } and may lack filings made by ${due}.`,
      ]),
      ...(missed && next_due >= DEACTIVATION_PAUSE.dueFrom ? [PAUSE] : []),
      ...doubts,
    ],
    cited: CITED,
    ...(found !== undefined && {
      found: {
        text: found,
        reasons: checkState === "bad" ? [] : missed
          ? [
            "It may have filed since the date of the census.",
            ...(doubts.length > 0 ? ["It may not owe the update."] : []),
          ]
          : ["The date recurs every two years; nothing is late yet."],
      },
    }),
  };
}

function standing({ record, mcs150, today, dates, census }: CheckInput): string[] {
  const { last_filed, next_due, days_until_due, state, early, registration, first } = mcs150;
  const due = formatForPeople(next_due);
  const asking = [
    `Based on its USDOT number, the next update is due by ${due}.`,
    "Ask the carrier when it last filed.",
  ];
  if (record.refused?.mcs150_date !== undefined) {
    return [
      `The MCS-150 date in ${census}, ${
        quoted(record.refused.mcs150_date)
      }, isn't usable, so when ` +
      "it last filed is unknown.",
      ...asking,
    ];
  }
  if (last_filed === null) {
    return [`No MCS-150 filing date in ${census}: it may or may not have filed.`, ...asking];
  }
  const day = formatForPeople(last_filed);
  const filed = `Last MCS-150 filed ${day}, according to ${census}.`;
  if (last_filed > today) {
    return [filed, "That date is in the future, so it proves nothing.", ...asking];
  }
  const unseen = dates.notice === undefined
    ? `Filings after ${formatForPeople(dates.data_date)} aren't included.`
    : "Newer filings aren't included.";
  const old = addMonths(parseDate(last_filed), SAFER_OUTDATED_MONTHS) <= parseDate(today)
    ? ["SAFER may mark this filing as outdated: it is at least 24 months old."]
    : [];
  const missed = `the update due by ${due}, ${plural(-days_until_due, "day")} ago`;
  const added = record.added === undefined ? "" : formatForPeople(record.added);
  if (state === "overdue") {
    return [
      filed,
      `${capitalized(missed)}, is not in that file.`,
      "It is due even when nothing changed.",
      ...old,
      unseen,
      "Ask the carrier for proof of a newer filing.",
    ];
  }
  if (state === "unknown") {
    return [
      filed,
      registration
        ? `That is the registration itself (added ${added}), which does not replace ${missed}.`
        : `That is more than 12 months before ${missed}. Whether a filing that early counts for it ` +
          "is not settled.",
      "So it may or may not be overdue.",
      ...old,
      unseen,
      "Ask the carrier whether it has filed since.",
    ];
  }
  const days = days_until_due === 0 ? "today" : `in ${plural(days_until_due, "day")}`;
  // Why a filing or a registration does not change the next date.
  const note = early
    ? `Filed early, on ${day}: whether an early filing counts for ${due} is not settled, so plan ` +
      "to file again by then."
    : registration
    ? `The filing is the registration itself (added ${added}), so the due date ${due} is unchanged.`
    : first
    ? `Its record was added ${added}: no scheduled date has passed since.`
    : undefined;
  return [filed, `Next update due by ${due}, ${days}.`, ...(note ? [note] : []), ...old, unseen];
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
