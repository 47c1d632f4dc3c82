/**
 * The topics of a carrier, each a row with the text that answers it. Text that carriers filed is quoted; an
 * unknown is never called clean or bad.
 *
 * @module
 */

import { counted, inert, listed, plural, quoted } from "../../../../pipeline/text.ts";
import { formatDate, formatForPeople as day, parseDate } from "../../../../pipeline/dates.ts";
import { censusOf } from "../../../rules/check.ts";
import { type CarrierAddress, reachWords } from "../../../rules/facts.ts";
import { findingHead, findingLine } from "../../../rules/findings.ts";
import { schedule } from "../../../rules/mcs150.ts";
import { ordersAnswer, ordersLine } from "../../../rules/orders.ts";
import { averagesFor } from "../../../rules/out_of_service.ts";
import type { Carrier, Check, CheckId } from "../../../rules/schemas.ts";
import {
  addressLine,
  fleetParts,
  mileageWords,
  placeOf,
  statusWord,
  yesOrNo,
} from "../../../rules/words.ts";

type Text = (carrier: Carrier) => string;

interface TopicRow {
  name: string;
  /** The check that answers it. */
  check?: CheckId;
  /** The answer. Without it: the detail of the check, else `brief` as a sentence about the census. */
  text?: Text;
  /** A few words for comparisons. Without it: the summary of the check, else the text. */
  brief?: Text;
}

const TABLE = {
  match: { name: "Name match", text: () => "" },
  changes: { name: "Changes", text: () => "" },
  usdot: {
    name: "USDOT number",
    text: ({ dot }) => `The USDOT number is ${dot}.`,
  },
  overview: {
    name: "The six checks",
    text: (carrier) =>
      `${carrier.verdict}. ${findingsOf(carrier)}${
        inCensus(carrier, `${locationOf(carrier)}, ${fleetOf(carrier)}`)
      } ${carrier.checks.map(({ label, summary }) => `${label}: ${inert(summary)}`).join("; ")}.`,
    brief: ({ verdict }) => verdict,
  },
  verdict: {
    name: "Verdict",
    text: (carrier) => `${carrier.verdict}. ${findingsOf(carrier)}`.trim(),
    brief: ({ verdict }) => verdict,
  },
  status: {
    name: "USDOT status",
    check: "usdot_status",
    text: (carrier) => detailOf(carrier, "usdot_status") + otherFindings(carrier),
    brief: (carrier) => inert(checkOf(carrier, "usdot_status").summary),
  },
  mcs150: {
    name: "MCS-150 filing and due date",
    check: "mcs150",
    text: (carrier) => detailOf(carrier, "mcs150") + dateAfterMissed(carrier),
    brief: (carrier) => inert(checkOf(carrier, "mcs150").summary),
  },
  authority: {
    name: "Operating authority",
    check: "operating_authority",
    text: (carrier) =>
      `Filed as: ${listed(carrier.roles) || "role not reported"}, ${
        operationOf(carrier).toLowerCase()
      }, ${classesOf(carrier)}. ${detailOf(carrier, "operating_authority")}`,
  },
  dockets: {
    name: "Docket numbers",
    text: (carrier) =>
      inCensus(carrier, docketsOf(carrier)) + prefixWords(carrier) +
      " Docket status isn't operating authority.",
    brief: docketsOf,
  },
  rating: { name: "Safety rating", check: "safety_rating" },
  oos: {
    name: "Out-of-service rates",
    check: "oos_rates",
    text: (carrier) =>
      detailOf(carrier, "oos_rates") + averagesBeside(carrier) + ordersBeside(carrier),
  },
  orders: {
    name: "Out-of-service orders",
    text: (carrier) => inert(ordersAnswer(carrier), 2000),
    brief: (carrier) => inert(ordersLine(carrier) ?? "not included in the data"),
  },
  inspections: {
    name: "Inspections and violations",
    check: "oos_rates",
    text: inspected,
    brief: ({ inspections_24m: seen }) =>
      seen === null
        ? "no roadside inspections in 24 months"
        : `${seen.total} with ${plural(seen.violations, "violation")} in 24 months`,
  },
  ucr: { name: "UCR fee", check: "ucr" },
  fleet: {
    name: "Vehicles and drivers",
    text: (carrier) => inCensus(carrier, vehiclesAndDriversOf(carrier)) + zeroWords(carrier),
    brief: fleetOf,
  },
  names: {
    name: "Legal and DBA name",
    brief: ({ legal_name, dba_name }) =>
      `legal name ${quoted(legal_name)}, ${
        dba_name === null ? "no DBA name" : `DBA name ${quoted(dba_name)}`
      }`,
  },
  location: { name: "Location", brief: locationOf },
  operation: {
    name: "Operation and classification",
    brief: (carrier) => `${operationOf(carrier)}; ${classesOf(carrier)}`,
  },
  contact: { name: "Address and phone", brief: contactOf },
  cargo: { name: "Cargo", brief: cargoOf },
  mileage: {
    name: "Mileage",
    text: (carrier) => inCensus(carrier, `${mileageOf(carrier)}; ${fleetOf(carrier)} on file`),
    brief: mileageOf,
  },
  review: { name: "Last review", brief: reviewOf },
  revocation: {
    name: "Prior revocation",
    text: (carrier) =>
      inCensus(carrier, revocationOf(carrier)) +
      (hasOrders(carrier) ? ` Out-of-service orders: ${inert(ordersLine(carrier)!)}.` : "") +
      " Grants and revocations of operating authority are not in the FMCSA files used here; see SAFER.",
    brief: revocationOf,
  },
  added: {
    name: "Date of the USDOT record",
    text: (carrier) =>
      inCensus(carrier, addedOf(carrier)) +
      " It is the day on which the record was created, reactivated or updated, so it isn't the company's age.",
    brief: addedOf,
  },
} as const satisfies Record<string, TopicRow>;

/** What can be asked about one carrier. */
export type Topic = keyof typeof TABLE;

/** The row of each topic, in the order of every answer. */
export const TOPICS: Readonly<Record<Topic, TopicRow>> = TABLE;

export const TOPIC_KEYS = Object.keys(TABLE) as Topic[];

export function isTopic(name: string): name is Topic {
  return Object.hasOwn(TABLE, name);
}

/** The other topics that the overview covers. */
export const IN_OVERVIEW: readonly Topic[] = [
  "status",
  "mcs150",
  "authority",
  "rating",
  "oos",
  "ucr",
  "fleet",
  "location",
  "verdict",
];

const NEWEST = 5;

export function checkOf({ checks }: Carrier, id: CheckId): Check {
  return checks.find((check) => check.id === id)!;
}

export function detailOf(carrier: Carrier, id: CheckId): string {
  return inert(checkOf(carrier, id).detail, 2000);
}

/** The other findings, for an answer about the status. */
function otherFindings({ findings }: Carrier): string {
  const others = findings.filter(({ id }) => id !== "usdot_status");
  return others.length === 0
    ? ""
    : ` Also found: ${inert(others.map(findingHead).join("; "), 2000)}.`;
}

function findingsOf({ findings }: Carrier): string {
  return findings.map((finding) => `${inert(findingLine(finding), 2000)} `).join("");
}

/** The national averages, which stand in the rates of a carrier that has any. */
function averagesBeside({ inspections_24m: seen, snapshot }: Carrier): string {
  const averages = averagesFor(snapshot.data_date);
  if (seen !== null || averages === undefined) return "";
  const { vehicle, driver, hazmat } = averages;
  return ` The national averages are vehicle ${vehicle}%, driver ${driver}% and hazmat ${hazmat}%.`;
}

/** Orders on file, which people may mean by "out of service" as well. */
function ordersBeside(carrier: Carrier): string {
  return hasOrders(carrier)
    ? ` Out-of-service orders, which are not part of these rates: ${inert(ordersLine(carrier)!)}.`
    : "";
}

function hasOrders({ orders }: Carrier): boolean {
  return orders !== undefined && orders.length > 0;
}

/** The next scheduled date, if `next_due` has passed. */
function dateAfterMissed({ dot, mcs150: { next_due, days_until_due: days } }: Carrier): string {
  if (days >= 0) return "";
  const today = formatDate(parseDate(next_due) - days);
  return ` The next scheduled date is ${day(schedule(Number(dot), today).next_due)}.`;
}

function classesOf({ classes }: Carrier): string {
  return classes.length === 0
    ? "classification not reported"
    : `classified as ${listed(classes.map((name) => quoted(name)))}`;
}

function addedOf({ added }: Carrier): string {
  return added === null ? "the day of the record is not reported" : `record dated ${day(added)}`;
}

export function inCensus({ snapshot }: Carrier, fact: string): string {
  return `In ${censusOf(snapshot)}: ${fact}.`;
}

function docketsOf({ dockets }: Carrier): string {
  return dockets.map((docket) => `${docket.prefix} ${docket.number} (listed ${statusWord(docket)})`)
    .join(", ") || "no docket listed";
}

function zeroWords({ power_units: units, not_reported }: Carrier): string {
  return units === 0 && !not_reported.includes("power_units")
    ? " Zero is what it filed; the census doesn't say why."
    : "";
}

/** What dockets other than MC are. */
function prefixWords({ dockets }: Carrier): string {
  const has = (one: string): boolean => dockets.some(({ prefix }) => prefix === one);
  return (has("FF") ? " FF is the docket of a freight forwarder." : "") +
    (has("MX") ? " MX is the docket of a carrier based in Mexico." : "");
}

function locationOf(carrier: Carrier): string {
  const place = placeOf(carrier);
  const country = carrier.address?.country ?? null;
  return place === ""
    ? "location not reported"
    : quoted(country === null ? place : `${place}, ${country}`);
}

function operationOf({ operation }: Carrier): string {
  return operation === "Not reported" ? "operation not reported" : operation;
}

function fleetOf(carrier: Carrier): string {
  return fleetParts(carrier).join(" and ");
}

function contactOf({ address, mailing_address: mailing, undeliverable, phone }: Carrier): string {
  const [physical, mail] = [address, mailing].map(addressOf);
  const returned = undeliverable.physical ? " (marked as undeliverable)" : "";
  const other = mail === ""
    ? ""
    : mail === physical
    ? ", which is its mailing address too"
    : `, mailing address ${mail}`;
  return `${physical === "" ? "address not reported" : `address ${physical}${returned}`}${other}, ${
    phone === null ? "no phone number" : `phone ${inert(phone)}`
  }`;
}

function addressOf(address: CarrierAddress | null): string {
  const line = address === null ? "" : addressLine(address);
  return line === "" ? "" : quoted(line, 200);
}

function cargoOf({ cargo, other_cargo, hazmat, passengers }: Carrier): string {
  const filed = cargo.map((one) => one === "Other" && other_cargo ? quoted(other_cargo) : one);
  return `cargo ${
    filed.length === 0 ? "not reported" : `filed: ${filed.join("; ")}`
  }. Registered for ` +
    `hazardous materials: ${yesOrNo(hazmat)}. Passengers: ${yesOrNo(passengers)}`;
}

function vehiclesAndDriversOf(carrier: Carrier): string {
  const vehicles = carrier.vehicles.map(({ kind, ...held }) => {
    const counts = Object.entries(held).flatMap(([holding, count]) =>
      count === 0 ? [] : `${counted(count)} ${holding.replace("_", "-")}`
    );
    return `${kind.replace("_", " ")} ${listed(counts)}`;
  });
  const drivers = Object.entries(carrier.drivers_by_reach ?? {}).flatMap(([name, count]) =>
    count === null || count === 0 ? [] : `${counted(count)} ${reachWords(name)}`
  );
  return [
    fleetOf(carrier),
    vehicles.join(", ") || "vehicle types not reported",
    ...drivers.length === 0 ? [] : [`of the drivers ${drivers.join(", ")}`],
  ].join("; ");
}

function mileageOf({ mileage }: Carrier): string {
  return mileage === null ? "mileage not reported" : mileageWords(mileage);
}

function reviewOf({ review, recordable_crash_rate: crashes }: Carrier): string {
  if (review === null) return "no review on file";
  const on = review.date === null ? "" : ` on ${day(review.date)}`;
  const rate = crashes === null ? "" : `, recordable crash rate ${crashes} filed with it`;
  return `last review: ${
    review.name ?? `type ${inert(review.type ?? "not reported")}`
  }${on}${rate}`;
}

function revocationOf({ prior_revocation: prior }: Carrier): string {
  const dot = prior?.dot == null ? "" : ` (USDOT ${prior.dot})`;
  if (prior?.revoked == null) {
    return `prior revocation not reported${dot}`;
  }
  return prior.revoked
    ? `the carrier reported a prior revocation${dot}`
    : `the carrier reported no prior revocation${dot}`;
}

function inspected(carrier: Carrier): string {
  const { inspections_24m: seen } = carrier;
  if (seen === null) return detailOf(carrier, "oos_rates");
  const newest = (seen.latest ?? []).slice(0, NEWEST).map(({ date, state, level, violations }) =>
    `${day(date)}${state === null ? "" : ` in ${inert(state)}`} (${
      level === null ? "" : `level ${level}, `
    }${plural(violations, "violation")})`
  );
  const list = newest.length === 0 ? "" : ` Most recent: ${newest.join("; ")}.`;
  return `FMCSA's inspection file has ${plural(seen.total, "roadside inspection")} with ` +
    `${plural(seen.violations, "violation")} from ${day(seen.from)} to ${day(seen.to)}, the last ` +
    `inspection on ${
      day(seen.last_inspection)
    }.${list} This service doesn't list the violations; see SMS.`;
}
