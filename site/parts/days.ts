/**
 * Spans of days in words.
 *
 * @module
 */

import { counted } from "../../pipeline/text.ts";

/** `1 day`, `1,200 days`. */
export function daysLong(days: number): string {
  return days === 1 ? "1 day" : `${counted(days)} days`;
}

/** `in 3 days`, `today`, `3 days ago`. */
export function inDays(days: number): string {
  const long = daysLong(Math.abs(days));
  return days === 0 ? "today" : days > 0 ? `in ${long}` : `${long} ago`;
}
