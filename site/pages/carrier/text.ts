/**
 * Words of the carrier page, and the vetting record as plain text.
 *
 * @module
 */

import { SERVICE_TITLE } from "../../../api/operations/about.ts";
import { formatForPeople, newYorkToday } from "../../../api/rules/calendar.ts";
import { SAMPLE_WITHOUT_INSPECTIONS } from "../../../api/rules/out_of_service.ts";
import {
  type Carrier,
  type Check,
  type CheckState,
  FRESH_DAYS,
} from "../../../api/rules/schemas.ts";
import { dataLine, reasonsOf } from "../../../api/rules/verdict.ts";
import { counted, inert } from "../../../pipeline/text.ts";
import { STATE_WORDS } from "../../components/text.tsx";

const BLANKS: Readonly<Record<Carrier["not_reported"][number], string>> = {
  legal_name: "legal name",
  city: "city",
  state: "state",
  operation: "where it operates",
  power_units: "power units",
  drivers: "drivers",
};

/** What to call a carrier: its name, or its number where nothing of a name can be seen. */
export function calledName({ name, dot }: Pick<Carrier, "name" | "dot">): string {
  return inert(name) === "" ? `USDOT ${dot}` : name;
}

/** Data that is missing and must not be overlooked, as sentences. */
export function plainly({ inspections_24m, not_reported, snapshot }: Carrier): string[] {
  const said: string[] = [];
  if (inspections_24m === null) {
    said.push(
      snapshot.notice === undefined
        ? "No roadside inspections in 24 months: out-of-service rates can't be calculated."
        : SAMPLE_WITHOUT_INSPECTIONS,
    );
  }
  if (not_reported.length > 0) {
    said.push(`Blank in the census: ${not_reported.map((name) => BLANKS[name]).join(", ")}.`);
  }
  return said;
}

/** Names of the checks in one of the states. */
export function labelsOf({ checks }: Carrier, ...states: CheckState[]): string[] {
  return checks.filter(({ state }) => states.includes(state)).map(({ label }) => label);
}

/** Power units or drivers; a blank is not 0. */
export function fleetCount(carrier: Carrier, member: "power_units" | "drivers"): string {
  return carrier.not_reported.includes(member) ? "not reported" : counted(carrier[member]);
}

/** How a docket is listed. */
export function flagWord(status: string | null): string {
  switch (status) {
    case "A":
      return "active";
    case "I":
      return "inactive";
    case "P":
      return "pending";
    default:
      return "without a status";
  }
}

/** Characters of a name in the record; the census allows 120. */
const NAME_LENGTH = 500;

interface RecordOptions {
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
