/**
 * A deadline as a calendar file (RFC 5545).
 *
 * @module
 */

import { formatDate, parseDate } from "../../api/rules/calendar.ts";

interface Deadline {
  /** The same for the same deadline, whenever it is written. */
  uid: string;
  /** `YYYY-MM-DD`. */
  day: string;
  title: string;
  text: string;
  url: string;
  /** Days before it on which to be reminded. */
  alarms: readonly number[];
  /** Milliseconds since the epoch at which it is written. */
  now: number;
}

/** Octets of a line, at most. */
const LINE_OCTETS = 75;

/** The calendar file: one all-day event, shown as free time. */
export function calendarOf({ uid, day, title, text, url, alarms, now }: Deadline): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Carrier Compliance Lookup//Deadlines//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    `UID:${escaped(uid)}`,
    `DTSTAMP:${new Date(now).toISOString().replace(/[-:]|\.\d+/g, "")}`,
    `DTSTART;VALUE=DATE:${basic(day)}`,
    `DTEND;VALUE=DATE:${basic(formatDate(parseDate(day) + 1))}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(text)}`,
    `URL:${url}`,
    "TRANSP:TRANSPARENT",
    ...alarms.flatMap((days) => [
      "BEGIN:VALARM",
      "ACTION:DISPLAY",
      `DESCRIPTION:${escaped(title)}`,
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

function basic(day: string): string {
  return day.replaceAll("-", "");
}
