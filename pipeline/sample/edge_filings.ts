/**
 * Synthetic carriers for the MCS-150 check: one for each of the 20 schedules (ten months, odd and even
 * years) that met its last deadline, so that on any day within two years of the data date some of them
 * are due soon; and others overdue, off cycle, filed early or never.
 *
 * @module
 */

import { compactDay, lastDayOfMonth } from "./days.ts";
import type { EdgeCarrier } from "./edge_carriers.ts";

/** Month by last digit of the USDOT number (49 CFR 390.19T(b)). */
const MONTHS = [
  "OCTOBER",
  "JANUARY",
  "FEBRUARY",
  "MARCH",
  "APRIL",
  "MAY",
  "JUNE",
  "JULY",
  "AUGUST",
  "SEPTEMBER",
];

/** The carriers, for a data date (a day number). */
export function filingCarriers(today: number): EdgeCarrier[] {
  const all: EdgeCarrier[] = [];
  MONTHS.forEach((month, ones) => {
    for (const tens of [0, 1]) {
      const about = `${month} OF ${tens === 0 ? "EVEN" : "ODD"} YEARS`;
      const due = lastDue(today, { month: ones === 0 ? 10 : ones, parity: tens });
      const add = (what: string, filed: number): void => {
        const columns = { MCS150_DATE: compactDay(filed) };
        all.push({ name: `DUE IN ${about} ${what} LLC`, ending: `${tens}${ones}`, columns });
      };
      add("MET THE LAST DEADLINE", due - 30);
      if (ones % 3 !== 0) continue;
      add("OVERDUE", due - 1_500);
      add("FILED OFF CYCLE", due - 550);
      add("FILED LATELY", today - 20);
    }
  });
  all.push({ name: "FILED IN THE LAST CENTURY INC", columns: { MCS150_DATE: "19991231" } });
  all.push({
    name: "ADDED AFTER THE LAST DEADLINE LLC",
    columns: { ADD_DATE: compactDay(today - 25), MCS150_DATE: "" },
  });
  return all;
}

/** The latest deadline before a day. */
function lastDue(today: number, schedule: { month: number; parity: number }): number {
  let year = new Date(today * 86_400_000).getUTCFullYear();
  while (year % 2 !== schedule.parity || lastDayOfMonth(year, schedule.month) >= today) year--;
  return lastDayOfMonth(year, schedule.month);
}
