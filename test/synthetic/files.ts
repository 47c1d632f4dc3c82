/**
 * The two synthetic files as text, and readers for tests.
 *
 * @module
 */

import { parse } from "csv-parse/sync";
import { CENSUS_COLUMNS, INSPECTION_COLUMNS } from "../../pipeline/fmcsa/columns.ts";
import { censusLine } from "./census.ts";
import { inspectionLine, planInspections } from "./inspections.ts";
import { censusRows, type DatasetPlan, firstInspection } from "./plan.ts";

/** Which of the two files. */
export type FileRole = "census" | "inspections";

/** File names. */
export const FILE_NAMES: Readonly<Record<FileRole, string>> = {
  census: "company_census.csv",
  inspections: "vehicle_inspection.csv",
};

/** A piece of a file: text that ends with a line feed, and the rows written up to its end. */
interface FileChunk {
  text: string;
  rows: number;
}

const CHUNK_CHARACTERS = 1_000_000;

/** A file from its header line to its last line feed, in chunks of about one megabyte. */
export function* fileChunks(plan: DatasetPlan, role: FileRole): Generator<FileChunk> {
  const header = role === "census" ? CENSUS_COLUMNS : INSPECTION_COLUMNS;
  const rows = role === "census" ? censusRows(plan) : plan.inspections;
  const line = role === "census" ? censusLines(plan) : inspectionLines(plan);
  let text = header.join(",") + "\n";
  for (let row = 0; row < rows; row++) {
    text += line(row);
    if (text.length < CHUNK_CHARACTERS) continue;
    yield { text, rows: row + 1 };
    text = "";
  }
  if (text !== "") yield { text, rows };
}

function censusLines(plan: DatasetPlan): (row: number) => string {
  const cells: string[] = new Array(CENSUS_COLUMNS.length).fill("");
  return (row) => censusLine(plan, row, cells);
}

function inspectionLines(plan: DatasetPlan): (row: number) => string {
  const cells: string[] = new Array(INSPECTION_COLUMNS.length).fill("");
  const carriers = planInspections(plan);
  const first = firstInspection(plan);
  return (row) => {
    const carrier = carriers[(first + row) % carriers.length] as number;
    return inspectionLine(plan, first + row, { carrier, cells });
  };
}

/** A whole file as text. */
export function fileText(plan: DatasetPlan, role: FileRole): string {
  return [...fileChunks(plan, role)].map(({ text }) => text).join("");
}

/** A row by column name. */
export type Row = Record<string, string>;

/** Header and rows; throws where a row has too many or too few fields or a stray quote. */
export function parseStrict(text: string): { header: string[]; rows: Row[] } {
  const lines: string[][] = parse(text, { relax_column_count: false, relax_quotes: false });
  const [header, ...body] = lines as [string[], ...string[][]];
  const rows = body.map((cells) =>
    Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ""]))
  );
  return { header, rows };
}

/** Columns with people's data in the real files that no snapshot contains. */
export const PERSONAL = [
  "FAX",
  "CELL_PHONE",
  "COMPANY_OFFICER_1",
  "COMPANY_OFFICER_2",
  "EMAIL_ADDRESS",
  "INSP_CARRIER_STREET",
];
