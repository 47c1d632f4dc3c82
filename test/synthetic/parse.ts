/** Reading made-up files in tests: strict, by column name. */

import { parse } from "csv-parse/sync";
import type { Country } from "./plan.ts";
import { fileChunks, type FileRole } from "./files.ts";

/** A row by column name. */
export type Row = Record<string, string>;

/** The whole file as text. */
export function fileText(country: Country, role: FileRole): string {
  return [...fileChunks(country, role)].map(({ text }) => text).join("");
}

/** Header and rows; throws where a row has too many or too few fields or a stray quote. */
export function parseStrict(text: string): { header: string[]; rows: Row[] } {
  const lines: string[][] = parse(text, { relax_column_count: false, relax_quotes: false });
  const [header, ...body] = lines as [string[], ...string[][]];
  const rows = body.map((cells) =>
    Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ""]))
  );
  return { header, rows };
}

/** The share of rows that pass. */
export function share(rows: readonly Row[], passes: (row: Row) => boolean): number {
  return rows.filter(passes).length / rows.length;
}

/** Columns that hold people's contact data in the real files. */
export const PERSONAL = [
  "PHONE",
  "FAX",
  "CELL_PHONE",
  "COMPANY_OFFICER_1",
  "COMPANY_OFFICER_2",
  "EMAIL_ADDRESS",
  "PHY_STREET",
  "CARRIER_MAILING_STREET",
  "INSP_CARRIER_STREET",
];
