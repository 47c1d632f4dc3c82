/**
 * The synthetic files as text, and readers for tests.
 *
 * @module
 */

import { parse } from "csv-parse/sync";
import { CENSUS_COLUMNS, INSPECTION_COLUMNS, ORDER_COLUMNS } from "../../pipeline/fmcsa/columns.ts";
import { censusLines } from "./census.ts";
import { inspectionLines } from "./inspections.ts";
import { orderLines } from "./orders.ts";
import { censusRows, type DatasetPlan } from "./plan.ts";

/** Which file. */
export type FileRole = "census" | "inspections" | "orders";

/** File names. */
export const FILE_NAMES: Readonly<Record<FileRole, string>> = {
  census: "company_census.csv",
  inspections: "vehicle_inspection.csv",
  orders: "out_of_service_orders.csv",
};

const CHUNK_CHARACTERS = 1_000_000;

/** A file from its header line to its last line feed, in chunks of about one megabyte. */
export function* fileChunks(plan: DatasetPlan, role: FileRole): Generator<string> {
  const { columns, rows, line } = contentOf(plan, role);
  let text = columns.join(",") + "\n";
  for (let row = 0; row < rows; row++) {
    text += line(row);
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = "";
  }
  yield text;
}

/** The columns of a file, and the lines of each row or carrier. */
function contentOf(
  plan: DatasetPlan,
  role: FileRole,
): { columns: readonly string[]; rows: number; line: (index: number) => string } {
  switch (role) {
    case "census":
      return { columns: CENSUS_COLUMNS, rows: censusRows(plan), line: censusLines(plan) };
    case "inspections":
      return { columns: INSPECTION_COLUMNS, rows: plan.inspections, line: inspectionLines(plan) };
    case "orders":
      return { columns: ORDER_COLUMNS, rows: plan.carriers, line: orderLines(plan) };
  }
}

/** A complete file as text. */
export function fileText(plan: DatasetPlan, role: FileRole): string {
  return [...fileChunks(plan, role)].join("");
}

/** A row by column name. */
export type Row = Record<string, string>;

/** Header and rows. Throws when a row has too many or too few fields or a stray quote. */
export function parseStrict(text: string): { header: string[]; rows: Row[] } {
  const lines: string[][] = parse(text, { relax_column_count: false, relax_quotes: false });
  const [header, ...body] = lines as [string[], ...string[][]];
  const rows = body.map((cells) =>
    Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ""]))
  );
  return { header, rows };
}

/** Columns with personal data in the real files, which no snapshot contains. */
export const PERSONAL = [
  "FAX",
  "CELL_PHONE",
  "COMPANY_OFFICER_1",
  "COMPANY_OFFICER_2",
  "EMAIL_ADDRESS",
  "INSP_CARRIER_STREET",
];
