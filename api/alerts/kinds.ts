/**
 * The kinds of news that a subscriber chooses from.
 *
 * @module
 */

import type { CarrierChange } from "../rules/changes.ts";

export type AlertKind = "deadline" | "status" | "rating" | "identity" | "fleet" | "inspections";

interface KindRow {
  /** Its letter in a stored subscription. */
  letter: string;
  label: string;
  /** The members whose changes are of this kind. */
  members: readonly CarrierChange["member"][];
}

/** Days before a deadline on which an alert is sent, in ascending order. */
export const NOTICE_DAYS = [1, 7, 30] as const;

const KINDS: Readonly<Record<AlertKind, KindRow>> = {
  deadline: { letter: "d", label: "MCS-150 due date: 30, 7 and 1 day before", members: [] },
  status: {
    letter: "s",
    label: "Status: USDOT number, out-of-service orders, dockets, prior revocation",
    members: ["status", "orders", "dockets", "prior_revoked", "prior_revoked_dot"],
  },
  rating: {
    letter: "r",
    label: "Safety rating",
    members: ["rating", "rating_date"],
  },
  identity: {
    letter: "i",
    label: "Identity: name, address, phone, undeliverable mail",
    members: [
      "legal_name",
      "dba_name",
      "street",
      "city",
      "state",
      "zip",
      "country",
      "mailing",
      "phone",
      "undeliverable",
      "mail_returned",
    ],
  },
  fleet: {
    letter: "f",
    label: "Fleet: power units up or down by more than half",
    members: ["power_units"],
  },
  inspections: {
    letter: "o",
    label: "Roadside inspections with an out-of-service violation",
    members: [],
  },
};

/** All kinds, in the order of the form. */
export const ALERT_KINDS = Object.keys(KINDS) as readonly AlertKind[];

/** For subscriptions from before kinds could be chosen. */
const BEFORE_CHOICE = "dsr";

export function kindLabel(kind: AlertKind): string {
  return KINDS[kind].label;
}

/** Kinds as a subscription stores them. */
export function storedKinds(kinds: readonly AlertKind[]): string {
  return kinds.map((kind) => KINDS[kind].letter).join("");
}

/** The kinds of a subscription. */
export function kindsOf({ kinds = BEFORE_CHOICE }: { kinds?: string }): AlertKind[] {
  return ALERT_KINDS.filter((kind) => kinds.includes(KINDS[kind].letter));
}

/** Whether any of the kinds reports changes to a carrier's record. */
export function watchesChanges(kinds: readonly AlertKind[]): boolean {
  return kinds.some((kind) => KINDS[kind].members.length > 0);
}

/** The changes of the given kinds. `changes` are those since the last alert, newest first. */
export function changesOfKinds(
  changes: readonly CarrierChange[],
  kinds: readonly AlertKind[],
): CarrierChange[] {
  const fleet = changes.filter(({ member }) => KINDS.fleet.members.includes(member));
  const members = new Set(
    kinds.filter((kind) => kind !== "fleet" || isByHalf(fleet))
      .flatMap((kind) => KINDS[kind].members),
  );
  // Leaving the census and returning to it are reported whatever the kinds.
  return changes.filter(({ member }) => member === "dot" || members.has(member));
}

/** Whether any of the counts differs from the first one by more than half of the first one. */
function isByHalf(changes: readonly CarrierChange[]): boolean {
  const counts = changes.toReversed().flatMap(({ was, was_state, now, now_state }) => [
    ...was_state === "known" ? [Number(was)] : [],
    ...now_state === "known" ? [Number(now)] : [],
  ]);
  return counts.some((count) => 2 * Math.abs(count - counts[0]!) > counts[0]!);
}
