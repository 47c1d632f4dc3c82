/**
 * The MCS-150 verdict in words.
 *
 * Scope: interstate carriers, hazmat safety permit carriers and intermodal equipment providers owe the
 * update. For intrastate carriers it depends on the state, and brokers and forwarders without a
 * carrier's part are said not to owe it: there a missed date is no more than a reason to ask.
 *
 * @module
 */
import { daysBetween, formatForPeople } from "../calendar.ts";
import { DEACTIVATION_PAUSE, MCS150_CITATION, MCS150_URL, mcs150State } from "../mcs150.ts";
import type { CarrierMcs150, Check, CheckState } from "../schemas.ts";
import { censusBasis, type CheckInput } from "./input.ts";
import { hasRole, lacksRole, roleWords } from "./roles.ts";

const CITED = { citation: MCS150_CITATION, url: MCS150_URL };

// Built once from the table: the text is the same for every carrier.
const PAUSE = `FMCSA is reported (last checked ${
  formatForPeople(DEACTIVATION_PAUSE.lastChecked)
}) to have paused deactivation for updates missed from ${
  formatForPeople(DEACTIVATION_PAUSE.dueFrom)
} on; the duty to file stands.`;

/**
 * `bad` when overdue, `warn` when due soon, `ok` when filed, `info` when unknown. Where it is not
 * certain that the carrier owes the update, or where the file is older than the date it was due, so
 * that it cannot hold a filing since, `bad` becomes `warn`; in the first case `warn` becomes `info`.
 */
export function checkMcs150(input: CheckInput): Check {
  const doubt = doubtfulScope(input);
  const parts = [told(input)];
  const missed = input.mcs150.days_until_due < 0;
  if (missed && input.mcs150.next_due >= DEACTIVATION_PAUSE.dueFrom) parts.push(PAUSE);
  if (doubt !== undefined) parts.push(doubt);
  return {
    id: "mcs150",
    label: "MCS-150 update",
    state: stateOf(input.mcs150.state, {
      doubtful: doubt !== undefined,
      seen: missedInFile(input) !== undefined,
    }),
    detail: parts.join(" "),
    basis: censusBasis(input, CITED),
  };
}

/** The deadline that was already missed on the day the file stands for, if one was. */
function missedInFile({ record, dataDate }: CheckInput): string | undefined {
  const then = mcs150State(record.dot, record.mcs150_date, dataDate);
  return then.state === "overdue" ? then.next_due : undefined;
}

function stateOf(
  state: CarrierMcs150["state"],
  { doubtful, seen }: { doubtful: boolean; seen: boolean },
): CheckState {
  switch (state) {
    case "overdue":
      return doubtful || !seen ? "warn" : "bad";
    case "due-soon":
      return doubtful ? "info" : "warn";
    case "ok":
      return "ok";
    case "unknown":
      return "info";
  }
}

function told(input: CheckInput): string {
  const { mcs150, dataDay, today } = input;
  const { last_filed, next_due, days_until_due, state } = mcs150;
  const due = formatForPeople(next_due);
  if (last_filed === null) {
    return `The census of ${dataDay} has no MCS-150 filing date, which does not mean that an ` +
      `update was missed. By its number the next one is due by ${due}. Ask the carrier when it ` +
      "last filed.";
  }
  const filed = formatForPeople(last_filed);
  const says = `The census of ${dataDay} shows the last MCS-150 as filed on ${filed}`;
  if (last_filed > today) {
    return `${says}, a day that has not come yet, so nothing follows from it. By its number the ` +
      `next update is due by ${due}. Ask the carrier when it last filed.`;
  }
  switch (state) {
    case "overdue": {
      const missed = missedInFile(input);
      if (missed === undefined) {
        return `${says}. The update due by ${due}, ${days(-days_until_due)} ago, is not in that ` +
          "file, which is too old to show it: it may have been filed since. Ask the carrier for proof.";
      }
      return `${says}, so the update due by ${formatForPeople(missed)} was missed, ${
        days(daysBetween(missed, today))
      } ago. It is due even when nothing changed. A filing of the last days may not be in the file ` +
        "yet: ask the carrier for proof that it has filed since.";
    }
    case "due-soon":
      return `${says}. The next update is due by ${due}, ${
        days_until_due === 0 ? "today" : `in ${days(days_until_due)}`
      }. A filing of the last days may not be in the file yet.`;
    case "ok":
      return `${says}. The next update is due by ${due}. The file does not show whether what was ` +
        "filed is right; nothing to do until then unless something changes.";
    case "unknown":
      return `${says}, more than 12 months before the update due by ${due}. Whether so early an ` +
        "update counts for that date is not settled, so it may or may not be overdue. Ask the " +
        "carrier whether it has filed since.";
  }
}

function doubtfulScope({ record }: CheckInput): string | undefined {
  if (lacksRole(record, "C", "I")) {
    const words = roleWords(record);
    return hasRole(record, "B", "F")
      ? `It is listed as ${words}, not as a carrier; brokers and freight forwarders that run no ` +
        "vehicles are said not to owe the update."
      : `It is listed as ${words}, not as a carrier, so whether it owes the update is uncertain.`;
  }
  switch (record.operation) {
    case "A":
      return undefined;
    case "B":
      return "It is filed as intrastate with hazardous materials: the federal rule reaches it with " +
        "a hazardous materials safety permit, else only where its state adopted the rule.";
    case "C":
      return "It is filed as intrastate: the update is owed only where its state adopted the rule.";
    default:
      return "The census does not say whether it runs interstate, so whether it owes the update " +
        "is uncertain.";
  }
}

function days(count: number): string {
  return count === 1 ? "1 day" : `${count} days`;
}
