/**
 * The UCR fee, as an estimate from census power units. Who has registered is in no public file, so
 * the state is always `info`.
 *
 * 49 U.S.C. 14504a(f): brokers and leasing companies pay the smallest fee regardless of the fleet filed,
 * freight forwarders by their vehicles, carriers by commercial vehicles of the last MCS-150 or of the
 * 12 months to June 30 before the registration year. Motor carriers and motor private carriers may
 * leave out vehicles used only in intrastate transportation of property, waste or recyclable material.
 *
 * @module
 */
import { counted, plural } from "../../pipeline/text.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import type { Check } from "./schemas.ts";
import { bracketOf, openUcrYears, ucrTableFor } from "./ucr.ts";
import {
  census,
  censusBasis,
  type CheckInput,
  type Citation,
  FOR_HIRE_CLASS,
} from "./check_input.ts";
import { hasRole, lacksRole, roleWords } from "./roles.ts";

/** Who pays, and which vehicles count. */
export const UCR_LAW: Citation = {
  citation: "49 U.S.C. 14504a",
  url: "https://www.law.cornell.edu/uscode/text/49/14504a",
};

const UCR_CLASSES: readonly string[] = [FOR_HIRE_CLASS, "EXEMPT FOR HIRE", "PRIVATE PROPERTY"];

const NOT_SHOWN =
  "Whether it has registered for UCR is in no public file: ask the carrier, or look its number up " +
  "at ucr.gov.";

/** Always `info`: an estimate, or the reason why there is none. */
export function checkUcr(input: CheckInput): Check {
  return {
    id: "ucr",
    label: "UCR fee",
    state: "info",
    summary: summaryOf(input),
    detail: [...estimate(input), NOT_SHOWN].join(" "),
    basis: censusBasis(input, cited(input.today)),
  };
}

/** Roles come before CARRIER_OPERATION, which describes trucks: a broker filed intrastate pays UCR. */
function estimate(input: CheckInput): string[] {
  const { record, today } = input;
  const { operation, power_units, status } = record;
  const parts: string[] = [];
  const intrastate = operation === "B" || operation === "C";
  if (paysSmallestFee(record)) {
    parts.push(
      `Registered as ${roleWords(record)}: brokers, leasing companies and freight forwarders ` +
        `without vehicles pay the smallest fee regardless of the fleet filed. Estimated fee: ${
          fees(today, 0)
        }.`,
    );
  } else if (intrastate && !hasRole(record, "B", "F")) {
    return [
      `Registered as intrastate only in ${
        census(input)
      }, which owes no federal UCR fee; its state ` +
      "may charge its own. If it also takes part in interstate commerce, UCR applies.",
    ];
  } else {
    if (operation === undefined && !hasRole(record, "B", "F")) {
      parts.push(
        "UCR is for interstate operations, and the census doesn't say whether this is one.",
      );
    }
    if (!hasRole(record, "B", "F")) parts.push(...otherDoubts(record));
    if (ownsNoVehicles(record)) return parts;
    if (power_units === undefined) {
      parts.push(
        `No power units in ${
          census(input)
        }, so the fee is unknown. Look it up in the fee table with the carrier's own count.`,
      );
    } else {
      parts.push(
        `Estimated from ${plural(power_units, "power unit")} in ${census(input)}: ${
          fees(today, power_units)
        }. ` +
          "The carrier may count another 12 months, and may leave out vehicles used only in " +
          "intrastate transportation of property, waste or recyclable material, so its own count " +
          "decides.",
      );
    }
  }
  if (status !== "A") {
    parts.push(
      `The USDOT number is ${
        status === "P" ? "pending" : "inactive"
      }: a fee is due only if it operates.`,
    );
  }
  return parts;
}

/** A broker or registrant (leasing company) that is not a carrier, or a forwarder without vehicles. */
function paysSmallestFee(record: CarrierRecord): boolean {
  if (!lacksRole(record, "C")) return false;
  return hasRole(record, "F") ? !record.power_units : hasRole(record, "B", "R");
}

/** An intermodal equipment provider that is nothing else: its chassis are not power units. */
function ownsNoVehicles(record: CarrierRecord): boolean {
  return hasRole(record, "I") && lacksRole(record, "C", "B", "F");
}

function otherDoubts(record: CarrierRecord): string[] {
  const { classes } = record;
  if (lacksRole(record, "C")) {
    return [`Registered as ${roleWords(record)}, not as a carrier, so UCR may not apply.`];
  }
  if (
    classes !== undefined && classes.length > 0 &&
    !classes.some((name) => UCR_CLASSES.includes(name))
  ) {
    return [
      "Its registered classes are neither for-hire nor private property, so UCR may not apply.",
    ];
  }
  return [];
}

function summaryOf({ record, today }: CheckInput): string {
  const { operation, power_units } = record;
  const broker = hasRole(record, "B", "F");
  const smallest = paysSmallestFee(record);
  if (!smallest && !broker && (operation === "B" || operation === "C")) {
    return "Registered as intrastate only: no federal UCR fee";
  }
  const vehicles = smallest ? 0 : power_units;
  const known = vehicles === undefined || (!smallest && ownsNoVehicles(record))
    ? []
    : knownFees(today, vehicles).map(({ year, fee_usd }) => `$${counted(fee_usd)} (${year})`);
  const applies = smallest || broker ||
    (operation !== undefined && otherDoubts(record).length === 0);
  return `${
    known.length === 0
      ? "Fee unknown"
      : `Estimated fee ${known.join(", ")}${applies ? "" : " if UCR applies"}`
  }; payment isn't public`;
}

function knownFees(today: string, vehicles: number) {
  const known = [];
  for (const year of openUcrYears(today)) {
    const table = ucrTableFor(year);
    if (table === undefined) continue;
    const { bracket, fee_usd } = bracketOf(table, vehicles);
    known.push({ year, table, bracket, fee_usd });
  }
  return known;
}

function fees(today: string, vehicles: number): string {
  const known = knownFees(today, vehicles).map(({ year, table, bracket, fee_usd }) => {
    const asOf = table.year === year ? "" : `, as set for ${table.year}`;
    const opened = String(year) > today.slice(0, 4) ? `, due before Jan 1, ${year}` : "";
    return `$${counted(fee_usd)} for ${year} (bracket ${bracket}${asOf}${opened})`;
  });
  return known.length === 0
    ? `unknown, no fee table for ${today.slice(0, 4)}`
    : known.join(" and ");
}

function cited(today: string): Citation {
  const [first, last = first] = openUcrYears(today).map(ucrTableFor);
  if (last === undefined) return UCR_LAW;
  const { citation, url } = last;
  const earlier = first === undefined || first === last ? "" : `${first.citation}; `;
  return { citation: `${UCR_LAW.citation}; ${earlier}${citation}`, url };
}
