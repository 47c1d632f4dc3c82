/**
 * Carriers as lines of CSV files: the columns, the result for each number, and cells that no spreadsheet
 * evaluates.
 *
 * @module
 */

import { findingHead, KIND_WORDS } from "../rules/findings.ts";
import { saferOf } from "../rules/official_sources.ts";
import { orderFacts, reasonWords } from "../rules/orders.ts";
import type { Carrier, CheckId, Finding } from "../rules/schemas.ts";
import { stateWords } from "../rules/words.ts";
import { inert } from "../../pipeline/text.ts";

/** Possible results for a number, the most urgent first. */
export const OUTCOMES = {
  problem: KIND_WORDS.problem,
  review: KIND_WORDS.review,
  missing: "Not found",
  unavailable: "Data unavailable",
  fix: "Needs fixing",
  clear: "No issues",
} as const;

export type Outcome = keyof typeof OUTCOMES;

type FindingHead = Pick<Finding, "kind" | "text">;

export function outcomeOf(findings: readonly FindingHead[]): Outcome {
  return (["problem", "review"] as const)
    .find((kind) => findings.some((finding) => finding.kind === kind)) ?? "clear";
}

/** The findings as one cell. */
export function findingsText(findings: readonly FindingHead[]): string {
  return findings.map(findingHead).join("; ");
}

/** The findings of a carrier, with doubts about whether it is the carrier that was meant, ordered by kind. */
export function withDoubts({ findings }: Carrier, doubts: readonly string[]): FindingHead[] {
  const own = doubts.map((text): FindingHead => ({ kind: "review", text }));
  return (["problem", "review", "fact"] as const).flatMap((kind) => [
    ...kind === "review" ? own : [],
    ...findings.filter((finding) => finding.kind === kind).map(({ text }) => ({ kind, text })),
  ]);
}

/** The doubt about a docket that several carriers list; none for any other number. */
export function sharedDocket(docket: string, holders: readonly number[]): string[] {
  return holders.length > 1 ? [`${docket} is shared by ${holders.length} USDOT numbers`] : [];
}

export type CsvValue = string | number | null | undefined;

export interface CarrierColumn {
  what: string;
  /** The value; blank if the census has a blank or there is no carrier. */
  value: (carrier: Partial<Carrier>) => CsvValue;
}

/** Columns of a carrier. Files keep their order, so new ones are added at the end. */
export const CARRIER_COLUMNS = {
  name: column("DBA name, else legal name", ({ name }) => name),
  dba_name: column("DBA name", ({ dba_name }) => dba_name),
  street: column("Street of the physical address", ({ address }) => address?.street),
  city: column("City", ({ city }) => city),
  state: column("State or province, two letters", ({ state }) => state),
  zip: column("ZIP or postal code", ({ address }) => address?.zip),
  phone: column("Phone", ({ phone }) => phone),
  status: column("USDOT status", ({ status }) => status),
  operation: column("Type of operation", reported("operation")),
  power_units: column("Trucks, tractors and buses", reported("power_units")),
  drivers: column("Drivers", reported("drivers")),
  mc_number: column("MC number", ({ mc_number }) => mc_number),
  safety_rating: column("Safety rating", ({ safety_rating }) => safety_rating),
  mcs150_last_filed: column("Date of the last MCS-150 filing", ({ mcs150 }) => mcs150?.last_filed),
  mcs150_next_due: column("Date the next MCS-150 is due", ({ mcs150 }) => mcs150?.next_due),
  mcs150_state: column("MCS-150 status", ({ mcs150 }) => mcs150?.state),
  inspections_24m: column(
    "Roadside inspections in 24 months",
    // A sample lacks the inspections of its real carriers.
    ({ inspections_24m, snapshot }) =>
      inspections_24m?.total ?? (snapshot && snapshot.notice === undefined ? 0 : null),
  ),
  vehicle_oos_pct: column(
    "Vehicle out-of-service rate, percent",
    ({ inspections_24m }) => inspections_24m?.vehicle.rate_pct,
  ),
  driver_oos_pct: column(
    "Driver out-of-service rate, percent",
    ({ inspections_24m }) => inspections_24m?.driver.rate_pct,
  ),
  usdot_status_check: column("Result of the USDOT status check", stateOf("usdot_status")),
  mcs150_check: column("Result of the MCS-150 check", stateOf("mcs150")),
  operating_authority_check: column(
    "Result of the operating authority check",
    stateOf("operating_authority"),
  ),
  safety_rating_check: column("Result of the safety rating check", stateOf("safety_rating")),
  oos_rates_check: column("Result of the out-of-service rates check", stateOf("oos_rates")),
  page_url: column("Page of the carrier", ({ page_url }) => page_url),
  census_date: column("Date of the census data", ({ snapshot }) => snapshot?.data_date),
  inspections_date: column(
    "Date of the inspection data",
    ({ snapshot }) => snapshot?.inspections_date,
  ),
  data_age_days: column("Age of the census data in days", ({ snapshot }) => snapshot?.age_days),
  notice: column("Notice, when the data is a sample", ({ snapshot }) => snapshot?.notice),
  oos_orders: column(
    "Out-of-service orders",
    ({ orders, snapshot }) =>
      orders?.map((order) =>
        `${orderFacts(order, snapshot!.data_date).join(", ")} (${reasonWords(order.reason)})`
      )
        .join("; "),
  ),
  orders_date: column(
    "Date of the out-of-service order data",
    ({ snapshot }) => snapshot?.orders_date,
  ),
  safer_url: column("The carrier on FMCSA's SAFER site", ({ dot }) => dot ? saferOf(dot).url : ""),
} as const;

function column(what: string, value: CarrierColumn["value"]): CarrierColumn {
  return { what, value };
}

function reported(member: "operation" | "power_units" | "drivers"): CarrierColumn["value"] {
  return (carrier) => carrier.not_reported?.includes(member) ? null : carrier[member];
}

function stateOf(id: CheckId): CarrierColumn["value"] {
  return ({ checks }) => {
    const found = checks?.find((check) => check.id === id);
    return found === undefined ? null : stateWords(found);
  };
}

/** Characters that make a spreadsheet treat a cell as a formula, including their full-width forms. */
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** The same characters after `;` or `|`, where a spreadsheet in another locale may split the cell. */
const HIDDEN_FORMULA = /([;|]\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Cells that need no change, which are most of them. */
const PLAIN = /^(?:\w[\w .:\/()-]*)?$/;

/** A line of a CSV file (RFC 4180). */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map((value) => csvCell(String(value ?? ""))).join(",")}\r\n`;
}

/**
 * A cell on one line that no spreadsheet evaluates: what looks like a formula gets an apostrophe in front.
 */
export function csvCell(text: string): string {
  if (PLAIN.test(text)) return text;
  const visible = inert(text, Infinity);
  const marked = (FORMULA.test(visible) ? "'" : "") + visible.replace(HIDDEN_FORMULA, "$1'");
  return /[",;']/.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked;
}
