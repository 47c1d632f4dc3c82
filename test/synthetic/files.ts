/**
 * The two synthetic files as text, in chunks of about one megabyte.
 *
 * @module
 */

import { censusLine } from "./census_row.ts";
import type { Country } from "./plan.ts";
import { CENSUS_HEADER, INSPECTION_HEADER } from "./headers.ts";
import { planInspections } from "./inspection_plan.ts";
import { inspectionLine } from "./inspection_row.ts";
import { censusRows, firstInspection } from "./later_days.ts";

/** Which of the two files. */
export type FileRole = "census" | "inspections";

/** The names the files get. */
export const FILE_NAMES: Readonly<Record<FileRole, string>> = {
  census: "company_census.csv",
  inspections: "vehicle_inspection.csv",
};

/** A piece of a file: text that ends with a line feed, and the rows written up to its end. */
export interface Chunk {
  text: string;
  rows: number;
}

const CHUNK_CHARACTERS = 1_000_000;

/** The file from its header line to its last line feed. */
export function fileChunks(country: Country, role: FileRole): Generator<Chunk> {
  return role === "census" ? censusChunks(country) : inspectionChunks(country);
}

function censusChunks(country: Country): Generator<Chunk> {
  const cells: string[] = new Array(CENSUS_HEADER.length).fill("");
  const line = (row: number): string => censusLine(country, row, cells);
  return chunks(CENSUS_HEADER, { rows: censusRows(country), line });
}

function* inspectionChunks(country: Country): Generator<Chunk> {
  const cells: string[] = new Array(INSPECTION_HEADER.length).fill("");
  const carriers = planInspections(country);
  const first = firstInspection(country);
  const line = (row: number): string => {
    const carrier = carriers[(first + row) % carriers.length] as number;
    return inspectionLine(country, first + row, { carrier, cells });
  };
  yield* chunks(INSPECTION_HEADER, { rows: country.inspections, line });
}

function* chunks(
  header: readonly string[],
  body: { rows: number; line: (row: number) => string },
): Generator<Chunk> {
  let text = header.join(",") + "\n";
  for (let row = 0; row < body.rows; row++) {
    text += body.line(row);
    if (text.length < CHUNK_CHARACTERS) continue;
    yield { text, rows: row + 1 };
    text = "";
  }
  if (text !== "") yield { text, rows: body.rows };
}
