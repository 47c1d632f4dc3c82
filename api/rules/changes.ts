/**
 * A carrier's changes between published snapshots, as a list and in sentences. A change is dated between
 * two data dates, never on a single day.
 *
 * @module
 */
import { z } from "zod";
import { dateBefore, type PastSnapshot } from "../../pipeline/snapshot/chain.ts";
import type { Manifest } from "../../pipeline/snapshot/manifest.ts";
import {
  type CarrierRecord,
  isRecord,
  type LeftCarrier,
  MAX_CHANGES,
  type RecordChange,
  type RefusedMember,
} from "../../pipeline/snapshot/record/record.ts";
import { capitalized, inert, plural, quoted } from "../../pipeline/text.ts";
import { addMonths, formatDate, formatForPeople, parseDate } from "../../pipeline/dates.ts";
import {
  type ChangedMember,
  labelInSentence,
  LISTED_IN_CENSUS,
  MEMBER_LABELS,
  plainText,
  textForPeople,
} from "./change_words.ts";
import * as m from "./members.ts";

/** Months for which a record keeps its changes. */
export const HISTORY_MONTHS = 24;

/** What is known of a value before or after a change. */
const VALUE_STATES = ["known", "blank", "unusable", "hidden", "unknown"] as const;

/** Two data dates. */
export const Between = z.array(z.iso.date()).length(2);

const VALUE_STATE_WORDS =
  "`known`; `blank` in the census; `unusable`: the text as filed, which can't be used; `hidden`: phone, " +
  "street and mailing address are not listed; `unknown`: not kept when a carrier leaves the census, nor over a gap";

export const CarrierChange = z.object({
  between: Between.meta({
    description: "Data dates of the last snapshot before the change and of the first after it",
    example: ["2026-10-11", "2026-10-12"],
  }),
  member: m.oneOf(
    Object.keys(MEMBER_LABELS) as [ChangedMember, ...ChangedMember[]],
    "As FORMAT.md names it; `dot`: the carrier entered the census",
    "status",
  ),
  label: m.text("Name for people", "Status"),
  was: m.filed("The value before; null when there is none to show", "active"),
  was_state: m.oneOf(VALUE_STATES, VALUE_STATE_WORDS, "known"),
  now: m.filed("The value after this change, which a later one may have changed again", "inactive"),
  now_state: m.oneOf(VALUE_STATES, "As `was_state`", "known"),
  last_seen: z.iso.date().optional().describe(
    "Of `dot`: data date of the last snapshot that had the carrier before, if any did",
  ),
}).meta({ id: "CarrierChange", description: "One filed value that changed" });

export type CarrierChange = z.infer<typeof CarrierChange>;

/** The changes of a record, and the snapshots in which they were seen. */
export interface ChangeContext {
  /** As in the snapshot. */
  chain: readonly PastSnapshot[];
  /** As in the manifest. */
  gaps: Manifest["gaps"] | undefined;
}

type Value = Pick<CarrierChange, "now" | "now_state">;

const HIDDEN_VALUE: Value = { now: null, now_state: "hidden" };
const UNKNOWN_VALUE: Value = { now: null, now_state: "unknown" };

/** The changes of a carrier with the values after each, newest first. */
export function listChanges(
  carrier: CarrierRecord | LeftCarrier,
  { chain, gaps = [] }: ChangeContext,
): CarrierChange[] {
  // The list is newest first: the value after a change is the value before the next newer one.
  const later = new Map<string, Value & { day: string }>();
  // A member may have changed unseen on a day on which it was not compared.
  const isUnseen = (member: string, from: string, to: string | undefined): boolean =>
    gaps.some(({ day, members }) =>
      members.includes(member) && day > from && (to === undefined || day < to)
    );
  let isKept = isRecord(carrier);
  return (carrier.changes ?? []).map((change): CarrierChange => {
    const { day, member } = change;
    const between = [dateBefore(day, chain) ?? day, day];
    const named = { member: member as ChangedMember, label: labelOf(member) };
    if (member === "dot") {
      // The values that it had when it left are not kept.
      later.clear();
      isKept = false;
      const { was, now } = LISTED_IN_CENSUS;
      const states = { was, was_state: "known", now, now_state: "known" } as const;
      const last_seen = change.was as string | undefined;
      return { between, ...named, ...states, ...(last_seen !== undefined && { last_seen }) };
    }
    const known = later.get(member);
    const { now, now_state } = change.isHidden
      ? HIDDEN_VALUE
      : isUnseen(member, day, known?.day) || known === undefined && !isKept
      ? UNKNOWN_VALUE
      : known ?? valueNow(carrier as CarrierRecord, member);
    const before = valueBefore(change);
    later.set(member, { ...before, day });
    return { between, ...named, was: before.now, was_state: before.now_state, now, now_state };
  });
}

function labelOf(member: string): string {
  return MEMBER_LABELS[member as ChangedMember] ?? member;
}

function valueNow(record: CarrierRecord, member: string): Value {
  const refused = record.refused?.[member as RefusedMember];
  if (refused !== undefined) return { now: refused, now_state: "unusable" };
  return valueOf(member, record[member as keyof CarrierRecord]);
}

function valueBefore({ member, was, wasRefused, isHidden }: RecordChange): Value {
  if (isHidden) return HIDDEN_VALUE;
  if (wasRefused !== undefined) return { now: wasRefused, now_state: "unusable" };
  return valueOf(member, was);
}

function valueOf(member: string, value: unknown): Value {
  const now = plainText(member, value);
  return { now, now_state: now === null ? "blank" : "known" };
}

/**
 * The day from which changes are listed: the first of the chain, or 24 months back, or the oldest day
 * listed when the list is full.
 */
export function watchedSince(
  { changes = [] }: Pick<CarrierRecord | LeftCarrier, "changes">,
  { chain }: Pick<ChangeContext, "chain">,
): string {
  if (changes.length >= MAX_CHANGES) return changes.at(-1)!.day;
  const current = chain.at(-1)!.data_date;
  const first = chain.map(({ data_date }) => data_date).sort()[0]!;
  const earliest = formatDate(addMonths(parseDate(current), -HISTORY_MONTHS) + 1);
  return first > earliest ? first : earliest;
}

/** When a carrier that left the census did so: the data dates of the last snapshot with it and the next. */
export function leftBetween(
  { last_seen }: LeftCarrier,
  { chain }: Pick<ChangeContext, "chain">,
): string[] {
  const next = chain.map(({ data_date }) => data_date).filter((day) => day > last_seen).sort()[0];
  return [last_seen, next ?? last_seen];
}

/** Members that were not compared between two data dates because our code began to read them differently. */
export function listGaps(
  { gaps = [], chain }: ChangeContext,
): { between: string[]; members: string[] }[] {
  return gaps.map(({ day, members }) => ({
    between: [dateBefore(day, chain) ?? day, day],
    members,
  }));
}

/** `Between Oct 11 and Oct 12, 2026`; both dates have a year if the years differ. */
export function betweenWords([from, to]: readonly string[]): string {
  if (from === to) return `By ${formatForPeople(to!)}`;
  const [first, last] = [from!, to!].map(formatForPeople) as [string, string];
  const year = last.slice(-6);
  const short = first.endsWith(year) ? first.slice(0, -year.length) : first;
  return `Between ${short} and ${last}`;
}

/** Changes between the same data dates together, in their order. */
export function byPeriod(
  changes: readonly CarrierChange[],
): { between: readonly string[]; changes: CarrierChange[] }[] {
  return [...Map.groupBy(changes, ({ between }) => between.join()).values()]
    .map((changes) => ({ between: changes[0]!.between, changes }));
}

/** Maximum number of labels that a gap names; if there are more, only their number is given. */
const NAMED_MEMBERS = 5;

/** `Not compared between Oct 11 and Oct 12, 2026, because we read it differently afterward: DBA name`. */
export function gapLine(
  { between, members }: { between: readonly string[]; members: readonly string[] },
): string {
  const when = betweenWords(between);
  const [it, what] = members.length === 1
    ? ["it", labelOf(members[0]!)]
    : members.length > NAMED_MEMBERS
    ? ["them", plural(members.length, "field")]
    : ["them", members.map(labelOf).join(", ")];
  return `Not compared ${
    when.charAt(0).toLowerCase() + when.slice(1)
  }, because we read ${it} differently afterward: ${what}`;
}

/** Why changes of some members have no values. */
export const HIDDEN_NOTE = "We don't list old contact details.";

/** `Tracked since Oct 1, 2026`. */
export function watchedWords({ since }: { since: string }): string {
  return `Tracked since ${formatForPeople(since)}`;
}

interface CountedChanges {
  changes: readonly CarrierChange[];
  /** Present when the carrier left. */
  removed?: unknown;
}

/** `no changes`, `3 changes`, and that the carrier left. */
export function changesCount({ changes, removed }: CountedChanges): string {
  const all = changes.length + (removed === undefined ? 0 : 1);
  return all === 0 ? "no changes" : plural(all, "change");
}

/** A value of a change for people: `"ACME INC"`, `Oct 3, 2026`, `blank`. */
export function valueWords(change: CarrierChange, side: "was" | "now"): string {
  const [text, state] = side === "was"
    ? [change.was, change.was_state]
    : [change.now, change.now_state];
  if (state === "unusable") return `${quoted(text!)} (not usable)`;
  return state === "known" ? inert(textForPeople(change.member, text!), 400) : state;
}

/** `Status: active → inactive`, or that it changed. */
export function changeLine(change: CarrierChange): string {
  const { label, was_state, member, last_seen } = change;
  if (member === "dot") {
    const seen = last_seen === undefined ? "" : `, last seen on ${formatForPeople(last_seen)}`;
    return `Entered the census${seen}`;
  }
  if (was_state === "hidden") return `${label}: changed`;
  return `${label}: ${valueWords(change, "was")} → ${valueWords(change, "now")}`;
}

/** `Between Oct 11 and Oct 12, 2026: Status: active → inactive`. */
export function periodLine(change: CarrierChange): string {
  return `${betweenWords(change.between)}: ${changeLine(change)}`;
}

/** `Between Oct 11 and Oct 12, 2026: No longer in the census`. */
export function removedLine({ between }: { between: readonly string[] }): string {
  return `${betweenWords(between)}: No longer in the census`;
}

/** How many changes a history lists, from which day, and that the carrier left. */
export function changesHead(history: CountedChanges & { since: string }): string {
  const day = formatForPeople(history.since);
  return `${
    capitalized(changesCount(history))
  } since ${day}. What changed before that day isn't known here.`;
}

/** `Between Oct 11 and Oct 12, 2026 the legal name changed from "A" to "B".` */
export function changeSentence(change: CarrierChange): string {
  const what = `${betweenWords(change.between)} the ${labelInSentence(change.label)} changed`;
  if (change.was_state === "hidden") return `${what}.`;
  return `${what} from ${valueWords(change, "was")} to ${valueWords(change, "now")}.`;
}
