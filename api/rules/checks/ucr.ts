/**
 * The UCR fee, as an estimate from census power units. Who has registered is in no public file, so
 * the state is always `info`.
 *
 * The fee counts commercial vehicles of the last MCS-150 or of the 12 months to 30 June before the
 * registration year, and leaves purely intrastate ones out (49 U.S.C. 14504a(f)): census units are
 * near it, not it.
 *
 * @module
 */
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";
import { formatForPeople } from "../calendar.ts";
import type { Check } from "../schemas.ts";
import { bracketOf, openUcrYears, ucrTableFor } from "../ucr.ts";
import { censusBasis, type CheckInput, type Citation } from "./input.ts";
import { FOR_HIRE_CLASS, hasRole, lacksRole, roleWords } from "./roles.ts";

/** Who pays, and which vehicles count. */
export const UCR_LAW: Citation = {
  citation: "49 U.S.C. 14504a",
  url: "https://www.law.cornell.edu/uscode/text/49/14504a",
};

const UCR_CLASSES: readonly string[] = [FOR_HIRE_CLASS, "EXEMPT FOR HIRE", "PRIVATE PROPERTY"];

const NOT_SHOWN =
  "Whether it has registered for UCR is in no public file: ask the carrier, or look " +
  "its number up at ucr.gov.";

/** Always `info`: an estimate, or the reason why there is none. */
export function checkUcr(input: CheckInput): Check {
  return {
    id: "ucr",
    label: "UCR fee",
    state: "info",
    detail: `${told(input)} ${NOT_SHOWN}`,
    basis: censusBasis(input, cited(input.today)),
  };
}

function told({ record, dataDay, today }: CheckInput): string {
  if (record.operation === "B" || record.operation === "C") {
    return `In the census of ${dataDay} it is filed as intrastate only, which owes no federal UCR ` +
      "fee; its state may ask for one of its own. If it also takes part in interstate carriage, " +
      "UCR applies.";
  }
  const vehicles = vehiclesOf(record);
  const parts = doubts(record);
  if (vehicles === undefined) {
    parts.push(
      `The census of ${dataDay} does not report its power units, so the fee is unknown. With a ` +
        "count from the carrier, the fee table gives it.",
    );
  } else {
    const fees = estimates(today, vehicles);
    parts.push(
      fees === undefined
        ? `The census of ${dataDay} shows ${units(vehicles)}, and no fee table is known here for ` +
          `${today.slice(0, 4)}.`
        : `From ${counted(record, vehicles)} in the census of ${dataDay}, the estimated fee is ` +
          `${fees}. The fee counts commercial vehicles in interstate use, and the carrier may ` +
          "count another period, so its own count decides.",
    );
  }
  if (record.status !== "A") {
    parts.push(
      `The USDOT number is ${
        record.status === "P" ? "pending" : "inactive"
      }: a fee is due only if it operates.`,
    );
  }
  return parts.join(" ");
}

/** Brokers, and forwarders, without vehicles are in bracket 1 whatever the census leaves blank. */
function vehiclesOf(record: CarrierRecord): number | undefined {
  return record.power_units ?? (noVehicles(record) ? 0 : undefined);
}

function noVehicles(record: CarrierRecord): boolean {
  return hasRole(record, "B", "F") && lacksRole(record, "C") && !record.power_units;
}

function counted(record: CarrierRecord, vehicles: number): string {
  return noVehicles(record) ? `the role (${roleWords(record)}) and no vehicles` : units(vehicles);
}

function doubts(record: CarrierRecord): string[] {
  const { operation, classes } = record;
  const parts: string[] = [];
  if (operation === undefined) {
    parts.push(
      "UCR is for interstate operations, and the census does not say whether this is one.",
    );
  }
  if (hasRole(record, "B", "F")) return parts;
  if (lacksRole(record, "C")) {
    parts.push(`It is listed as ${roleWords(record)}, not as a carrier, so UCR may not apply.`);
  } else if (
    classes !== undefined && classes.length > 0 &&
    !classes.some((name) => UCR_CLASSES.includes(name))
  ) {
    parts.push(
      "The classes it filed show neither a for-hire nor a private property carrier, so UCR may not " +
        "apply.",
    );
  }
  return parts;
}

function estimates(today: string, vehicles: number): string | undefined {
  const fees = openUcrYears(today).flatMap((year) => {
    const table = ucrTableFor(year);
    if (table === undefined) return [];
    const { bracket, fee_usd } = bracketOf(table, vehicles);
    const asOf = table.year === year ? "" : `, as set for ${table.year}`;
    const opened = String(year) > today.slice(0, 4)
      ? `, open since ${formatForPeople(`${year - 1}-10-01`)} and due before 1 January ${year}`
      : "";
    return `$${grouped(fee_usd)} for ${year} (bracket ${bracket}${asOf}${opened})`;
  });
  return fees.length === 0 ? undefined : fees.join(" and ");
}

function cited(today: string): Citation {
  const tables = openUcrYears(today).flatMap((year) => ucrTableFor(year) ?? []);
  const newest = tables.at(-1);
  if (newest === undefined) return UCR_LAW;
  const citations = new Set([UCR_LAW.citation, ...tables.map((table) => table.citation)]);
  return { citation: [...citations].join("; "), url: newest.url };
}

function units(count: number): string {
  return count === 1 ? "1 power unit" : `${grouped(count)} power units`;
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
