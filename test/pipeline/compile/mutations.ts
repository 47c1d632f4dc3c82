/** A synthetic dataset in which rare values are frequent enough to be sampled, and mutations of its columns. */

import { CENSUS_COLUMNS, INSPECTION_COLUMNS } from "../../../pipeline/fmcsa/columns.ts";
import { VEHICLE_PLACE } from "../../../pipeline/snapshot/record/members.ts";
import { planDataset } from "../../synthetic/plan.ts";
import { mix } from "../../../pipeline/mix.ts";
import { Random } from "../../synthetic/random.ts";
import { fileText, parseStrict } from "../../synthetic/files.ts";
import { csv, type Row } from "./files.ts";

/** The rows of both files. */
export interface Rows {
  census: Row[];
  inspections: Row[];
}

const SIZE = { carriers: 1_000, inspections: 1_825 };

/**
 * The rows of a day. Of FMCSA's 4.5 million carriers, 55,000 have a rating, 79,000 a second docket, and 3,300 a
 * third. Here each of these, each vehicle column and each flag is set in one row of ten, so that a small dataset
 * has enough of them.
 */
export function rowsOf(day: number): Rows {
  const dataset = planDataset({ ...SIZE, day });
  const census = parseStrict(fileText(dataset, "census")).rows.map((row): Row => {
    const dot = Number(row.DOT_NUMBER);
    const random = new Random().restart(1, dot, 90);
    const year = 2000 + random.below(26);
    const rated = random.chance(0.1) && {
      SAFETY_RATING: random.chance(0.65) ? "S" : random.chance(0.85) ? "C" : "U",
      SAFETY_RATING_DATE: `${year}${10 + random.below(3)}${10 + random.below(19)}`,
    };
    const status = (): string => random.chance(0.6) ? "A" : "I";
    const docketed = random.chance(0.1) && {
      DOCKET1PREFIX: random.chance(0.8) ? "MC" : "FF",
      DOCKET1: String(2_000_000 + dot),
      DOCKET1_STATUS_CODE: status(),
      DOCKET2PREFIX: random.chance(0.8) ? "MC" : "MX",
      DOCKET2: String(3_000_000 + dot),
      DOCKET2_STATUS_CODE: status(),
      DOCKET3PREFIX: random.chance(0.8) ? "MC" : "FF",
      DOCKET3: String(4_000_000 + dot),
      DOCKET3_STATUS_CODE: status(),
    };
    const vehicles = Object.keys(VEHICLE_PLACE).filter((column) => !row[column])
      .map((column) => [column, random.chance(0.1) ? String(1 + random.below(3)) : ""]);
    const undeliverable = random.chance(0.1) && { UNDELIV_PHY: "U" };
    return { ...row, ...rated, ...docketed, ...undeliverable, ...Object.fromEntries(vehicles) };
  });
  const inspections = parseStrict(fileText(dataset, "inspections")).rows.map((row): Row => {
    const random = new Random().restart(1, Number(row.INSPECTION_ID), 91);
    const rare = {
      ...random.chance(0.1) && { POST_ACC_IND: "Y" },
      ...random.chance(0.1) && { INSP_CARRIER_NAME: `LESSOR ${random.below(100)}` },
    };
    if (!random.chance(0.25)) return { ...row, ...rare };
    const found = random.chance(0.3) ? 1 + random.below(3) : 0;
    return {
      ...row,
      ...rare,
      HAZMAT_PLACARD_REQ: random.chance(0.7) ? "Y" : "",
      HAZMAT_VIOL_TOTAL: String(found + random.below(2)),
      HAZMAT_OOS_TOTAL: String(found),
    };
  });
  return { census, inspections };
}

/** Both files as text. */
export function texts({ census, inspections }: Rows): Record<keyof Rows, string> {
  return { census: csv(CENSUS_COLUMNS, census), inspections: csv(INSPECTION_COLUMNS, inspections) };
}

/** The mutations of a column's values, by name. */
export const MUTATIONS: Record<string, (values: string[]) => string[]> = {
  blank: (values) => values.map(() => ""),
  constant(values) {
    // The most frequent value that isn't blank: the least suspicious one.
    const most = byFrequency(values)[0]!;
    return values.map(() => most);
  },
  shuffled(values) {
    const keyed = values.map((value, i): [number, string] => [mix(7, i, 92), value]);
    return keyed.sort(([a], [b]) => a - b).map(([, value]) => value);
  },
  inverted(values) {
    const marks = byFrequency(values);
    // A column with only one value: swaps it with blank.
    const from = marks.length === 1 ? [marks[0]!, ""] : marks;
    const to = new Map(from.map((value, i) => [value, from[from.length - 1 - i]!]));
    return values.map((value) => to.get(value) ?? value);
  },
  "shifted by a row": (values) => values.map((_, i) => values.at(i - 1)!),
};

/** The values that aren't blank, most frequent first. */
function byFrequency(values: string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== "") counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([value]) => value);
}

/** Rows with some columns changed. */
export function mutate(
  rows: Row[],
  columns: readonly string[],
  values: (old: string[]) => string[],
): Row[] {
  const changed = rows.map((row) => ({ ...row }));
  for (const column of columns) {
    values(rows.map((row) => row[column] ?? "")).forEach((value, i) => changed[i]![column] = value);
  }
  return changed;
}
