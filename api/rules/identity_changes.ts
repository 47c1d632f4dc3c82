/**
 * Recent changes of a carrier's identity and place, as findings. They are facts: both a stolen identity
 * and an ordinary move look like this.
 *
 * @module
 */
import type { PastSnapshot } from "../../pipeline/snapshot/chain.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record/record.ts";
import { formatDate, parseDate } from "../../pipeline/dates.ts";
import { changeSentence, listChanges } from "./changes.ts";
import type { CheckInput } from "./check.ts";
import TABLE from "./identity_changes.json" with { type: "json" };
import type { Finding, IDENTITY_CHANGES } from "./schemas.ts";

/** A change is a finding for this many days. */
export const RECENT_DAYS = 30;

const GROUPS: Readonly<
  Record<
    typeof IDENTITY_CHANGES[number],
    { label: string; members: readonly string[]; reasons: string[] }
  >
> = TABLE;

const MEMBERS = new Set(Object.values(GROUPS).flatMap(({ members }) => members));

/** Whether a record has changes that are findings on a day. */
export function changedLately({ changes = [] }: CarrierRecord, today: string): boolean {
  return changes.some(({ day, member }) => MEMBERS.has(member) && isRecent(day, today));
}

function isRecent(day: string, today: string): boolean {
  return day >= formatDate(parseDate(today) - RECENT_DAYS);
}

/** One finding for each group of members that changed, in the order of the table. */
export function identityChanges(
  { record, today, census, dates: { gaps } }: CheckInput,
  chain: readonly PastSnapshot[],
): Finding[] {
  if (!changedLately(record, today)) return [];
  const recent = listChanges(record, { chain, gaps }).filter(({ between: [, day] }) =>
    isRecent(day!, today)
  );
  return Object.entries(GROUPS).flatMap(([id, { label, members, reasons }]): Finding[] => {
    const changes = recent.filter(({ member }) => members.includes(member));
    if (changes.length === 0) return [];
    return [{
      kind: "fact",
      id: id as keyof typeof GROUPS,
      text: `${label} in the last ${RECENT_DAYS} days`,
      detail: `${changes.map(changeSentence).join(" ")} Source: ${census}.`,
      reasons,
    }];
  });
}
