/**
 * Members of a record and their values in words, for lists of changes: in the form of the JSON (ISO dates,
 * plain digits) and for people.
 *
 * @module
 */
import {
  CENSUS_MEMBERS,
  type CensusMember,
  type Member,
} from "../../pipeline/snapshot/record/members.ts";
import type {
  CarrierRecord,
  Docket,
  OutOfServiceOrder,
} from "../../pipeline/snapshot/record/record.ts";
import { counted, quoted } from "../../pipeline/text.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import { RATINGS } from "./checks.ts";
import { cargoNames, driversOf, reachWords, REVIEW_NAMES, vehiclesOf } from "./facts.ts";
import { reasonWords } from "./orders.ts";
import { roleWord } from "./roles.ts";
import { docketName, OPERATION_WORDS, STATUS_WORDS, statusWord } from "./words.ts";

/** A member that a change can name; `dot` means that the carrier is in the census at all. */
export type ChangedMember = "dot" | CensusMember | "dockets" | "orders";

export const MEMBER_LABELS: Readonly<Record<ChangedMember, string>> = {
  dot: "In the census",
  legal_name: "Legal name",
  street: "Street",
  city: "City",
  state: "State",
  zip: "ZIP code",
  phone: "Phone number",
  status: "Status",
  operation: "Operation",
  hazmat: "Hazmat",
  roles: "Roles",
  classes: "Classifications",
  cargo: "Cargo",
  power_units: "Power units",
  drivers: "Drivers",
  driver_counts: "Drivers by reach",
  vehicles: "Vehicles by kind",
  mileage: "Mileage",
  mileage_year: "Year of the mileage",
  mcs150_date: "MCS-150 filing date",
  added: "Date of the USDOT record",
  prior_revoked: "Prior revocation",
  business_form: "Business form",
  dba_name: "DBA name",
  cargo_other: "Other cargo",
  mailing: "Mailing address",
  review_type: "Type of the last review",
  review_date: "Date of the last review",
  crash_rate: "Recordable crash rate",
  duns: "DUNS number",
  country: "Country",
  rating: "Safety rating",
  rating_date: "Date of the safety rating",
  undeliverable: "Undeliverable-mail mark",
  mail_returned: "Undeliverable-mail date",
  prior_revoked_dot: "USDOT number of the prior revocation",
  dockets: "Dockets",
  orders: "Out-of-service orders",
};

export const LISTED_IN_CENSUS = { was: "not listed", now: "listed" } as const;

/** What an absent value means where it is not just a blank. */
const ABSENT_WORDS: Partial<Record<string, string>> = {
  country: "United States or blank",
  mileage: "0 or blank",
  vehicles: "0 or blank",
  undeliverable: "no",
  orders: "none listed",
};

/** Members whose values {@link plainText} does not handle. */
const WORDS: { [M in ChangedMember & keyof CarrierRecord]?: (value: never) => string } = {
  status: (letter: string) => STATUS_WORDS[letter]!,
  operation: (letter: keyof typeof OPERATION_WORDS) => OPERATION_WORDS[letter],
  rating: (letter: keyof typeof RATINGS) => RATINGS[letter].word,
  review_type: (letter: string) => REVIEW_NAMES[letter] ?? letter,
  roles: (letters: string[]) => letters.map(roleWord).join(", "),
  cargo: (marks: string) => cargoNames(marks).join(", "),
  dockets: (dockets: Docket[]) =>
    dockets.map((docket) => `${docketName(docket)} ${statusWord(docket)}`).join(", "),
  orders: (orders: OutOfServiceOrder[]) =>
    orders.map(({ date, reason, rescinded, unusable }) =>
      unusable === undefined
        ? `${date} (${reasonWords(reason)})${
          rescinded === undefined ? "" : `, rescinded ${rescinded}`
        }`
        : `an order of unusable dates (${reasonWords(reason)})`
    ).join("; "),
  vehicles: (sums: number[]) =>
    vehiclesOf(sums).map(({ kind, ...counts }) =>
      `${kind.replaceAll("_", " ")} ${
        Object.entries(counts).filter(([, count]) => count > 0)
          .map(([holding, count]) => `${count} ${holding.replace("_", "-")}`).join(" and ")
      }`
    ).join(", "),
  driver_counts: (counts: (number | null)[]) =>
    Object.entries(driversOf(counts)!).filter(([, count]) => count !== null)
      .map(([name, count]) => `${count} ${reachWords(name)}`).join(", "),
};

/** A value of a record as JSON lists it; null for a blank. */
export function plainText(member: string, value: unknown): string | null {
  const words = (WORDS as Record<string, (value: unknown) => string>)[member];
  if (value === undefined || value === "") return ABSENT_WORDS[member] ?? null;
  if (words !== undefined) return words(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join("; ") : String(value);
}

/** A text of {@link plainText} for people: dates and numbers as they read them, filed text in quotes. */
export function textForPeople(member: string, text: string): string {
  if (text === ABSENT_WORDS[member]) return text;
  if (member === "orders") return text.replaceAll(/\b\d{4}-\d\d-\d\d\b/g, formatForPeople);
  const { kind } = (CENSUS_MEMBERS as Readonly<Record<string, Member>>)[member] ?? {};
  switch (kind) {
    case "day":
      return formatForPeople(text);
    case "count":
      return member.endsWith("_dot") ? text : counted(Number(text));
    case "text":
    case "place":
      return quoted(text);
    default:
      return text;
  }
}

/** A label inside a sentence: `legal name`, `MCS-150 filing date`. */
export function labelInSentence(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}
