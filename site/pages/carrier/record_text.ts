/**
 * The vetting record: what was found on a carrier, when, and in which data. Plain text to be kept.
 *
 * @module
 */

import { SERVICE_TITLE } from "../../../api/operations/about.ts";
import { formatForPeople, newYorkToday } from "../../../api/rules/calendar.ts";
import { type Carrier, type Check, FRESH_DAYS } from "../../../api/rules/schemas.ts";
import { inert } from "../../../pipeline/text.ts";
import { dataLine, reasonsOf } from "../../../api/rules/verdict.ts";
import { flagWord, fleetCount, plainly, STATE_WORDS } from "./words.ts";

/** Characters of a name in the record; the census has room for 120. */
const NAME_LENGTH = 500;

/** What a record tells beside the carrier. */
export interface RecordOptions {
  /** When it was looked up, milliseconds since the epoch. */
  now: number;
  /** Address of the service, without a final slash. */
  baseUrl: string;
}

/** The record. Names are one line each, without characters that cannot be seen. */
export function recordText(carrier: Carrier, { now, baseUrl }: RecordOptions): string {
  const { dot, snapshot, dockets, checks, page_url } = carrier;
  const time = new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
  const listed = dockets.map(({ prefix, number, status }) =>
    `${prefix} ${number} (listed ${flagWord(status)})`
  );
  return `Vetting record of ${SERVICE_TITLE}

Looked up: ${time}, on ${formatForPeople(newYorkToday(now))} in New York
${dataLine(snapshot)}${snapshot.stale ? ` STALE: more than ${FRESH_DAYS} days old.` : ""}${
    snapshot.notice === undefined ? "" : `\nNotice: ${inert(snapshot.notice, NAME_LENGTH)}`
  }
Snapshot: ${snapshot.id}
Page: ${page_url}
JSON: ${baseUrl}/api/v1/carriers/${dot}

USDOT number: ${dot}
Legal name: ${named(carrier.legal_name)}
Doing business as: ${carrier.dba_name === null ? "none on file" : named(carrier.dba_name)}
City: ${named(carrier.city)}
State: ${named(carrier.state)}
Operation: ${carrier.operation}
Power units: ${fleetCount(carrier, "power_units")}
Drivers: ${fleetCount(carrier, "drivers")}
Dockets: ${listed.length === 0 ? "none listed" : listed.join(", ")}

${
    [
      `${carrier.verdict}.`,
      ...reasonsOf(carrier).map((reason) => `- ${reason}`),
      ...plainly(carrier),
    ]
      .join("\n")
  }

${checks.map((check, i) => `${i + 1}. ${checkText(check)}`).join("\n\n")}

This is not an approval and not a score. FMCSA's census and inspection files have no insurance
filings, crash records, out-of-service orders, grants or revocations of operating authority, or UCR
payments, and the official record may be newer. Independent: not part of, and not endorsed by, FMCSA.
`;
}

function checkText({ label, state, detail, basis }: Check): string {
  const source = [
    `${basis.file} of ${formatForPeople(basis.data_date)}`,
    ...(basis.citation === null ? [] : [basis.citation]),
    ...(basis.url === null ? [] : [basis.url]),
  ];
  return `${label}: ${STATE_WORDS[state]}\n${detail}\nSource: ${source.join("; ")}`;
}

function named(text: string): string {
  return text === "" ? "not reported" : inert(text, NAME_LENGTH);
}
