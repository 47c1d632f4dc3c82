/**
 * An MCS-150 deadline as a calendar file (RFC 5545).
 *
 * @module
 */

import { formatDate, formatForPeople, parseDate } from "../../pipeline/dates.ts";
import type { CarrierMcs150, Mcs150 } from "../../api/rules/schemas.ts";

/** Days before the deadline on which the calendar shows a reminder. */
export const ALARMS: readonly number[] = [30, 7];

/** A scheduled date that has passed. */
export interface PassedDate {
  due: string;
  /** Whether it was missed for certain. */
  missed: boolean;
  /** What is known about it, without a period. */
  text: string;
}

/** Returns the due date that a carrier missed or may have missed; undefined if the date has not passed. */
export function passedDate(
  { next_due: due, days_until_due, last_filed }: CarrierMcs150,
  { missed, source }: { missed: boolean; source: string },
): PassedDate | undefined {
  if (days_until_due >= 0) return undefined;
  const was = missed ? "was" : "may have been";
  const text = `The update due by ${formatForPeople(due)} ${was} missed: the last filing in ` +
    `${source} is dated ${formatForPeople(last_filed!)}`;
  return { due, missed, text };
}

/** The maximum length of a line in RFC 5545. */
const LINE_OCTETS = 75;

/**
 * Returns a calendar with one all-day event on the scheduled date `next_due`, shown as free time. The
 * event has the same id in every file.
 *
 * @param options.passed The previous scheduled date, if it passed without a filing that certainly counts for it.
 */
export function calendarOf(
  { dot, next_due, rule }: Pick<Mcs150, "dot" | "next_due" | "rule">,
  { baseUrl, now, passed }: { baseUrl: string; now: number; passed?: PassedDate | undefined },
): string {
  const title = escaped(
    `MCS-150 update of USDOT ${dot} is due` +
      (passed === undefined
        ? ""
        : ` (${passed.missed ? "missed" : "may have missed"} ${formatForPeople(passed.due)})`),
  );
  const text = passed === undefined
    ? `${rule} Calculated from the number alone; we did not check whether it was filed.`
    : `${passed.text}. This is the next scheduled date. ${rule}`;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Carrier Compliance Lookup//Deadlines//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    `UID:mcs150-${dot}-${next_due}@${new URL(baseUrl).hostname}`,
    `DTSTAMP:${new Date(now).toISOString().replace(/[-:]|\.\d+/g, "")}`,
    `DTSTART;VALUE=DATE:${next_due.replaceAll("-", "")}`,
    `DTEND;VALUE=DATE:${formatDate(parseDate(next_due) + 1).replaceAll("-", "")}`,
    `SUMMARY:${title}`,
    `DESCRIPTION:${escaped(text)}`,
    `URL:${baseUrl}/mcs150?dot=${dot}`,
    "TRANSP:TRANSPARENT",
    ...ALARMS.flatMap((days) => [
      "BEGIN:VALARM",
      "ACTION:DISPLAY",
      `DESCRIPTION:${title}`,
      `TRIGGER:-P${days}D`,
      "END:VALARM",
    ]),
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => folded(line) + "\r\n").join("");
}

/** Escapes a value of type TEXT. Invisible characters become spaces, because some of them may end a line. */
function escaped(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r\n?|\n/g, "\\n")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
}

/** Folds a line into pieces of at most 75 octets, without splitting a character. */
function folded(line: string): string {
  const piece = new Uint8Array(LINE_OCTETS);
  const { read } = new TextEncoder().encodeInto(line, piece);
  return read === line.length
    ? line
    : `${line.slice(0, read)}\r\n${folded(` ${line.slice(read)}`)}`;
}
