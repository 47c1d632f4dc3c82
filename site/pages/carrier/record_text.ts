/**
 * The vetting record: what was looked up, when, in which data, as lines of text.
 *
 * @module
 */

import { SERVICE_TITLE } from "../../../api/operations/about.ts";
import { formatForPeople, newYorkToday } from "../../../api/rules/calendar.ts";
import { saferOf } from "../../../api/rules/official_sources.ts";
import { type Basis, type Carrier, type Check, FRESH_DAYS } from "../../../api/rules/schemas.ts";
import { dataLine } from "../../../api/rules/verdict.ts";
import { inert, wrap } from "../../../pipeline/text.ts";
import { STATE_WORDS } from "../../components/text.tsx";
import { calledName, someFacts } from "./facts.ts";
import { alsoOf, plainly } from "./text.ts";

/** A lookup that is kept. */
export interface VettingRecord {
  carrier: Carrier;
  /** SHA-256 of the snapshot's manifest. */
  manifestSha256: string;
  /** When it was looked up, milliseconds since the epoch. */
  now: number;
}

/** Characters of a name in the record; the census allows 120. */
const NAME_LENGTH = 500;

const LINE_LENGTH = 96;

const TIME = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});

/** The name to file it under, without an extension. */
export function recordName({ carrier, now }: VettingRecord): string {
  return `vetting-record-usdot-${carrier.dot}-${newYorkToday(now)}`;
}

/** `2026-10-05T16:00:00Z (Oct 5, 2026, 12:00 PM EDT)`. */
function lookupTime(now: number): string {
  return `${stamp(now)} (${formatForPeople(newYorkToday(now))}, ${TIME.format(now)})`;
}

function stamp(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
}

const IDENTITY = [
  "Legal name",
  "Doing business as",
  "Physical address",
  "Phone",
  "Operation",
  "Fleet",
  "Dockets",
] as const;

/** What identifies the carrier. */
export function identityLines({ carrier }: VettingRecord): [name: string, value: string][] {
  const lines = someFacts(carrier, IDENTITY).map(([label, value]): [string, string] => [
    label,
    inert(value ?? "Not reported", NAME_LENGTH),
  ]);
  return [["USDOT number", carrier.dot], ...lines];
}

/** Where the record comes from. */
export function lookupLines(record: VettingRecord): [name: string, value: string][] {
  const { carrier: { snapshot, page_url }, manifestSha256, now } = record;
  return [
    ["Looked up", lookupTime(now)],
    ["Page", page_url],
    [
      "Data",
      `${dataLine(snapshot)}${snapshot.stale ? ` STALE: more than ${FRESH_DAYS} days old.` : ""}`,
    ],
    ["Snapshot", snapshot.id],
    ["SHA-256", manifestSha256],
  ];
}

/** The verdict and what else must not be overlooked. */
export function verdictLines(carrier: Carrier): string[] {
  return [alsoOf(carrier), ...plainly(carrier)].filter((line) => line !== "");
}

/** `Company Census File of Oct 3, 2026; 49 CFR 390.19T(b)`. */
export function sourceLine({ file, data_date, citation }: Basis): string {
  const source = `${file} of ${formatForPeople(data_date)}`;
  return citation === null ? source : `${source}; ${citation}`;
}

export const NOT_AN_APPROVAL =
  "This is not an approval and not a score. FMCSA's census and inspection files have no insurance " +
  "filings, crash records, out-of-service orders, grants or revocations of operating authority, or " +
  "UCR payments, and the official record may be newer. Independent: not part of, and not endorsed by, " +
  "FMCSA.";

/** The record as text. Names are one line each, without characters that cannot be seen. */
export function recordText(record: VettingRecord): string {
  const { carrier } = record;
  const { notice } = carrier.snapshot;
  const name = calledName(carrier);
  return [
    `Vetting record: ${inert(name, NAME_LENGTH)}${
      name.startsWith("USDOT") ? "" : `, USDOT ${carrier.dot}`
    }`,
    "",
    ...lines(`Verdict: ${carrier.verdict}.`),
    ...verdictLines(carrier).flatMap(lines),
    ...notice === undefined ? [] : lines(`Notice: ${inert(notice, NAME_LENGTH)}`),
    "",
    ...carrier.checks.flatMap(checkLines),
    ...identityLines(record).map(([name, value]) => `${name}: ${value}`),
    "",
    ...lookupLines(record).map(([name, value]) => `${name}: ${value}`),
    `Official record: ${saferOf(carrier.dot).url}`,
    `File: ${recordName(record)}`,
    "",
    "Reviewed by: ______________________  Date: ______________  Decision: ______________",
    "",
    ...lines(NOT_AN_APPROVAL),
    `By ${SERVICE_TITLE}.`,
    "",
  ].join("\n");
}

function checkLines({ label, state, detail, basis }: Check, i: number): string[] {
  return [
    `${i + 1}. ${label}: ${STATE_WORDS[state]}`,
    ...lines(detail),
    `Source: ${sourceLine(basis)}${basis.url === null ? "" : `; ${basis.url}`}`,
    "",
  ];
}

function lines(text: string): string[] {
  return wrap(text, LINE_LENGTH);
}

/** The record as JSON: the lookup around the Carrier of the API. */
export function recordJson(record: VettingRecord): string {
  const { carrier, manifestSha256, now } = record;
  const { page_url, snapshot: { id } } = carrier;
  const snapshot = { id, manifest_sha256: manifestSha256 };
  const json = { file: recordName(record), looked_up_at: stamp(now), page_url, snapshot, carrier };
  return `${JSON.stringify(json, null, 2)}\n`;
}
