/**
 * A table of a report, as each rendering shows it.
 *
 * @module
 */

import { plain } from "../text.ts";

/** A table, perhaps with a drawing of its values. */
export interface ReportTable {
  /** Names it on the page, as an anchor. */
  id: string;
  title: string;
  /** What a reader must know to read it right. */
  notes: string[];
  columns: { title: string; isNumber?: true }[];
  rows: ReportRow[];
  /** Columns for values in time. A row's value is drawn as a part of `most`, or of the largest. */
  chart?: { shape: "bars" | "columns"; most?: number };
}

export interface ReportRow {
  /** The first names the row. */
  cells: string[];
  /** Needs review by a person. */
  isNotable?: boolean;
  examples?: string[];
  /** What a chart draws. */
  value?: number;
}

/** The value that a chart draws at its full length. */
export function fullValue({ rows, chart }: ReportTable): number {
  return chart?.most ?? Math.max(1, ...rows.map(({ value = 0 }) => value));
}

/** A column of numbers. */
export function number(title: string): ReportTable["columns"][number] {
  return { title, isNumber: true };
}

/** A copy whose strings show what cannot be seen as `\uXXXX`: labels and examples may be hostile. */
export function visible<T>(value: T): T {
  if (typeof value === "string") return plain(value) as T;
  if (Array.isArray(value)) return value.map(visible) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [plain(key), visible(member)]),
  ) as T;
}
