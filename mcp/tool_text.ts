/**
 * The text that accompanies structured content. It is complete, because some hosts show the model nothing else. Filed
 * names are quoted, on one line, and cut to a maximum length.
 *
 * @module
 */

import type { z } from "zod";
import type { CarrierHistory } from "../api/operations/history.ts";
import type { DocketLookup } from "../api/operations/lookup.ts";
import { fieldWords, type Match } from "../api/operations/match.ts";
import type { SearchResults } from "../api/operations/search.ts";
import { formatForPeople } from "../pipeline/dates.ts";
import { changesHead, periodLine, removedLine } from "../api/rules/changes.ts";
import type { Mcs150, SnapshotFacts, UcrFee } from "../api/rules/schemas.ts";
import { findingLine } from "../api/rules/findings.ts";
import {
  dataLine,
  feeWords,
  fleetParts,
  fleetSuffix,
  mileageWords,
  placeOf,
  stateWords,
  usdotStatusWord,
} from "../api/rules/words.ts";
import { plural, quoted } from "../pipeline/text.ts";
import type { BriefCarrier } from "./carrier_tool.ts";

const MAX_OTHERS = 10;

export function sayCarrier(carrier: BriefCarrier): string {
  const docket = carrier.mc_number === null ? "no MC docket" : `MC ${carrier.mc_number}`;
  const past = carrier.as_of === undefined ? "" : `As of ${formatForPeople(carrier.as_of)}: `;
  return [
    `${past}${quoted(carrier.name)}, USDOT ${carrier.dot}, ${docket}, ${place(carrier)}: ` +
    `${usdotStatusWord(carrier)}, ${
      fleetParts(carrier).join(", ")
    }, operation ${carrier.operation}. ${carrier.verdict}. This is not an approval.`,
    ...carrier.findings.map((finding) => `- ${findingLine(finding)}`),
    ...carrier.checks.map(({ label, detail, ...check }) =>
      `- ${label} [${stateWords(check)}]: ${detail}`
    ),
    ...facts(carrier),
    `${source(carrier.snapshot)} Page: ${carrier.page_url}`,
  ].join("\n");
}

/** Street, phone, cargo, mileage and record date, if filed. */
function facts({ address, phone, cargo, mileage, added }: BriefCarrier): string[] {
  const parts = [
    ...(address.street === null ? [] : [`Street: ${quoted(address.street)}.`]),
    ...(phone === null ? [] : [`Phone: ${phone}.`]),
    ...(cargo.length === 0 ? [] : [`Cargo: ${cargo.join("; ")}.`]),
    ...(mileage === null ? [] : [`Filed ${mileageWords(mileage)}.`]),
    ...(added === null ? [] : [`USDOT record since ${formatForPeople(added)}.`]),
  ];
  return parts.length === 0 ? [] : [parts.join(" ")];
}

export function saySearch(
  { query, count: found, results, snapshot }: z.infer<typeof SearchResults>,
): string {
  if (found === 0) {
    return `No carrier found for ${
      quoted(query)
    }. Try fewer words, another spelling or the USDOT ` +
      `number; do not conclude that the carrier does not exist. ${source(snapshot)}`;
  }
  return [
    `${plural(found, "carrier")} for ${quoted(query)}, the likeliest first:`,
    ...results.map((result) => {
      const dba = result.dba_name === null ? "" : ` (DBA ${quoted(result.dba_name)})`;
      return `- USDOT ${result.dot} ${quoted(result.name)}${dba}, ${place(result)}, ` +
        usdotStatusWord(result) +
        fleetSuffix(result);
    }),
    `Call lookup_carrier with a USDOT number for its checks. ${source(snapshot)}`,
  ].join("\n");
}

export function sayDocket(found: z.infer<typeof DocketLookup>): string {
  const { prefix, number, other_dots: others } = found;
  const more = others.length > MAX_OTHERS ? ` and ${others.length - MAX_OTHERS} more` : "";
  const also = others.length === 0
    ? ""
    : ` Other USDOT numbers list it too, so compare names: ${
      others.slice(0, MAX_OTHERS).join(", ")
    }${more}.`;
  return `${prefix} ${number} is listed by USDOT ${found.dot}.${also} A docket in the census is ` +
    `not operating authority; call lookup_carrier with ${found.dot} for its checks. ` +
    source(found.snapshot);
}

export function sayMcs150(due: Mcs150, today: string): string {
  const before = due.previous_due === null
    ? ""
    : ` The one before was ${formatForPeople(due.previous_due)}.`;
  return `The next scheduled MCS-150 update is due by ${formatForPeople(due.next_due)}.${before} ` +
    `${due.rule} Calculated on ${formatForPeople(today)} from the number alone; it was not ` +
    "checked whether the update was filed.";
}

export function sayUcr(fee: UcrFee): string {
  return `${feeWords(fee)} No public file shows whether a carrier has paid.`;
}

export function sayMatch({ result, carriers, snapshot }: Match): string {
  const lines = carriers.map(({ dot, name, result, fields }) =>
    `- USDOT ${dot} ${quoted(name)} [${result}]: ${
      fields.map(fieldWords).join("; ") || "nothing was given to compare"
    }`
  );
  return [
    `Result: ${result}. A match does not prove identity.`,
    ...lines,
    source(snapshot),
  ].join("\n");
}

function source(snapshot: SnapshotFacts): string {
  return `${dataLine(snapshot)} Official records may be newer.${
    snapshot.notice === undefined ? "" : ` ${snapshot.notice}`
  }`;
}

function place(found: { city: string; state: string }): string {
  const text = placeOf(found);
  return text === "" ? "place not reported" : quoted(text);
}

export function sayHistory(history: CarrierHistory): string {
  const { dot, changes, removed, snapshot } = history;
  return [
    `USDOT ${dot}: ${changesHead(history)}`,
    ...removed === undefined ? [] : [`- ${removedLine(removed)}`],
    ...changes.map((change) => `- ${periodLine(change)}`),
    `${dataLine(snapshot)} A change by itself is ordinary. Inspections are not in this list.${
      snapshot.notice === undefined ? "" : ` ${snapshot.notice}`
    }`,
  ].join("\n");
}
