/** Chains of builds for tests, from small files that change from day to day. */

import { CENSUS_MEMBERS, type Member } from "../../../pipeline/snapshot/record/members.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import {
  buildFiles,
  censusCsv,
  censusRow,
  CLOCK,
  inspectionCsv,
  inspectionRow,
  type Row,
} from "./files.ts";

const DAY_MS = 86_400_000;
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
export const compact = (day: string): string => day.replaceAll("-", "");

export const KEEPS = { days: 9000, month_ends: 0 };
export const FORCE = "small files change by more than the gates allow";

/** A census of one day. */
export type Census = Map<number, Row>;

export async function buildDay(
  dir: string,
  { day, census, ...options }: {
    day: string;
    census: Census;
    signal?: AbortSignal;
    workers?: number;
    export?: boolean;
  },
): Promise<string> {
  const rows = [...census].map(([dot, columns]) => censusRow(dot, columns));
  const { entry } = await buildFiles(dir, {
    census: censusCsv(rows),
    inspections: inspectionCsv([inspectionRow(1, 1, { INSP_DATE: compact(day) })]),
  }, { dataDate: day, force: FORCE, search: false, keeps: KEEPS, ...options });
  return entry.snapshot;
}

export function readerOf(dir: string, out = "/out"): SnapshotReader {
  return new SnapshotReader(folderSource(dir + out), { clock: CLOCK });
}

/** Numbers generated from a seed. */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

const COLUMNS: [name: string, values: string[]][] = [
  ["STATUS_CODE", ["A", "I", "P"]],
  ["LEGAL_NAME", ["ACME INC", "BETA LLC", "ZÉTA CORP", '"Q" {']],
  ["PHY_STREET", ["1 MAIN ST", "2 OAK AVE"]],
  ["CARRIER_MAILING_STREET", ["1 MAIN ST", "2 OAK AVE", "PO BOX 3"]],
  ["PHONE", ["3305550100", "3305550101", "12", ""]],
  ["POWER_UNITS", ["1", "2", "12O", ""]],
  ["MCS150_DATE", ["20250601", "20260301", "20991231", "20269999"]],
  ["CARSHIP", ["C", "C;B", ""]],
  ["DOCKET1", ["5", "6"]],
  ["DOCKET1_STATUS_CODE", ["A", "I"]],
  ["UNDELIV_PHY", ["U", ""]],
  ["SAFETY_RATING", ["S", "C", "X", ""]],
  ["RECORDABLE_CRASH_RATE", ["5.000", "0.0001", "0.00001", "123456.7"]],
];

export function churn(
  census: Census,
  dots: readonly number[],
  pick: (below: number) => number,
): void {
  for (let n = pick(6); n > 0; n--) {
    const dot = dots[pick(dots.length)]!;
    const row = census.get(dot);
    const kind = pick(12);
    if (row === undefined) census.set(dot, { DOCKET1PREFIX: "MC", DOCKET1: "5" });
    else if (kind === 0 && census.size > 5) census.delete(dot);
    else {
      const [name, values] = COLUMNS[pick(COLUMNS.length)]!;
      census.set(dot, { ...row, [name]: values[pick(values.length)]! });
    }
  }
}

/** Runs `work` with a raised revision of a member, as after a change of its parser. */
export async function withRevision<T>(name: string, work: () => Promise<T>): Promise<T> {
  const one = CENSUS_MEMBERS[name as "status"] as Member;
  const before = one.revision;
  one.revision = (before ?? 1) + 1;
  try {
    return await work();
  } finally {
    if (before === undefined) delete one.revision;
    else one.revision = before;
  }
}
