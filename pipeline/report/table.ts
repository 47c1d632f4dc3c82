/**
 * The table model shared by the terminal report, the HTML page and the GitHub run summary.
 *
 * @module
 */

export interface ReportTable {
  /** Anchor of the table on the page. */
  id: string;
  title: string;
  /** Notes on how to interpret the values. */
  notes: string[];
  columns: { title: string; isNumber?: true }[];
  rows: ReportRow[];
  /** Columns are for values over time. Values are drawn relative to `most`, by default the largest value. */
  chart?: { shape: "bars" | "columns"; most?: number };
}

export interface ReportRow {
  /** The first cell is the row's heading. */
  cells: string[];
  /** Whether a person should review the row. */
  isNotable?: boolean;
  examples?: string[];
  value?: number;
}

/** The value that the chart draws at full length. */
export function fullValue({ rows, chart }: ReportTable): number {
  return chart?.most ?? Math.max(1, ...rows.map(({ value = 0 }) => value));
}

/** Defines a column of numbers. */
export function number(title: string): ReportTable["columns"][number] {
  return { title, isNumber: true };
}
