/**
 * A day, for people and for programs.
 *
 * @module
 */

import { formatForPeople } from "../../api/rules/calendar.ts";

/** A `YYYY-MM-DD` day as `Apr 30, 2028`. */
export function Day({ date }: { date: string }) {
  return <time datetime={date}>{formatForPeople(date)}</time>;
}
