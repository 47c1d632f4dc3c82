/**
 * The UCR fee, estimated from the power units in the census. No public file shows who has registered, so
 * the state is always `info`.
 *
 * 49 U.S.C. 14504a(f): brokers and leasing companies pay the smallest fee regardless of the fleet filed,
 * freight forwarders by their vehicles, carriers by commercial vehicles of the last MCS-150 or of the
 * 12 months to June 30 before the registration year. Motor carriers and motor private carriers may
 * leave out vehicles used only in intrastate transportation of property, waste or recyclable material.
 *
 * @module
 */
import { counted, plural, quoted } from "../../pipeline/text.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record/record.ts";
import { type CheckInput, type CheckResult, type Citation, FOR_HIRE_CLASS } from "./check.ts";
import { hasRole, lacksRole, roleWords } from "./roles.ts";
import { bracketOf, openUcrYears, ucrTableFor } from "./ucr.ts";
import { STATUS_WORDS } from "./words.ts";

/** Who pays, and which vehicles count. */
export const UCR_LAW: Citation = {
  citation: "49 U.S.C. 14504a",
  url: "https://www.law.cornell.edu/uscode/text/49/14504a",
};

const UCR_CLASSES: readonly string[] = [FOR_HIRE_CLASS, "EXEMPT FOR HIRE", "PRIVATE PROPERTY"];

const NOT_SHOWN =
  "No public file shows whether it has registered for UCR: ask the carrier, or look it up at ucr.gov.";

/** Roles come before CARRIER_OPERATION, which describes trucks: a broker filed intrastate pays UCR. */
export function checkUcr({ record, today, census }: CheckInput): CheckResult {
  const { operation, power_units, status } = record;
  const found = { state: "info", cited: cited(today) } as const;
  const isBroker = hasRole(record, "B", "F");
  const smallest = paysSmallestFee(record);
  if (!smallest && !isBroker && (operation === "B" || operation === "C")) {
    return {
      ...found,
      data: "not_applicable",
      summary: "Intrastate only: no federal UCR fee",
      detail: [
        `Registered as intrastate only in ${census}: no federal UCR fee is owed; its state may ` +
        "charge its own. If it also takes part in interstate commerce, UCR applies.",
      ],
    };
  }
  // An intermodal equipment provider with no other role has chassis, which are not power units.
  const isProvider = !smallest && hasRole(record, "I") && lacksRole(record, "C", "B", "F");
  const doubts = smallest || isBroker ? [] : doubtsOf(record);
  const vehicles = smallest ? 0 : isProvider ? undefined : power_units;
  const known = vehicles === undefined ? [] : knownFees(today, vehicles);
  const short = known.map(({ year, fee_usd }) => `$${counted(fee_usd)} (${year})`).join(", ");
  const estimate = short === ""
    ? "Fee unknown"
    : `Estimated fee ${short}${doubts.length === 0 ? "" : " if UCR applies"}`;
  const fees = known.map(({ words }) => words).join(" and ") ||
    `unknown, no fee table for ${today.slice(0, 4)}`;
  const basis = smallest
    ? `Registered as ${
      roleWords(record)
    }: brokers, leasing companies and freight forwarders without ` +
      `vehicles pay the smallest fee regardless of the fleet filed. Estimated fee: ${fees}.`
    : power_units === undefined
    ? `${
      record.refused?.power_units === undefined
        ? `No power units in ${census}`
        : `The power units in ${census}, ${quoted(record.refused.power_units)}, aren't usable`
    }, so the fee is unknown. Look it up in the fee table with the carrier's own count.`
    : `Estimated from ${
      plural(power_units, "power unit")
    } in ${census}: ${fees}. The carrier may ` +
      "use another 12-month count, and may leave out vehicles used only in intrastate transportation " +
      "of property, waste or recyclable material, so its own count decides.";
  const inUse = status === "A" ? [] : [
    `The USDOT number is ${STATUS_WORDS[status]}: a fee is due only if it operates.`,
  ];
  return {
    ...found,
    data: known.length > 0
      ? "used"
      : vehicles === undefined && record.refused?.power_units !== undefined
      ? "unusable"
      : "missing",
    summary: `${estimate}; payment isn't public`,
    detail: [...doubts, ...(isProvider ? [] : [basis, ...inUse]), NOT_SHOWN],
  };
}

/** A broker or registrant (leasing company) that is not a carrier, or a forwarder without vehicles. */
function paysSmallestFee(record: CarrierRecord): boolean {
  if (!lacksRole(record, "C")) return false;
  return hasRole(record, "F") ? !record.power_units : hasRole(record, "B", "R");
}

/** Why it is not certain that UCR applies to an entity that is neither a broker nor a forwarder. */
function doubtsOf(record: CarrierRecord): string[] {
  const { operation, classes = [] } = record;
  const interstate = operation === undefined
    ? ["UCR is for interstate operations, and the census doesn't say whether this is one."]
    : [];
  if (lacksRole(record, "C")) {
    const words = roleWords(record);
    return [...interstate, `Registered as ${words}, not as a carrier, so UCR may not apply.`];
  }
  if (classes.length === 0 || classes.some((name) => UCR_CLASSES.includes(name))) return interstate;
  return [
    ...interstate,
    "Its registered classes are neither for-hire nor private property, so UCR may not apply.",
  ];
}

/** The fees of the registration years that are open and have a table. */
function knownFees(today: string, vehicles: number) {
  return openUcrYears(today).flatMap((year) => {
    const table = ucrTableFor(year, today);
    if (table === undefined) return [];
    const { bracket, fee_usd } = bracketOf(table, vehicles);
    const asOf = table.year === year ? "" : `, as set for ${table.year}`;
    const opened = year > Number(today.slice(0, 4)) ? `, due before Jan 1, ${year}` : "";
    const words = `$${counted(fee_usd)} for ${year} (bracket ${bracket}${asOf}${opened})`;
    return { year, fee_usd, words };
  });
}

function cited(today: string): Citation {
  const tables = new Set(openUcrYears(today).flatMap((year) => ucrTableFor(year, today) ?? []));
  const citations = [UCR_LAW, ...tables].map(({ citation }) => citation);
  return { citation: citations.join("; "), url: [UCR_LAW, ...tables].at(-1)!.url };
}
