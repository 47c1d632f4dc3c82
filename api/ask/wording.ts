/**
 * What is known about a carrier, topic by topic, in words. Text that carriers filed is quoted and cannot close
 * the quotation; an unknown is never called clean or bad.
 *
 * @module
 */

import { counted, inert, quoted } from "../../pipeline/text.ts";
import type { Match } from "../operations/match.ts";
import { formatForPeople as day } from "../rules/calendar.ts";
import type { Carrier, Check, CheckId, InspectionRate } from "../rules/schemas.ts";
import type { Found } from "./carriers.ts";
import type { Topic } from "./vocabulary.ts";

/** The check that answers a topic. */
export const CHECKS: Readonly<Partial<Record<Topic, CheckId>>> = {
  status: "usdot_status",
  mcs150: "mcs150",
  due: "mcs150",
  authority: "operating_authority",
  kind: "operating_authority",
  rating: "safety_rating",
  oos: "oos_rates",
  inspections: "oos_rates",
  violations: "oos_rates",
  ucr: "ucr",
};

/** What is guessed, and the answer when its check is `ok` and `bad`; no other state has one. */
const GUESSES: Readonly<Record<string, readonly [guess: string, ok: string, bad: string]>> = {
  "status=active": ["USDOT number active", "Yes", "No"],
  "status=inactive": ["USDOT number inactive", "No", "Yes"],
  "mcs150=filed": ["MCS-150 filed on time", "Yes", "No"],
  "mcs150=overdue": ["MCS-150 overdue", "No", "Yes"],
  "authority=active": ["Operating authority active", "Yes", "No"],
  "rating=satisfactory": ["Rated Satisfactory", "Yes", "No"],
  "rating=conditional": ["Rated Conditional", "No", "No"],
  "rating=unsatisfactory": ["Rated Unsatisfactory", "No", "Yes"],
  "rating=rated": ["Rated", "Yes", "Yes"],
  "oos=above": ["Above the national average", "No", "Yes"],
};

/** Yes or no to each guess of the question. */
function verdicts(carrier: Carrier, topic: Topic, guesses: ReadonlySet<string>): string[] {
  const state = checkOf(carrier, topic)?.state;
  if (state !== "ok" && state !== "bad") return [];
  return [...guesses].filter((guess) => guess.startsWith(`${topic}=`)).map((guess) => {
    const [said, ok, bad] = GUESSES[guess]!;
    return `${said}? ${state === "ok" ? ok : bad}.`;
  });
}

/** What is known about a topic, after yes or no to what was guessed. */
export function topicText(carrier: Carrier, topic: Topic, guesses: ReadonlySet<string>): string {
  return [...verdicts(carrier, topic, guesses), knownAbout(carrier, topic)].join(" ");
}

function knownAbout(carrier: Carrier, topic: Topic): string {
  const { inspections_24m: seen, dockets, mcs150, snapshot } = carrier;
  const check = checkOf(carrier, topic);
  const detail = check === undefined ? "" : inert(check.detail, 2000);
  const fact = `In the FMCSA census of ${day(snapshot.data_date)}: ${factOf(carrier, topic)}.`;
  switch (topic) {
    case "usdot":
      return `The USDOT number is ${carrier.dot}.`;
    case "overview":
      return overview(carrier);
    case "due":
      return `The MCS-150 date is ${day(mcs150.next_due)}. ${detail}`;
    case "dockets":
      return dockets.length === 0 ? fact : `${fact} A docket's status is not operating authority.`;
    case "inspections":
    case "violations": {
      if (seen === null) return detail;
      const found = plural(seen.total, "roadside inspection");
      const period = `from ${day(seen.from)} to ${day(seen.to)}, the last on ${
        day(seen.last_inspection)
      }`;
      return topic === "inspections"
        ? `FMCSA's inspection file has ${found} ${period}.`
        : `FMCSA's inspection file has ${plural(seen.violations, "violation")} in ${found} ` +
          `${period}. Which violations they were is not served here; see SMS.`;
    }
    case "kind":
      return `Operation filed: ${factOf(carrier, "operation")}. ${detail}`;
    default:
      return check === undefined ? fact : detail;
  }
}

/** A few words to set beside those of another carrier. */
export function factOf(carrier: Carrier, topic: Topic): string {
  const { mcs150: { state, last_filed, next_due }, inspections_24m: seen, dockets } = carrier;
  const place = [carrier.city, carrier.state].filter((part) => part !== "").join(", ");
  switch (topic) {
    case "status":
      return checkOf(carrier, topic)?.state === "warn" ? "pending" : carrier.status;
    case "mcs150":
    case "due":
      return `${state}, ${last_filed === null ? "no filing date" : `filed ${day(last_filed)}`}, ` +
        `date ${day(next_due)}`;
    case "authority":
    case "dockets":
      return dockets.map(docketName).join(", ") || "no docket listed";
    case "rating":
      return carrier.safety_rating;
    case "oos":
    case "inspections":
    case "violations":
      if (seen === null) return "no roadside inspections in 24 months";
      return topic === "oos"
        ? `vehicle ${rate(seen.vehicle)}, driver ${rate(seen.driver)}`
        : `${topic === "violations" ? seen.violations : seen.total} in 24 months`;
    case "location":
      return place === "" ? "location not reported" : quoted(place);
    case "operation":
      return carrier.operation === "Not reported" ? "operation not reported" : carrier.operation;
    default:
      return `${units(carrier, "power_units", "power unit")} and ${
        units(carrier, "drivers", "driver")
      }`;
  }
}

function overview(carrier: Carrier): string {
  const labels = (...states: Check["state"][]): string =>
    listed(carrier.checks.filter(({ state }) => states.includes(state)).map(({ label }) => label));
  const parts = [
    ["review", labels("bad", "warn")],
    ["no issue found by", labels("ok")],
    ["not enough data on", labels("info")],
  ].filter(([, names]) => names !== "").map((part) => part.join(" "));
  const facts = (["status", "location", "fleet"] as const).map((topic) => factOf(carrier, topic));
  return `USDOT number ${facts.join(", ")} in the FMCSA census of ${
    day(carrier.snapshot.data_date)
  }. Checks: ${parts.join("; ")}.`;
}

const MATCHED = {
  match: "Match: this is what it filed",
  close: "Close, but not the same as it filed",
  different: "Different from what it filed",
  unknown: "Unknown: not all of it can be compared",
} as const;

/** How a name and a place given compare with what a carrier filed. */
export function matchText({ dot, result, fields }: Match["carriers"][number]): string {
  const each = fields.map(({ field, given, filed, result }) =>
    `${field} ${quoted(given)}, on file ${
      filed.map((text) => quoted(text)).join(" / ") || "nothing"
    } (${result})`
  );
  return `${MATCHED[result]} for USDOT ${dot}: ${
    each.join("; ")
  }. A match does not prove identity.`;
}

/** A carrier as an option to choose. */
export function optionOf({ name, city, state, dot, active }: Found): string {
  const place = [city, state].filter((part) => part !== "").join(" ");
  return `${quoted(name)}${place === "" ? "" : `, ${quoted(place)}`} (USDOT ${dot}, ${
    active ? "active" : "not active"
  })`;
}

function checkOf(carrier: Carrier, topic: Topic): Check | undefined {
  return carrier.checks.find(({ id }) => id === CHECKS[topic]);
}

/** A carrier by its name and number. */
export function nameOf({ name, dot }: Carrier): string {
  return name === "" ? `USDOT ${dot}` : `${quoted(name)} (USDOT ${dot})`;
}

function docketName({ prefix, number, status }: Carrier["dockets"][number]): string {
  const said = status === "A" ? "listed active" : status === "I" ? "listed inactive" : "no status";
  return `${prefix} ${number} (${said})`;
}

function units(carrier: Carrier, member: "power_units" | "drivers", one: string): string {
  return carrier.not_reported.includes(member)
    ? `${one}s not reported`
    : plural(carrier[member], one);
}

function rate({ rate_pct, inspections }: InspectionRate): string {
  return rate_pct === null ? "not inspected" : `${rate_pct.toFixed(1)}% of ${inspections}`;
}

/** A count with its noun. */
export function plural(number: number, one: string): string {
  return `${counted(number)} ${one}${number === 1 ? "" : "s"}`;
}

/** Words with commas and "and". */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
