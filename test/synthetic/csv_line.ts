/**
 * One CSV line with as few quotes as RFC 4180 allows, like the regulator's files.
 *
 * @module
 */

/** The cell, quoted when it holds a comma, a quote or a line break. */
export function csvCell(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** The cells as a line with its line feed. */
export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(",") + "\n";
}
