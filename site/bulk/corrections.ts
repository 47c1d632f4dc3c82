/**
 * Reads the form with corrected rows, and puts these rows into the list.
 *
 * @module
 */

import { JOB_LIMITS } from "../../api/operations/jobs.ts";
import { hasNumbers, type Role } from "./columns.ts";
import { type ParsedUpload, tooMany } from "./parse_upload.ts";
import { entriesOf, type UploadRow } from "./rows.ts";
import { readForm } from "./upload.ts";
import { readLineWords } from "./words.ts";

/** Maximum number of rows that one form corrects. */
export const MOST_CORRECTED = 50;

/** Maximum length of a corrected row, in characters. */
export const LONGEST_CORRECTION = 200;

/** Maximum size of a form in bytes. A percent-encoded character may take nine bytes. */
const FORM_BYTES = MOST_CORRECTED * (9 * LONGEST_CORRECTION + 20);

/** Timeout for receiving a form, in milliseconds. */
const ARRIVAL_MS = 20_000;

/** The corrected text of each row, by row number. */
export type Corrections = ReadonlyMap<number, string>;

/**
 * Reads the form with corrected rows.
 *
 * @throws {ServiceError} As {@link readForm}.
 */
export async function readCorrections(request: Request): Promise<Corrections> {
  const form = await readForm(request, { limitBytes: FORM_BYTES, arrivalMs: ARRIVAL_MS });
  const corrections = new Map<number, string>();
  for (const [name, value] of form) {
    const [, row] = /^row-([1-9]\d{0,8})$/.exec(name) ?? [];
    if (row === undefined || typeof value !== "string") continue;
    corrections.set(Number(row), value.slice(0, LONGEST_CORRECTION).trim());
    if (corrections.size === MOST_CORRECTED) break;
  }
  return corrections;
}

/**
 * Returns the kind that a corrected number without a prefix has; `marked` if the list has several kinds,
 * so that each number needs a prefix.
 */
export function kindOfBare(
  { columns, headingRow, rows }: ParsedUpload,
): Exclude<Role, "name" | "city" | "state"> {
  const [kind = "USDOT", ...others] = new Set(columns.map(({ role }) => role).filter(hasNumbers));
  const isPlain = kind === "marked" && headingRow === null &&
    !rows.some(({ wanted }) => wanted !== null && wanted.kind !== "USDOT");
  return others.length > 0 ? "marked" : isPlain ? "USDOT" : kind;
}

/**
 * Returns the list with the corrected rows in place of those that could not be read. Returns null if no
 * text was changed.
 *
 * @throws {ServiceError} `too_many_items`.
 */
export function correctRows(parsed: ParsedUpload, corrections: Corrections): ParsedUpload | null {
  const role = kindOfBare(parsed);
  const read = (line: string) => readLineWords(line, JOB_LIMITS.maxItems);
  let isChanged = false;
  const rows = parsed.rows.flatMap((row): UploadRow[] => {
    const text = corrections.get(row.row) ?? "";
    if (row.wanted !== null || text === "" || text === row.unread?.text) return [row];
    isChanged = true;
    const { name, city, state } = row;
    const own = { ...name && { name }, ...city && { city }, ...state && { state } };
    const line = { row: row.row, cells: [text], line: text };
    const column = {
      heading: null,
      role,
      filled: 1,
      numbers: 1,
      bare: 1,
      hasDocket: false,
      hasUsdot: false,
      maybes: 0,
      samples: [],
    };
    return entriesOf(line, {
      columns: [column],
      read,
      separator: ",",
      width: null,
      headed: false,
      words: false,
    }).map((entry) => ({ ...entry, ...own }));
  });
  const wanted = rows.filter(({ wanted }) => wanted !== null).length;
  if (wanted > JOB_LIMITS.maxItems) throw tooMany(JOB_LIMITS.maxItems, "numbers");
  return isChanged ? { ...parsed, rows } : null;
}
