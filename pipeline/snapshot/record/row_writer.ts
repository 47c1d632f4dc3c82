/**
 * Writes carrier records as rows, which rows.ts reads.
 *
 * @module
 */

import { parseDate } from "../../dates.ts";
import type {
  CarrierRecord,
  InspectionSummary,
  LeftCarrier,
  OutOfServiceOrder,
  RecordChange,
} from "./record.ts";
import {
  ABSENT,
  cutRow,
  HIDDEN_VALUE,
  positionOf,
  RECORD_COLUMNS,
  type StoredChanges,
} from "./rows.ts";

/** The row of a carrier that left. */
export function leftRow({ dot, last_seen, changes }: LeftCarrier): unknown[] {
  const left = { last_seen: writtenDay(last_seen) };
  return [dot, changes === undefined ? left : { ...left, changes: writtenChanges(changes) }];
}

/**
 * The row of a record. Written out member by member, because a loop over the columns takes three times as
 * long.
 */
export function rowOf(record: CarrierRecord): unknown[] {
  const r = record;
  return cutRow([
    r.dot,
    r.legal_name,
    r.street ?? ABSENT,
    r.city ?? ABSENT,
    r.state ?? ABSENT,
    r.zip ?? ABSENT,
    r.phone ?? ABSENT,
    r.status,
    r.operation ?? ABSENT,
    r.hazmat ?? ABSENT,
    r.roles?.join(";") ?? ABSENT,
    r.classes?.join(";") ?? ABSENT,
    r.cargo ?? ABSENT,
    r.power_units ?? ABSENT,
    r.drivers ?? ABSENT,
    r.driver_counts ?? ABSENT,
    r.vehicles ?? ABSENT,
    r.mileage ?? ABSENT,
    r.mileage_year ?? ABSENT,
    writtenDay(r.mcs150_date),
    writtenDay(r.added),
    r.prior_revoked ?? ABSENT,
    r.business_form ?? ABSENT,
    r.dba_name ?? ABSENT,
    r.cargo_other ?? ABSENT,
    r.mailing ?? ABSENT,
    r.review_type ?? ABSENT,
    writtenDay(r.review_date),
    r.crash_rate ?? ABSENT,
    r.duns ?? ABSENT,
    r.country ?? ABSENT,
    r.rating ?? ABSENT,
    writtenDay(r.rating_date),
    r.undeliverable ?? ABSENT,
    writtenDay(r.mail_returned),
    r.prior_revoked_dot ?? ABSENT,
    r.dockets?.map((
      { prefix, number, status, statuses = status === undefined ? [] : [status] },
    ) => [prefix, number, ...statuses]) ?? ABSENT,
    r.inspections === undefined ? ABSENT : inspectionsRow(r.inspections),
    r.refused ?? ABSENT,
    r.changes === undefined ? ABSENT : writtenChanges(r.changes),
    r.orders?.map(orderRow) ?? ABSENT,
    r.orders_total ?? ABSENT,
  ]);
}

function writtenChanges(changes: readonly RecordChange[]): StoredChanges {
  const stored: StoredChanges = {};
  for (const { day, member, ...before } of changes) {
    const position = positionOf(member);
    (stored[parseDate(day)] ??= []).push(position, writtenBefore(position, before));
  }
  return stored;
}

function writtenBefore(
  position: number,
  { was, wasRefused, isHidden }: Omit<RecordChange, "day" | "member">,
): unknown {
  if (isHidden) return HIDDEN_VALUE;
  if (wasRefused !== undefined) return { refused: wasRefused };
  if (was === undefined) return ABSENT;
  if (position === 0) return writtenDay(was as string);
  // Each member is written as in a row.
  return rowOf({ [RECORD_COLUMNS[position]![0]]: was } as unknown as CarrierRecord)[position];
}

function inspectionsRow(summary: InspectionSummary): unknown[] {
  const { latest, sums } = summary;
  const kind = (of: InspectionSummary["vehicle"]) => [of.inspections, of.out_of_service];
  return cutRow([
    summary.total,
    writtenDay(summary.last),
    summary.violations,
    kind(summary.vehicle),
    kind(summary.driver),
    kind(summary.hazmat),
    // The first inspection has its days before the window's end. Each later one has its days before the
    // previous one.
    latest?.map(([ago, ...rest], i) => [i === 0 ? ago : ago - latest[i - 1]![0], ...rest]) ??
      ABSENT,
    sums === undefined ? ABSENT : [sums.months, sums.states, sums.levels],
    summary.interstate ?? ABSENT,
    summary.placarded ?? ABSENT,
    summary.renamed ?? ABSENT,
    summary.names ?? ABSENT,
  ]);
}

function writtenDay(day: string | undefined): number | string {
  return day === undefined ? ABSENT : parseDate(day);
}

function orderRow({ date, reason, rescinded, unusable }: OutOfServiceOrder): unknown[] {
  return unusable === undefined
    ? cutRow([writtenDay(date), reason, writtenDay(rescinded)])
    : [unusable.date, reason, unusable.rescinded];
}
