/**
 * The MCS-150 verdict.
 *
 * Interstate carriers, hazmat safety permit carriers and intermodal equipment providers owe the
 * update. Intrastate carriers owe it only where their state adopted the rule, and brokers and
 * forwarders that are not carriers are said not to owe it: there a missed date is only a reason to ask.
 *
 * @module
 */
import { plural } from "../../pipeline/text.ts";
import { formatForPeople } from "./calendar.ts";
import { DEACTIVATION_PAUSE, MCS150_CITATION, MCS150_URL, type Mcs150Standing } from "./mcs150.ts";
import type { Check, CheckState } from "./schemas.ts";
import { census, censusBasis, type CheckInput, filingsAfter } from "./check_input.ts";
import { hasRole, lacksRole, roleWords } from "./roles.ts";

const CITED = { citation: MCS150_CITATION, url: MCS150_URL };

const PAUSE = `FMCSA is reported (last checked ${
  formatForPeople(DEACTIVATION_PAUSE.lastChecked)
}) to have paused deactivation for updates due on or after ${
  formatForPeople(DEACTIVATION_PAUSE.dueFrom)
}; filing is still required.`;

/**
 * `bad` when overdue, `warn` when due soon, `ok` when filed, `info` when unknown. Where the census is
 * older than the missed date, or where it is not certain that the carrier owes the update, `bad`
 * becomes `warn`; in the second case `warn` for `due-soon` becomes `info`.
 */
export function checkMcs150(input: CheckInput): Check {
  const { mcs150, dataDate } = input;
  const doubt = doubtfulScope(input);
  const unseen = mcs150.days_until_due < 0 && mcs150.next_due > dataDate;
  const parts = [finding(input)];
  if (mcs150.days_until_due < 0 && mcs150.next_due >= DEACTIVATION_PAUSE.dueFrom) parts.push(PAUSE);
  if (doubt !== undefined) parts.push(doubt);
  return {
    id: "mcs150",
    label: "MCS-150 update",
    state: stateOf(mcs150, { doubtful: doubt !== undefined, unseen }),
    summary: summaryOf(mcs150, input.today),
    detail: parts.join(" "),
    basis: censusBasis(input, CITED),
  };
}

function stateOf(
  { state }: Mcs150Standing,
  { doubtful, unseen }: { doubtful: boolean; unseen: boolean },
): CheckState {
  switch (state) {
    case "overdue":
      return doubtful || unseen ? "warn" : "bad";
    case "due-soon":
      return doubtful ? "info" : "warn";
    case "ok":
      return "ok";
    case "unknown":
      return "info";
  }
}

function summaryOf(
  { last_filed, next_due, days_until_due }: Mcs150Standing,
  today: string,
): string {
  const filed = last_filed === null
    ? "No filing date on file"
    : `Filed ${formatForPeople(last_filed)}${last_filed > today ? ", a day to come" : ""}`;
  return `${filed}; ${days_until_due < 0 ? "was" : "next"} due ${formatForPeople(next_due)}`;
}

function finding(input: CheckInput): string {
  const { mcs150, record, today } = input;
  const { last_filed, next_due, days_until_due, state } = mcs150;
  const due = formatForPeople(next_due);
  if (last_filed === null) {
    return `No MCS-150 filing date in ${
      census(input)
    }: it may or may not have filed. By its USDOT ` +
      `number the next update is due by ${due}. Ask the carrier when it last filed.`;
  }
  const filed = `Last MCS-150 filed ${formatForPeople(last_filed)}, according to ${census(input)}.`;
  if (last_filed > today) {
    return `${filed} That date has not come yet, so nothing follows from it. By its USDOT number ` +
      `the next update is due by ${due}. Ask the carrier when it last filed.`;
  }
  const ago = (): string => `${plural(-days_until_due, "day")} ago`;
  switch (state) {
    case "overdue":
      return `${filed} The update due by ${due}, ${ago()}, is not in that file. It is due even when ` +
        `nothing changed. ${filingsAfter(input)} Ask the carrier for proof of a newer filing.`;
    case "unknown":
      return `${filed} ${
        mcs150.registration
          ? `That is the registration itself (added ${
            formatForPeople(record.added!)
          }), which does ` +
            `not replace the update due by ${due}, ${ago()}.`
          : `That is more than 12 months before the update due by ${due}, ${ago()}. Whether so early ` +
            "a filing counts for it is not settled."
      } So it may or may not be overdue. ${filingsAfter(input)} Ask the carrier whether it has ` +
        "filed since.";
    default:
      return [
        filed,
        `Next update due by ${due}, ${
          days_until_due === 0 ? "today" : `in ${plural(days_until_due, "day")}`
        }.`,
        ...notes(input, due),
        filingsAfter(input),
      ].join(" ");
  }
}

/** Why a filing or a registration does not change the date that is coming. */
function notes({ mcs150, record }: CheckInput, due: string): string[] {
  const { early, registration, first, last_filed } = mcs150;
  if (early) {
    return [
      `Filed early, on ${
        formatForPeople(last_filed!)
      }: whether an early filing counts for ${due} ` +
      "is not settled, so plan to file again by then.",
    ];
  }
  if (registration) {
    return [
      `The filing is the registration itself (added ${formatForPeople(record.added!)}), so the ` +
      `due date ${due} is unchanged.`,
    ];
  }
  if (first) {
    return [
      `Its record was added ${formatForPeople(record.added!)}: no scheduled date has passed since.`,
    ];
  }
  return [];
}

function doubtfulScope({ record }: CheckInput): string | undefined {
  if (lacksRole(record, "C", "I")) {
    const words = roleWords(record);
    return hasRole(record, "B", "F")
      ? `Registered as ${words}, not as a carrier; brokers and freight forwarders that run no ` +
        "vehicles are said not to owe the update, so whether it does is uncertain."
      : `Registered as ${words}, not as a carrier, so whether it owes the update is uncertain.`;
  }
  if (hasRole(record, "I")) return undefined;
  switch (record.operation) {
    case "A":
      return undefined;
    case "B":
      return "Registered as intrastate with hazardous materials: the federal rule applies to it " +
        "with a hazardous materials safety permit, otherwise only where its state adopted the rule.";
    case "C":
      return "Registered as intrastate: the update is owed only where its state adopted the rule.";
    default:
      return "The census doesn't say whether it operates interstate, so whether it owes the update " +
        "is uncertain.";
  }
}
