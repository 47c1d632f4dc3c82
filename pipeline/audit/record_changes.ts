/**
 * Exact counts of what changed between two snapshots, carrier by carrier: filed members, the individual
 * columns of members that combine several, and inspection figures.
 *
 * @module
 */

import {
  CARGO,
  CENSUS_MEMBERS,
  DRIVERS,
  MARKS,
  type Member,
  VEHICLE_PLACE,
} from "../snapshot/record/members.ts";
import { INSPECTION_FLAG, MAX_INSPECTIONS } from "../snapshot/record/record.ts";
import { ABSENT, FILED, isLeftRow, isSameStored, RECORD_COLUMNS } from "../snapshot/record/rows.ts";

/** Counts over the carriers of two snapshots. Plain data: a worker posts them. */
export interface RecordChangeCounts {
  /** Positions of a row that are not compared, because our code began to read them differently. */
  skipped: readonly number[];
  /** Carriers of both snapshots. */
  compared: number;
  arrived: number;
  left: number;
  /**
   * By index in `FACTS`: carriers with a value in either snapshot; for a figure, its sum over both snapshots.
   */
  having: number[];
  /**
   * By index in `FACTS`: carriers whose value differs; for a figure, the sum of each carrier's absolute
   * difference.
   */
  changed: number[];
}

/** The form of {@link RecordChangeCounts} in the report. */
export interface RecordChanges extends Pick<RecordChangeCounts, "compared" | "arrived" | "left"> {
  facts: [name: string, column: string, having: number, changed: number][];
}

type Row = readonly unknown[];
type Parts = (value: unknown) => readonly unknown[];

const FILED_MEMBERS = RECORD_COLUMNS.slice(0, FILED).map(([name]) => name);

const NONE: readonly never[] = [];
const MARKED: readonly unknown[] = [true];

const listed: Parts = (value) => Array.isArray(value) ? value : NONE;
const isMarked: Parts = (value) => value === true ? MARKED : NONE;

/**
 * Members that are also compared part by part, with the column of each part: members that combine many
 * columns, and members for which most carriers have the same value. A part counts as absent when it is blank,
 * 0 or that common value.
 */
const SPLIT: Record<string, [columns: readonly string[], parts: Parts]> = {
  hazmat: [["HM_Ind (Y)"], isMarked],
  roles: [["CARSHIP (not C)"], (value) => value === "C" ? NONE : [value]],
  cargo: [Object.keys(CARGO), (value) => {
    const marks: unknown[] = [];
    for (const letter of value as string) marks[MARKS.indexOf(letter)] = "X";
    return marks;
  }],
  driver_counts: [Object.values(DRIVERS), listed],
  vehicles: [vehicleColumns(), listed],
  prior_revoked: [["PRIOR_REVOKE_FLAG (Y)"], isMarked],
  mailing: [
    CENSUS_MEMBERS.mailing.columns,
    // A null part equals the physical address and counts as absent. A blank part is filed as blank, so it
    // counts.
    (value) => listed(value).map((part) => part === ABSENT ? "blank" : part),
  ],
  dockets: [
    [1, 2, 3].flatMap((slot) => ["PREFIX", "", "_STATUS_CODE"].map((end) => `DOCKET${slot}${end}`)),
    (value) => {
      const parts: unknown[] = [];
      for (const [prefix, number, status] of listed(value) as unknown[][]) {
        parts.push(prefix === "MC" ? ABSENT : prefix, number, status);
      }
      return parts;
    },
  ],
};

/** The column at each position of `vehicles`. Columns that are added together are joined with ` + `. */
function vehicleColumns(): string[] {
  const columns: string[][] = [];
  for (const [column, place] of Object.entries(VEHICLE_PLACE)) {
    (columns[place] ??= []).push(column);
  }
  return columns.map((added) => added.join(" + "));
}

/**
 * In order: the members, each at its position minus 1; the parts of members; the figures; the last
 * inspection.
 */
const FACTS: [member: string, column: string][] = FILED_MEMBERS.slice(1).map((name) => [
  name,
  name === "dockets" ? "DOCKET1PREFIX to DOCKET3_STATUS_CODE" : columnsOf(name),
]);

/** By position in a row: how its value is split, and the index in {@link FACTS} of the first part. */
const PARTS: ({ parts: Parts; first: number } | undefined)[] = FILED_MEMBERS.map((name) => {
  const split = SPLIT[name];
  if (split === undefined) return undefined;
  const [columns, parts] = split;
  const first = FACTS.length;
  for (const column of columns) FACTS.push([name, column]);
  return { parts, first };
});

function columnsOf(member: string): string {
  const { columns } = (CENSUS_MEMBERS as Readonly<Record<string, Member>>)[member]!;
  return columns.length === 1 ? columns[0]! : `${columns[0]} to ${columns.at(-1)}`;
}

/** A stored inspection summary, and an inspection that it lists; FORMAT.md has the positions. */
type Summary = readonly unknown[];
type Listed = readonly number[];

const pairAt = (position: number, item: 0 | 1) => (summary: Summary): number =>
  (summary[position] as Listed | undefined)?.[item] || 0;

const sumAt = (position: number) => (_: Summary, rows: readonly Listed[]): number => {
  let sum = 0;
  for (const row of rows) sum += row[position] ?? 0;
  return sum;
};

/**
 * Figures of a carrier's inspections, computed from the summary and, if it lists every inspection, from that
 * list.
 */
const FIGURES: [
  name: string,
  column: string,
  of: (summary: Summary, rows: readonly Listed[]) => number,
][] = [
  ["inspections", "DOT_NUMBER", ([total]) => total as number | undefined ?? 0],
  ["violations", "VIOL_TOTAL", ([, , violations]) => violations as number | undefined ?? 0],
  ["vehicle_inspections", "INSP_LEVEL_ID", pairAt(3, 0)],
  ["vehicle_oos", "VEHICLE_OOS_TOTAL", pairAt(3, 1)],
  ["driver_inspections", "INSP_LEVEL_ID", pairAt(4, 0)],
  ["driver_oos", "DRIVER_OOS_TOTAL", pairAt(4, 1)],
  ["hazmat_inspections", "HAZMAT_PLACARD_REQ or HAZMAT_VIOL_TOTAL", pairAt(5, 0)],
  ["hazmat_oos", "HAZMAT_OOS_TOTAL", pairAt(5, 1)],
  ["interstate", "INSP_INTERSTATE", pairAt(8, 0)],
  ["placarded", "HAZMAT_PLACARD_REQ", pairAt(9, 0)],
  ["renamed", "INSP_CARRIER_NAME", pairAt(10, 0)],
  ["vehicle_violations", "VEHICLE_VIOL_TOTAL", sumAt(4)],
  ["driver_violations", "DRIVER_VIOL_TOTAL", sumAt(6)],
  ["hazmat_violations", "HAZMAT_VIOL_TOTAL", sumAt(8)],
  [
    "post_crash",
    "POST_ACC_IND",
    (_, rows) => rows.filter((row) => row[10]! & INSPECTION_FLAG.postCrash).length,
  ],
];

/** Columns of codes. Each is compared as one figure: how many of the listed inspections have each code. */
const CODES: [name: string, column: string, at: number][] = [
  ["states", "REPORT_STATE", 1],
  ["levels", "INSP_LEVEL_ID", 2],
];

const FIRST_FIGURE = FACTS.length;
for (const [name, column] of [...FIGURES, ...CODES]) FACTS.push([name, column]);
const LAST_INSPECTION = FACTS.push(["last_inspection", "INSP_DATE"]) - 1;

/** Names of the facts that are figures of inspections. */
export const INSPECTION_FIGURES: ReadonlySet<string> = new Set(
  FACTS.slice(FIRST_FIGURE, LAST_INSPECTION).map(([name]) => name),
);

/** @param skipped Positions of a row that are not to be compared. */
export function noRecordChanges(skipped: readonly number[] = []): RecordChangeCounts {
  const having = FACTS.map(() => 0);
  return { skipped, compared: 0, arrived: 0, left: 0, having, changed: [...having] };
}

/** Counts a carrier by its rows in the previous and in the new snapshot, null where it has none. */
export function countPair(counts: RecordChangeCounts, before: Row | null, after: Row | null): void {
  const wasThere = before !== null && !isLeftRow(before);
  if (after === null) counts.left += wasThere ? 1 : 0;
  else if (!wasThere) counts.arrived++;
  else countKept(counts, { before, after, inspections: before[FILED] });
}

/** Counts a carrier whose filed values are all equal, from its row and its previous inspections. */
export function countUnchanged(counts: RecordChangeCounts, row: Row, inspections: unknown): void {
  countKept(counts, { before: row, after: row, inspections });
}

function countKept(
  counts: RecordChangeCounts,
  { before, after, inspections }: { before: Row; after: Row; inspections: unknown },
): void {
  counts.compared++;
  if (before === after) countPresent(counts, after);
  else countFiled(counts, before, after);
  const summaryOf = (stored: unknown) => (stored || undefined) as Summary | undefined;
  countInspections(counts, summaryOf(inspections), summaryOf(after[FILED]));
}

/**
 * Counts what {@link countFiled} would for two equal rows, but faster. On most days nearly all rows are
 * equal.
 */
function countPresent({ having, skipped }: RecordChangeCounts, row: Row): void {
  const end = Math.min(FILED, row.length);
  for (let position = 1; position < end; position++) {
    const value = row[position];
    if (value === ABSENT || skipped.includes(position)) continue;
    having[position - 1]!++;
    const split = PARTS[position];
    if (split === undefined) continue;
    const parts = split.parts(value);
    for (let i = 0; i < parts.length; i++) if (parts[i]) having[split.first + i]!++;
  }
}

function countFiled(counts: RecordChangeCounts, before: Row, after: Row): void {
  const { having, changed, skipped } = counts;
  const end = Math.min(FILED, Math.max(before.length, after.length));
  for (let position = 1; position < end; position++) {
    const then = before[position] ?? ABSENT;
    const now = after[position] ?? ABSENT;
    if (then === ABSENT && now === ABSENT) continue;
    if (skipped.includes(position)) continue;
    const isSame = isSameStored(then, now);
    having[position - 1]!++;
    if (!isSame) changed[position - 1]!++;
    const split = PARTS[position];
    if (split === undefined) continue;
    const { parts, first } = split;
    const are = parts(now);
    const were = isSame ? are : parts(then);
    const most = Math.max(are.length, were.length);
    for (let i = 0; i < most; i++) {
      const was = were[i] || ABSENT;
      const is = are[i] || ABSENT;
      if (was === ABSENT && is === ABSENT) continue;
      having[first + i]!++;
      if (was !== is) changed[first + i]!++;
    }
  }
}

function countInspections(
  { having, changed }: RecordChangeCounts,
  before: Summary | undefined,
  after: Summary | undefined,
): void {
  if (before === undefined && after === undefined) return;
  having[LAST_INSPECTION]!++;
  if (before?.[1] !== after?.[1]) changed[LAST_INSPECTION]!++;
  const [then, now] = [before ?? NONE, after ?? NONE];
  const areListed = isListed(then) && isListed(now);
  const rowsOf = (summary: Summary) => (areListed && summary[6] || NONE) as readonly Listed[];
  const [were, are] = [rowsOf(then), rowsOf(now)];
  let fact = FIRST_FIGURE;
  for (const [, , of] of FIGURES) {
    const is = of(now, are);
    const was = then === now ? is : of(then, were);
    having[fact]! += was + is;
    changed[fact++]! += Math.abs(is - was);
  }
  for (const [, , at] of CODES) {
    having[fact]! += were.length + are.length;
    changed[fact++]! += then === now ? 0 : codesMoved(were, are, at);
  }
}

/** Whether a summary lists every inspection. */
function isListed([total = 0, , , , , , latest]: Summary): boolean {
  return total === 0 || total as number <= MAX_INSPECTIONS && Array.isArray(latest);
}

/** Sum over all codes of how many more or fewer inspections have the code. */
function codesMoved(were: readonly Listed[], are: readonly Listed[], at: number): number {
  const more = new Map<unknown, number>();
  for (const row of were) more.set(row[at], (more.get(row[at]) ?? 0) - 1);
  for (const row of are) more.set(row[at], (more.get(row[at]) ?? 0) + 1);
  let moved = 0;
  for (const count of more.values()) moved += Math.abs(count);
  return moved;
}

/** Adds all of `from` to `into`. */
export function mergeRecordChanges(into: RecordChangeCounts, from: RecordChangeCounts): void {
  for (const name of ["compared", "arrived", "left"] as const) into[name] += from[name];
  for (const name of ["having", "changed"] as const) {
    from[name].forEach((count, i) => into[name][i]! += count);
  }
}

/** The counts with their names, without facts that no carrier has. */
export function recordChanges(
  { compared, arrived, left, having, changed }: RecordChangeCounts,
): RecordChanges {
  const facts = FACTS.map((
    fact,
    i,
  ): RecordChanges["facts"][number] => [...fact, having[i]!, changed[i]!]);
  return { compared, arrived, left, facts: facts.filter(([, , count]) => count > 0) };
}
