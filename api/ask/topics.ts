/**
 * What can be asked about a carrier, a row each with the text that answers. Text that
 * carriers filed is quoted; an unknown is never called clean or bad.
 *
 * @module
 */

import type { z } from "zod";
import { inert, plural, quoted } from "../../pipeline/text.ts";
import type { Match } from "../operations/match.ts";
import type { SearchResult } from "../operations/search.ts";
import { formatForPeople as day } from "../rules/calendar.ts";
import type { Carrier, Check, CheckId } from "../rules/schemas.ts";
import { placeOf } from "../rules/verdict.ts";

type Text = (carrier: Carrier) => string;

interface TopicRow {
  name: string;
  /** The check that answers it. */
  check?: CheckId;
  /** What is known; without it the detail of the check, else the brief as the census has it. */
  text?: Text;
  /** A few words to set beside those of another carrier; without it the summary of the check, else the text. */
  brief?: Text;
}

const TABLE = {
  match: { name: "Name match", text: () => "" },
  usdot: {
    name: "USDOT number",
    text: ({ dot }) => `The USDOT number is ${dot}.`,
  },
  overview: {
    name: "The six checks",
    text: (carrier) =>
      `${carrier.verdict}. ${inCensus(carrier, `${locationOf(carrier)}, ${fleetOf(carrier)}`)} ${
        carrier.checks.map(({ label, summary }) => `${label}: ${inert(summary)}`).join("; ")
      }.`,
  },
  status: { name: "USDOT status", check: "usdot_status" },
  mcs150: { name: "MCS-150 filing", check: "mcs150" },
  due: {
    name: "MCS-150 due date",
    check: "mcs150",
    text: (carrier) =>
      `The MCS-150 date is ${day(carrier.mcs150.next_due)}. ${detailOf(carrier, "mcs150")}`,
  },
  authority: { name: "Operating authority", check: "operating_authority" },
  kind: {
    name: "Broker or carrier",
    check: "operating_authority",
    text: (carrier) =>
      `Operation filed: ${operationOf(carrier)}. ${detailOf(carrier, "operating_authority")}`,
  },
  dockets: {
    name: "Docket numbers",
    text: (carrier) =>
      inCensus(carrier, docketsOf(carrier)) + " A docket's status is not operating authority.",
    brief: docketsOf,
  },
  rating: { name: "Safety rating", check: "safety_rating" },
  oos: { name: "Out-of-service rates", check: "oos_rates" },
  inspections: {
    name: "Inspections",
    check: "oos_rates",
    text: inspected,
    brief: ({ inspections_24m: seen }) => seen === null ? UNSEEN : `${seen.total} in 24 months`,
  },
  violations: {
    name: "Violations",
    check: "oos_rates",
    text: inspected,
    brief: ({ inspections_24m: seen }) =>
      seen === null ? UNSEEN : `${seen.violations} in 24 months`,
  },
  ucr: { name: "UCR fee", check: "ucr" },
  fleet: { name: "Power units and drivers", brief: fleetOf },
  location: { name: "Location", brief: locationOf },
  operation: { name: "Interstate or intrastate operation", brief: operationOf },
} as const satisfies Record<string, TopicRow>;

/** What can be asked about one carrier. */
export type Topic = keyof typeof TABLE;

/** The row of each topic, in the order of every answer. */
export const TOPICS: Readonly<Record<Topic, TopicRow>> = TABLE;

/** All topics, in that order. */
export const TOPIC_KEYS = Object.keys(TABLE) as Topic[];

const UNSEEN = "no roadside inspections in 24 months";

/** What a question takes for true, and the states of its check in which it is; only `ok` and `bad` decide. */
const GUESSES: Readonly<Record<string, readonly [said: string, yes: string]>> = {
  "status=active": ["USDOT number active", "ok"],
  "status=inactive": ["USDOT number inactive", "bad"],
  "mcs150=filed": ["MCS-150 filed on time", "ok"],
  "mcs150=overdue": ["MCS-150 overdue", "bad"],
  "authority=active": ["Operating authority active", "ok"],
  "rating=satisfactory": ["Rated Satisfactory", "ok"],
  "rating=conditional": ["Rated Conditional", ""],
  "rating=unsatisfactory": ["Rated Unsatisfactory", "bad"],
  "rating=rated": ["Rated", "ok bad"],
  "oos=above": ["Above the national average", "bad"],
};

/** What is known about a topic, after yes or no to what the question guesses. */
export function topicText(carrier: Carrier, topic: Topic, guesses: ReadonlySet<string>): string {
  const { check, text, brief } = TOPICS[topic];
  const state = check === undefined ? "info" : checkOf(carrier, check).state;
  const guessed = [...guesses].filter((guess) => guess.startsWith(`${topic}=`));
  const verdicts = state !== "ok" && state !== "bad" ? [] : guessed.map((guess) => {
    const [said, yes] = GUESSES[guess]!;
    return `${said}? ${yes.includes(state) ? "Yes" : "No"}.`;
  });
  const fact = text?.(carrier) ??
    (check === undefined ? inCensus(carrier, brief!(carrier)) : detailOf(carrier, check));
  return [...verdicts, fact].join(" ");
}

/** The same in a few words, to set beside those of another carrier. */
export function briefText(carrier: Carrier, topic: Topic): string {
  const { check, text, brief } = TOPICS[topic];
  if (brief !== undefined) return brief(carrier);
  return check === undefined ? text!(carrier) : inert(checkOf(carrier, check).summary);
}

export function checkOf({ checks }: Carrier, id: CheckId): Check {
  return checks.find((check) => check.id === id)!;
}

function detailOf(carrier: Carrier, id: CheckId): string {
  return inert(checkOf(carrier, id).detail, 2000);
}

function inCensus({ snapshot }: Carrier, fact: string): string {
  return `In the FMCSA census of ${day(snapshot.data_date)}: ${fact}.`;
}

function docketsOf({ dockets }: Carrier): string {
  const flags: Readonly<Record<string, string>> = { A: "listed active", I: "listed inactive" };
  return dockets.map(({ prefix, number, status }) =>
    `${prefix} ${number} (${flags[status ?? ""] ?? "no status"})`
  ).join(", ") || "no docket listed";
}

function locationOf(carrier: Carrier): string {
  const place = placeOf(carrier);
  return place === "" ? "location not reported" : quoted(place);
}

function operationOf({ operation }: Carrier): string {
  return operation === "Not reported" ? "operation not reported" : operation;
}

function fleetOf(carrier: Carrier): string {
  const [units, drivers] = (["power_units", "drivers"] as const).map((member) => {
    const noun = member.slice(0, -1).replace("_", " ");
    return carrier.not_reported.includes(member)
      ? `${noun}s not reported`
      : plural(carrier[member], noun);
  });
  return `${units} and ${drivers}`;
}

function inspected(carrier: Carrier): string {
  const { inspections_24m: seen } = carrier;
  if (seen === null) return detailOf(carrier, "oos_rates");
  return `FMCSA's inspection file has ${plural(seen.total, "roadside inspection")} with ` +
    `${plural(seen.violations, "violation")} from ${day(seen.from)} to ${
      day(seen.to)
    }, the last inspection on ` +
    `${day(seen.last_inspection)}. Which violations they were is not served here; see SMS.`;
}

const MATCHED = {
  match: "Match: this is what it filed",
  close: "Close, but not the same as it filed",
  different: "Different from what it filed",
  unknown: "Unknown: not all of it can be compared",
} as const;

/** How a name and a place given compare with what a carrier filed. */
export function matchText({ dot, result, fields }: Match["carriers"][number]): string {
  const each = fields.map(({ field, given, filed, result }) => {
    const onFile = filed.map((text) => quoted(text)).join(" / ") || "nothing";
    return `${field} ${quoted(given)}, on file ${onFile} (${result})`;
  });
  return `${MATCHED[result]} for USDOT ${dot}: ${
    each.join("; ")
  }. A match does not prove identity.`;
}

/** A carrier that a search found. */
export type Found = z.infer<typeof SearchResult>;

/** A carrier as an option to choose. */
export function optionOf({ name, city, state, dot, active }: Found): string {
  const place = [city, state].filter((part) => part !== "").join(" ");
  return `${quoted(name)}${place === "" ? "" : `, ${quoted(place)}`} (USDOT ${dot}, ${
    active ? "active" : "not active"
  })`;
}

/** A carrier by its name and number. */
export function nameOf({ name, dot }: Carrier): string {
  return name === "" ? `USDOT ${dot}` : `${quoted(name)} (USDOT ${dot})`;
}
