/**
 * The USDOT number in a cell, as people and their spreadsheets write it.
 *
 * @module
 */

import { NUMBER_PATTERN } from "../../api/operations/numbers.ts";

/** A longer cell holds something else. */
const LONGEST = 64;

/** Characters shown of a cell that is no number. */
const SHOWN = 32;

/** `USDOT 295017`, `DOT# 295017`, `U.S. DOT No. 295017`, `USDOT number: 295017`. */
const NAMED = /^(?:u\.?s\.? ?)?d\.?o\.?t\.?[ -]*(?:number|num|no)?\.?[ :#]*(?=\d)/i;

/** A column's heading, without anything but letters and digits. */
const HEADING = /^(?:carrier)?(?:us)?dot(?:number|num|nbr|no|id)?s?$/;

/**
 * A cell without what may stand around its number: blanks and marks that cannot be seen, quotes, the
 * word USDOT, the `.0` and the commas of a spreadsheet. What is left need not be a number.
 */
export function bareNumber(cell: string): string {
  if (cell.length > LONGEST) return cell.trim();
  const text = cell.normalize("NFKC").replace(/[\p{Cc}\p{Cf}]/gu, " ").trim();
  const bare = text.replace(/^['"]+|['"]+$/g, "").trim().replace(NAMED, "").replace(/\.0*$/, "");
  return /^\d{1,3}(?:,\d{3})+$/.test(bare) ? bare.replaceAll(",", "") : bare;
}

/** Whether a cell holds a USDOT number, existing or not. */
export function isNumber(cell: string): boolean {
  // Most cells of a big table end here.
  if (NUMBER_PATTERN.test(cell)) return Number(cell) !== 0;
  if (!/\p{Nd}/u.test(cell)) return false;
  const bare = bareNumber(cell);
  return NUMBER_PATTERN.test(bare) && Number(bare) !== 0;
}

/** Whether a cell is the heading of a column of USDOT numbers. */
export function isHeading(cell: string): boolean {
  return HEADING.test(cell.toLowerCase().replace(/[^a-z0-9]/g, ""));
}

/** Whether several numbers stand in one cell. */
export function isSeveral(cell: string): boolean {
  return /^[\d\s]+$/.test(cell) && /\d\s+\d/.test(cell);
}

/** As much of a cell as is shown. */
export function cut(cell: string): string {
  const text = cell.trim();
  return text.length > SHOWN ? text.slice(0, SHOWN) + "..." : text;
}
