/**
 * What a carrier filed, in words that checks, pages and `/ask` share. A blank is neither 0 nor no.
 *
 * @module
 */
import type { RefusedMember } from "../../pipeline/snapshot/record/record.ts";
import { counted, listed, plural } from "../../pipeline/text.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import type { CarrierAddress } from "./facts.ts";
import type { Carrier, Check, SnapshotFacts, UcrFee } from "./schemas.ts";

type Counts = Pick<Carrier, "power_units" | "drivers" | "not_reported" | "unusable">;

/** How a filed value that cannot be used is described. */
export const NOT_USABLE = "filed, but not usable";

/** Whether the carrier filed a value that cannot be used, as opposed to none. */
export function isUnusable(
  { unusable }: Pick<Carrier, "unusable">,
  member: RefusedMember,
): boolean {
  return unusable.some((value) => value.member === member);
}

/** Why a count is a placeholder, in words; undefined for one that was filed. */
function lackOf(carrier: Counts, member: "power_units" | "drivers"): string | undefined {
  return isUnusable(carrier, member)
    ? NOT_USABLE
    : carrier.not_reported.includes(member)
    ? "not reported"
    : undefined;
}

/** Power units or drivers: `1,896`, `not reported`. */
export function fleetCount(carrier: Counts, member: "power_units" | "drivers"): string {
  return lackOf(carrier, member) ?? counted(carrier[member]);
}

/** Power units and drivers with their nouns: `85 power units`, `drivers not reported`. */
export function fleetParts(carrier: Counts): [units: string, drivers: string] {
  const part = (member: "power_units" | "drivers", noun: string): string => {
    const lack = lackOf(carrier, member);
    return lack === undefined ? plural(carrier[member], noun) : `${noun}s ${lack}`;
  };
  return [part("power_units", "power unit"), part("drivers", "driver")];
}

/** `, 4 power units`, to append to a search result; empty for 0, which in a search result may mean a blank. */
export function fleetSuffix({ power_units }: { power_units: number }): string {
  return power_units > 0 ? `, ${plural(power_units, "power unit")}` : "";
}

/** `The 2026 UCR fee for 4 vehicles is $138 (bracket 2; 49 CFR 367.40).` */
export function feeWords({ year, vehicles, bracket, fee_usd, source }: UcrFee): string {
  return `The ${year} UCR fee for ${plural(vehicles, "vehicle")} is $${counted(fee_usd)} ` +
    `(bracket ${bracket}; ${source}).`;
}

/** City and state, where the census has them; empty when it has neither. */
export function placeOf({ city, state }: { city: string; state: string }): string {
  return [city, state].filter((part) => part !== "").join(", ");
}

/** The parts that an address has, on one line; empty when it has none. */
export function addressLine({ street, city, state, zip, country }: CarrierAddress): string {
  const region = [state, zip].filter((part) => part !== null).join(" ");
  return [street, city, region, country].filter((part) => part !== null && part !== "").join(", ");
}

/** `5,391,856 miles in 2025`. */
export function mileageWords({ miles, year }: NonNullable<Carrier["mileage"]>): string {
  return `${counted(miles)} miles ${year === null ? "(year not reported)" : `in ${year}`}`;
}

export function yesOrNo(value: boolean | null): string {
  return value === null ? "not reported" : value ? "yes" : "no";
}

interface FiledDocket {
  prefix: string;
  number: string | number;
  status?: string | null | undefined;
  /** Present if the row lists the docket with several statuses. */
  statuses?: readonly string[] | undefined;
}

/** Whether a docket is listed as active and as nothing else. */
export function isListedActive({ status, statuses = [] }: FiledDocket): boolean {
  return status === "A" && statuses.length === 0;
}

/** The docket to name first: an MC docket, an active one before others. */
export function mainDocket<D extends FiledDocket>(dockets: readonly D[]): D | undefined {
  const mcs = dockets.filter(({ prefix }) => prefix === "MC");
  return mcs.find(isListedActive) ?? mcs.find(({ statuses = [] }) => statuses.includes("A")) ??
    mcs[0];
}

export const STATUS_WORDS: Readonly<Record<string, string>> = {
  A: "active",
  I: "inactive",
  P: "pending",
};

/** The first words of the USDOT number's check: `Listed pending in `. */
export function listedAs(status: string): string {
  return `Listed ${STATUS_WORDS[status]} in `;
}

/**
 * The status of a USDOT number in words, the same on every surface: `active`, `inactive`, `pending`; `not active`
 * for a search result, which doesn't know whether it is pending.
 */
export function usdotStatusWord(
  of: { active: boolean } | {
    status: Carrier["status"];
    checks: readonly Pick<Check, "id" | "detail">[];
  },
): string {
  if (!("status" in of)) return of.active ? "active" : "not active";
  const { detail } = of.checks.find(({ id }) => id === "usdot_status")!;
  return detail.includes(listedAs("P")) ? STATUS_WORDS.P! : of.status;
}

export const OPERATION_WORDS = {
  A: "Interstate",
  B: "Intrastate Hazmat",
  C: "Intrastate Non-Hazmat",
} as const;

/** How a docket is listed: `active`, `without a status`, `both active and inactive`. */
export function statusWord({ status, statuses = [] }: FiledDocket): string {
  const word = (letter: string): string => STATUS_WORDS[letter] ?? "without a status";
  if (statuses.length === 0) return word(status ?? "");
  const words = statuses.map(word);
  return words.length === 2 ? `both ${listed(words)}` : `${words.length} ways: ${words.join(", ")}`;
}

/** `MC 186800`. */
export function docketName({ prefix, number }: FiledDocket): string {
  return `${prefix} ${number}`;
}

/** `MC 186800: listed active`; of several, the first and how many more there are. */
export function docketWords(docket: FiledDocket, count = 1): string {
  const more = docket.statuses === undefined
    ? plural(count - 1, "more docket")
    : `${count - 1} more`;
  return `${docketName(docket)}: listed ${statusWord(docket)}${count === 1 ? "" : ` and ${more}`}`;
}

const STATE_WORDS = { ok: "OK", warn: "Review", bad: "Problem" } as const;

const DATA_WORDS = {
  used: "Info",
  missing: "No data",
  unusable: "No usable data",
  not_applicable: "Doesn't apply",
} as const;

/** The state of a check for people, the same on every page and in every file. */
export function stateWords({ state, data }: Pick<Check, "state" | "data">): string {
  return state === "info" ? DATA_WORDS[data] : STATE_WORDS[state];
}

/**
 * The date of the data and its age: `Oct 3, 2026 (50 days old)`, of an answer as of a past day
 * `Oct 3, 2026 (2 days old on Oct 5, 2026)`.
 */
export function dataAge({ data_date, age_days, as_of }: SnapshotFacts): string {
  const day = as_of === undefined ? "" : ` on ${formatForPeople(as_of)}`;
  const age = age_days > 0 ? `${plural(age_days, "day")} old` : as_of ? "0 days old" : "today's";
  return `${formatForPeople(data_date)} (${age}${day})`;
}

/**
 * `FMCSA data: census of Oct 3, 2026 (50 days old), inspections through Oct 2, 2026, out-of-service orders through
 * Oct 1, 2026.`, or that it is a sample.
 */
export function dataLine(snapshot: SnapshotFacts): string {
  return snapshot.notice === undefined
    ? `FMCSA data: census of ${dataAge(snapshot)}, inspections through ${
      formatForPeople(snapshot.inspections_date)
    }${ordersSuffix(snapshot)}.`
    : `Sample data of ${dataAge(snapshot)}.`;
}

function ordersSuffix({ orders_date: day }: SnapshotFacts): string {
  return day === undefined ? "" : `, out-of-service orders through ${formatForPeople(day)}`;
}
