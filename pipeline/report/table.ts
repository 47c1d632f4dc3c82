/**
 * A table of a report, as the terminal, the page and the summary of a run show it.
 *
 * @module
 */

/** A table, optionally with a chart of its values. */
export interface ReportTable {
  /** Names it on the page, as an anchor. */
  id: string;
  title: string;
  /** Notes that readers need to interpret it. */
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
