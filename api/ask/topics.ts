/**
 * What is said of a carrier, topic by topic. An unknown is never called clean.
 *
 * @module
 */

import { formatForPeople } from "../rules/calendar.ts";
import type { Carrier, Check, CheckId } from "../rules/schemas.ts";
import { listed } from "./wording.ts";
import type { Expectation, Topic } from "./understanding.ts";

const CHECKS: Readonly<Partial<Record<Topic, CheckId>>> = {
  status: "usdot_status",
  mcs150: "mcs150",
  authority: "operating_authority",
  rating: "safety_rating",
  oos: "oos_rates",
  ucr: "ucr",
};

// "MC 186800 active? Yes" would be read as authority, so each says what it is about.
const QUESTIONS: Readonly<Record<Expectation, string>> = {
  "status=active": "USDOT number active",
  "status=inactive": "USDOT number inactive",
  "rating=satisfactory": "Rated Satisfactory",
  "rating=conditional": "Rated Conditional",
  "rating=unsatisfactory": "Rated Unsatisfactory",
  "rating=rated": "Rated",
  "mcs150=filed": "MCS-150 filed in time",
  "mcs150=overdue": "MCS-150 overdue",
};

/** The check a topic is about; undefined for plain facts of the census. */
export function checkOf(carrier: Carrier, topic: Topic): Check | undefined {
  return carrier.checks.find(({ id }) => id === CHECKS[topic]);
}

/** The whole answer to a topic, with yes, no or unclear to what was expected. */
export function tell(
  carrier: Carrier,
  topic: Topic,
  { expects = [] }: { expects?: readonly Expectation[] } = {},
): string {
  const verdicts = expects.filter((expect) => expect.startsWith(`${topic}=`))
    .map((expect) => `${QUESTIONS[expect]}? ${verdict(carrier, expect)}.`);
  const detail = checkOf(carrier, topic)?.detail ??
    `${inCensus(carrier)}: ${fact(carrier, topic)}.`;
  return [...verdicts, detail].join(" ");
}

/** A few words to set beside those of another carrier. */
export function brief(carrier: Carrier, topic: Topic): string {
  const { mcs150, inspections_24m: inspections, dockets } = carrier;
  switch (topic) {
    case "status":
      return checkOf(carrier, topic)?.state === "warn" ? "pending" : carrier.status;
    case "mcs150":
      return `${mcs150.state}, ${
        mcs150.last_filed === null ? "no filing date" : `filed ${mcs150.last_filed}`
      }, due ${mcs150.next_due}`;
    case "authority":
      return dockets.length === 0 ? "no docket listed" : dockets.map(docketName).join(", ");
    case "rating":
      return carrier.safety_rating;
    case "oos":
      return inspections === null
        ? "no inspections in 24 months"
        : `vehicle ${rate(inspections.vehicle)}, driver ${rate(inspections.driver)}`;
    case "ucr":
      return `from ${units(carrier)}`;
    default:
      return fact(carrier, topic);
  }
}

/** One sentence on the whole carrier, with its checks counted by what they say. */
export function overview(carrier: Carrier): string {
  const close = labels(carrier, "bad", "warn");
  const unsure = labels(carrier, "info");
  const fine = labels(carrier, "ok");
  const parts = [
    close.length > 0 ? `look closer at ${listed(close)}` : "",
    fine.length > 0 ? `no problem shown by ${listed(fine)}` : "",
    unsure.length > 0 ? `no verdict possible on ${listed(unsure)}` : "",
  ].filter((part) => part !== "");
  return `${nameOf(carrier)} (USDOT ${carrier.dot}): ${brief(carrier, "status")}, ` +
    `${fact(carrier, "location")}, ${fact(carrier, "fleet")} in the census of ${day(carrier)}. ` +
    `Checks: ${parts.join("; ")}.`;
}

/** The dockets of a carrier, with what their flags are worth. */
export function tellDockets(carrier: Carrier): string {
  const { dockets } = carrier;
  if (dockets.length === 0) return `${inCensus(carrier)}: no docket is listed.`;
  return `${inCensus(carrier)}: ${listed(dockets.map(docketName))}. A docket's flag is not ` +
    "operating authority.";
}

/** The name, or the number of a carrier without one. */
export function nameOf({ name, dot }: Carrier): string {
  return name === "" ? `USDOT ${dot}` : name;
}

function verdict(carrier: Carrier, expect: Expectation): string {
  const [topic, wanted] = expect.split("=");
  if (topic === "status") {
    const is = brief(carrier, "status");
    return is === wanted ? "Yes" : is === "pending" ? "No, it is pending" : "No";
  }
  if (topic === "rating") {
    const is = carrier.safety_rating.toLowerCase();
    if (is === "not rated") return "It is not rated";
    return wanted === "rated" || wanted === is ? "Yes" : "No";
  }
  const { state } = carrier.mcs150;
  if (state === "unknown") return "Unclear";
  return (state === "overdue") === (wanted === "overdue") ? "Yes" : "No";
}

function fact(carrier: Carrier, topic: Topic): string {
  switch (topic) {
    case "fleet":
      return `${units(carrier)} and ${count(carrier, "drivers", "driver")}`;
    case "location": {
      const place = [carrier.city, carrier.state].filter((part) => part !== "").join(", ");
      return place === "" ? "place not reported" : place;
    }
    default:
      return carrier.not_reported.includes("operation")
        ? "operation not reported"
        : `filed as ${carrier.operation}`;
  }
}

function units(carrier: Carrier): string {
  return count(carrier, "power_units", "power unit");
}

function count(carrier: Carrier, member: "power_units" | "drivers", one: string): string {
  if (carrier.not_reported.includes(member)) return `${one}s not reported`;
  const number = carrier[member];
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}

function rate({ rate_pct, inspections }: { rate_pct: number | null; inspections: number }): string {
  return rate_pct === null ? "not inspected" : `${rate_pct.toFixed(1)} % of ${inspections}`;
}

function docketName({ prefix, number, status }: Carrier["dockets"][number]): string {
  const flag = status === "A" ? "active" : status === "I" ? "inactive" : "neither";
  return `${prefix} ${number} (flagged ${flag === "neither" ? status ?? "with nothing" : flag})`;
}

function labels(carrier: Carrier, ...states: readonly Check["state"][]): string[] {
  return carrier.checks.filter(({ state }) => states.includes(state)).map(({ label }) => label);
}

function inCensus(carrier: Carrier): string {
  return `In the census of ${day(carrier)}`;
}

function day(carrier: Carrier): string {
  return formatForPeople(carrier.snapshot.data_date);
}
