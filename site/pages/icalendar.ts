/**
 * An MCS-150 deadline as a calendar file (RFC 5545).
 *
 * @module
 */

import { formatDate, parseDate } from "../../api/rules/calendar.ts";
import type { Mcs150 } from "../../api/rules/schemas.ts";

/** Days before the deadline on which a calendar reminds. */
export const ALARMS: readonly number[] = [30, 7];

/** Octets of a line, at most. */
const LINE_OCTETS = 75;

/** One all-day event, shown as free time; its id is the same whenever it is written. */
export function calendarOf(
  { dot, next_due, rule }: Pick<Mcs150, "dot" | "next_due" | "rule">,
  { baseUrl, now }: { baseUrl: string; now: number },
): string {
  const title = escaped(`MCS-150 update of USDOT ${dot} is due`);
  const text = `${rule} Calculated from the number alone; whether it was filed was not looked up.`;
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

/** A value of type TEXT; marks that cannot be seen become blanks, as they may end a line. */
function escaped(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r\n?|\n/g, "\\n")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
}

/** A line cut into pieces of at most 75 octets, never within a character. */
function folded(line: string): string {
  const piece = new Uint8Array(LINE_OCTETS);
  const { read } = new TextEncoder().encodeInto(line, piece);
  return read === line.length
    ? line
    : `${line.slice(0, read)}\r\n${folded(` ${line.slice(read)}`)}`;
}
