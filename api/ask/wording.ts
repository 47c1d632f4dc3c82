/**
 * What was understood, in words.
 *
 * @module
 */

import type { Decision } from "./decision.ts";
import type { CarrierRef, DeclinedTopic, Expectation, Topic, Year } from "./understanding.ts";

/** Topics for people. */
export const TOPIC_NAMES: Readonly<Record<Topic, string>> = {
  status: "USDOT status",
  mcs150: "MCS-150 filing",
  authority: "operating authority",
  rating: "safety rating",
  oos: "inspections and out-of-service rates",
  ucr: "UCR fee",
  fleet: "power units and drivers",
  location: "location",
  operation: "interstate or intrastate operation",
};

/** Declined topics for people. */
export const DECLINED_NAMES: Readonly<Record<DeclinedTopic, string>> = {
  insurance: "insurance and bonds",
  crashes: "crashes",
  trust: "whether to trust a carrier",
  load_rates: "load rates",
  legal: "legal advice",
  licensing: "kinds, grants and revocations of operating authority",
  scores: "CSA and SMS scores",
  contact: "addresses, owners and contact details",
  ucr_payment: "whether a UCR fee was paid",
  filing: "filing, registering or paying",
  other_filings: "filings other than the MCS-150 and UCR",
  drivers: "drivers and their records",
  oos_order: "out-of-service orders",
  violations: "single violations",
  cargo: "cargo and equipment",
  history: "the history of a carrier",
  credit: "credit and payment habits",
  filters: "searches by anything but name and place",
  explanations: "general questions about the rules",
};

/** Says what was understood of a question. */
export function describe({ intent, slots }: Decision, declined: readonly DeclinedTopic[]): string {
  const parts: string[] = [];
  if (intent !== null) parts.push(says({ intent, slots }));
  if (declined.length > 0) {
    const names = declined.map((topic) => DECLINED_NAMES[topic]).join("; ");
    const about = intent === null && slots.carriers.length > 0 ? ` of ${refs(slots.carriers)}` : "";
    parts.push(`Not answered here: ${names}${about}`);
  }
  return parts.length > 0 ? parts.join(". ") : "Nothing that can be answered here";
}

/** A carrier as the question names it. */
export function refName(ref: CarrierRef): string {
  if (ref.by === "name") return `"${ref.name}"`;
  return `${ref.by === "dot" ? "USDOT" : "MC"} ${ref.number}`;
}

/** A list for people. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function says({ intent, slots }: Decision): string {
  const { carriers, topics, expects, vehicles, years, query } = slots;
  const whom = refs(carriers);
  const about = topics.length > 0 ? topicNames(topics, expects) : "the main checks";
  switch (intent) {
    case "check":
      return `${upper(topicNames(topics, expects))} of ${whom}${inYears(years)}`;
    case "due_date":
      return `When the MCS-150 of ${whom} is due`;
    case "ucr_fee":
      return `The UCR fee of ${vehicles === undefined ? "a fleet" : fleetName(vehicles)}${
        inYears(years)
      }`;
    case "mc_to_dot":
      return `The USDOT number of ${whom}`;
    case "dot_to_mc":
      return `The MC number of ${whom}`;
    case "search":
      return query === undefined ? "Search carriers" : `Search carriers for "${query}"`;
    case "compare":
      return `Compare ${whom}: ${about}`;
    default:
      return `Look up ${whom}`;
  }
}

/** `12 vehicles`, `1 vehicle`. */
export function fleetName(vehicles: number): string {
  return `${vehicles} ${vehicles === 1 ? "vehicle" : "vehicles"}`;
}

function refs(carriers: readonly CarrierRef[]): string {
  return carriers.length > 0 ? listed(carriers.map(refName)) : "a carrier";
}

function topicNames(topics: readonly Topic[], expects: readonly Expectation[]): string {
  return listed(topics.map((topic) => {
    const expected = expects.filter((expect) => expect.startsWith(`${topic}=`))
      .map((expect) => expect.slice(topic.length + 1));
    return TOPIC_NAMES[topic] + (expected.length > 0 ? ` (${expected.join(" or ")}?)` : "");
  }));
}

function inYears(years: readonly Year[]): string {
  return years.length > 0 ? ` for ${listed(years.map(yearName))}` : "";
}

function yearName(year: Year): string {
  return typeof year === "number" ? String(year) : `${year} year`;
}

/** With a capital first letter. */
export function upper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
