/**
 * The MCS-150 biennial update: its schedule, and the state that a filing date leaves a carrier in.
 *
 * Source: 49 CFR 390.19T(b) (section 390.19 itself is suspended, 88 FR 80184). The last digit of the
 * USDOT number is the month (1 January ... 9 September, 0 October), due by its last day; the digit
 * before it is the year: odd in odd years, even in even years. Weekends and holidays don't extend it.
 * Last checked 2026-09-30.
 *
 * @module
 */
import {
  addMonths,
  civilDay,
  type DayNumber,
  dayNumber,
  formatDate,
  lastDayOfMonth,
  MONTHS,
  parseDate,
} from "../../pipeline/dates.ts";
import type { CarrierMcs150, Mcs150 } from "./schemas.ts";

export const MCS150_CITATION = "49 CFR 390.19T(b)";

export const MCS150_URL = "https://www.ecfr.gov/current/title-49/section-390.19T";

/** Days before a deadline when it becomes `due-soon`. */
export const DUE_SOON_DAYS = 90;

/**
 * FMCSA is reported to have paused deactivation for updates missed from this day on; filing is still
 * required. Whether the pause has ended is not known, so the date of the last check is stated with it.
 */
export const DEACTIVATION_PAUSE = { dueFrom: "2026-06-01", lastChecked: "2026-09-30" } as const;

/**
 * The schedule of a USDOT number. A deadline that falls on `today` is still the next one.
 *
 * @param dot 1 to 99,999,999.
 * @param today `YYYY-MM-DD` in New York.
 */
export function schedule(dot: number, today: string): Mcs150 {
  const { previous, next } = deadlines(dot, parseDate(today));
  const month = MONTHS[dueMonth(dot) - 1]!;
  const year_parity = dueParity(dot) === 1 ? "odd" : "even";
  const tens = dot < 10
    ? "it has no tens digit, which is taken as 0 and"
    : `the tens digit ${Math.floor(dot / 10) % 10}`;
  return {
    dot: String(dot),
    next_due: formatDate(next),
    previous_due: formatDate(previous),
    month,
    year_parity,
    rule: `USDOT ${dot}: the last digit ${dot % 10} means ${month} and ${tens} means ` +
      `${year_parity} years, so the update is due by the last day of ${month} of every ` +
      `${year_parity} year (${MCS150_CITATION}).`,
  };
}

/** What the census says about a carrier's MCS-150. */
export interface Filing {
  /** 1 to 99,999,999. */
  dot: number;
  /** Date last filed (MCS150_DATE), `YYYY-MM-DD`; absent when blank. */
  filed?: string | undefined;
  /** ADD_DATE, `YYYY-MM-DD`; absent when blank. */
  added?: string | undefined;
}

/** The state that a filing leaves its carrier in, with what the check's detail must explain. */
export interface Mcs150Standing extends CarrierMcs150 {
  /** Filed in the 12 months before `next_due`, which may or may not count for it. */
  early: boolean;
  /** The filing is the registration itself, so it satisfies no scheduled date. */
  registration: boolean;
  /** Added after the previous scheduled date, so none has passed since. */
  first: boolean;
}

/** A filing this many days after ADD_DATE or sooner is the registration itself. */
const REGISTRATION_DAYS = 31;

/**
 * The standing of a filing date F on `today`, with A the date added and `previous` and `next` as in
 * {@link schedule}. `next_due` is always a scheduled date: a filing never moves it. Months are counted
 * to the same day of the month, or to the last day of a shorter one. A filing exactly 24 or 12 months
 * before `previous` is not before that limit. The first row that fits decides:
 *
 * | when | state | `next_due` |
 * |---|---|---|
 * | F missing, or after `today` | `unknown` | `next` |
 * | A after `previous`: `next` is the first scheduled date | `due-soon` or `ok` | `next` |
 * | F before `previous` - 24 months | `overdue` | `previous` |
 * | F before `previous` - 12 months | `unknown`: off schedule, may not count | `previous` |
 * | F up to `previous`, within 31 days of A | `unknown`: the registration, not an update | `previous` |
 * | else | `due-soon` when `next` is at most 90 days off, else `ok` | `next` |
 *
 * @param today `YYYY-MM-DD` in New York.
 * @throws {SyntaxError} When a date is invalid.
 */
export function mcs150Standing({ dot, filed, added }: Filing, today: string): Mcs150Standing {
  const now = parseDate(today);
  const { previous, next } = deadlines(dot, now);
  const F = filed === undefined ? undefined : parseDate(filed);
  const A = added === undefined ? undefined : parseDate(added);
  const believed = F !== undefined && F <= now;
  const registration = believed && A !== undefined && Math.abs(F - A) <= REGISTRATION_DAYS;
  const first = A !== undefined && A > previous && A <= now;
  let due = next;
  let state: CarrierMcs150["state"] = next - now <= DUE_SOON_DAYS ? "due-soon" : "ok";
  if (!believed) {
    state = "unknown";
  } else if (!first && F < addMonths(previous, -24)) {
    due = previous;
    state = "overdue";
  } else if (!first && (F < addMonths(previous, -12) || registration && F <= previous)) {
    due = previous;
    state = "unknown";
  }
  return {
    last_filed: filed ?? null,
    next_due: formatDate(due),
    days_until_due: due - now,
    state,
    early: believed && !registration && due === next && F >= addMonths(next, -12),
    registration,
    first,
  };
}

/** The two scheduled days around a day: `previous` < today <= `next`. */
function deadlines(dot: number, today: DayNumber): { previous: DayNumber; next: DayNumber } {
  const month = dueMonth(dot);
  const now = civilDay(today);
  let year = now.year;
  if (year % 2 !== dueParity(dot)) year++;
  else if (month < now.month) year += 2;
  const lastDay = (year: number): DayNumber =>
    dayNumber({ year, month, day: lastDayOfMonth(year, month) });
  return { previous: lastDay(year - 2), next: lastDay(year) };
}

function dueMonth(dot: number): number {
  return dot % 10 === 0 ? 10 : dot % 10;
}

function dueParity(dot: number): number {
  return Math.floor(dot / 10) % 2;
}
