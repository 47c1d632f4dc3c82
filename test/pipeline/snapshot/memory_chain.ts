/**
 * Chains of snapshots in memory, with the changes that a comparison of all of them finds.
 *
 * @module
 */

import type { PastSnapshot } from "../../../pipeline/snapshot/chain.ts";
import {
  type CarrierRecord,
  type LeftCarrier,
  type RecordChange,
  REFUSABLE,
} from "../../../pipeline/snapshot/record/record.ts";
import {
  FILED,
  isHiddenAt,
  ORDERS_AT,
  RECORD_COLUMNS,
} from "../../../pipeline/snapshot/record/rows.ts";
import { type MemorySnapshot, type Objects, putSnapshot } from "./memory.ts";

/** The census of a day, without changes. */
export interface CensusDay {
  dataDate: string;
  carriers: readonly CarrierRecord[];
}

/**
 * Writes one snapshot per census, `2026-10-03-0` and so on; the last is current. A census with the same data date
 * as the one before it corrects that one.
 *
 * @returns The chain, oldest first.
 */
export function putChain(
  objects: Objects,
  days: readonly CensusDay[],
  more: Partial<MemorySnapshot> = {},
): PastSnapshot[] {
  let past: PastSnapshot[] = [];
  for (const [i, { dataDate }] of days.entries()) {
    const id = `${dataDate}-${i}`;
    past = putSnapshot(objects, {
      ...more,
      id,
      dataDate,
      past,
      ...withChanges(days.slice(0, i + 1)),
    });
  }
  return past;
}

/** The carriers of the last census and the removed ones, with the changes between all of them. */
export function withChanges(
  days: readonly CensusDay[],
): { carriers: CarrierRecord[]; left: LeftCarrier[] } {
  // The last census of each data date.
  const kept = days.filter(({ dataDate }, i) => days[i + 1]?.dataDate !== dataDate);
  const dots = new Set(kept.flatMap(({ carriers }) => carriers.map(({ dot }) => dot)));
  const carriers: CarrierRecord[] = [];
  const left: LeftCarrier[] = [];
  for (const dot of dots) {
    const records = kept.map((day) => day.carriers.find((one) => one.dot === dot));
    const changes = records.flatMap((record, i) =>
      i === 0 ? [] : changesOf(records[i - 1], record, {
        day: kept[i]!.dataDate,
        lastSeen: kept[records.findLastIndex((one, at) => at < i && one !== undefined)]?.dataDate,
      })
    ).sort((a, b) => a.day < b.day ? 1 : a.day > b.day ? -1 : 0);
    const listed = changes.length > 0 && { changes };
    const record = records.at(-1);
    if (record !== undefined) carriers.push({ ...record, ...listed });
    else {
      const last_seen = kept[records.findLastIndex((one) => one !== undefined)]!.dataDate;
      left.push({ dot, last_seen, ...listed });
    }
  }
  return { carriers, left };
}

function changesOf(
  before: CarrierRecord | undefined,
  after: CarrierRecord | undefined,
  { day, lastSeen }: { day: string; lastSeen: string | undefined },
): RecordChange[] {
  if (after === undefined) return [];
  if (before === undefined) {
    return [{ day, member: "dot", ...(lastSeen !== undefined && { was: lastSeen }) }];
  }
  return [...RECORD_COLUMNS.slice(1, FILED), RECORD_COLUMNS[ORDERS_AT]!].flatMap((
    [name],
    i,
  ): RecordChange[] => {
    const [was, now] = [before, after].map((record) => filedIn(record, name));
    if (JSON.stringify(was) === JSON.stringify(now)) return [];
    if (i + 1 < FILED && isHiddenAt(i + 1)) return [{ day, member: name, isHidden: true }];
    const { value, refused } = was!;
    if (refused !== undefined) return [{ day, member: name, wasRefused: refused }];
    return [{ day, member: name, ...(value !== undefined && { was: value }) }];
  });
}

const PHYSICAL = ["street", "city", "state", "zip", "country"] as const;

/** A record's value of a member; a blank name is an empty string. */
function filedIn(record: CarrierRecord, name: string): { value: unknown; refused?: string } {
  const refused = REFUSABLE.find((member) => member === name);
  const text = refused && record.refused?.[refused];
  if (text !== undefined) return { value: undefined, refused: text };
  // A record has only those parts of the mailing address that differ from the physical one.
  const value = name === "mailing"
    ? PHYSICAL.map((part, i) => record.mailing?.[i] ?? record[part] ?? "")
    : record[name as keyof CarrierRecord];
  return { value: value === "" ? undefined : value };
}
