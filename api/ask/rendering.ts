/**
 * Answers in words, and as items of NLWeb. Text that carriers filed is quoted wherever it stands in a
 * sentence, and cannot close the quotation.
 *
 * @module
 */

import { inert, quoted, unquoted } from "../../pipeline/inert.ts";
import type { Match } from "../operations/match.ts";
import { formatForPeople } from "../rules/calendar.ts";
import type { Carrier, Check, CheckId, InspectionRate, UcrFee } from "../rules/schemas.ts";
import { ucrTableFor } from "../rules/ucr.ts";
import type { Found } from "./carriers.ts";
import { DECLINES } from "./declines.ts";
import type { CarrierRef, Plan } from "./intents.ts";
import type {
  AnswerItem,
  AskResponse,
  AskResult,
  CarrierItem,
  Failure,
  SummaryItem,
} from "./schemas.ts";
import { feeInSpanish, inSpanish } from "./spanish.ts";
import type { DeclinedTopic, Expectation, Topic } from "./vocabulary.ts";

const CHECKS: Readonly<Partial<Record<Topic, CheckId>>> = {
  status: "usdot_status",
  mcs150: "mcs150",
  due: "mcs150",
  authority: "operating_authority",
  kind: "operating_authority",
  rating: "safety_rating",
  oos: "oos_rates",
  ucr: "ucr",
};

const COMPARED: readonly Topic[] = ["status", "mcs150", "rating", "oos", "fleet"];

/** What is guessed in a question, and the answer by the state of the check: no other state has one. */
const GUESSES: Readonly<Record<Expectation, { guess: string; ok: string; bad: string }>> = {
  "status=active": { guess: "USDOT number active", ok: "Yes", bad: "No" },
  "status=inactive": { guess: "USDOT number inactive", ok: "No", bad: "Yes" },
  "mcs150=filed": { guess: "MCS-150 filed on time", ok: "Yes", bad: "No" },
  "mcs150=overdue": { guess: "MCS-150 overdue", ok: "No", bad: "Yes" },
  "authority=active": { guess: "Operating authority active", ok: "Yes", bad: "No" },
  "rating=satisfactory": { guess: "Rated Satisfactory", ok: "Yes", bad: "No" },
  "rating=conditional": { guess: "Rated Conditional", ok: "No", bad: "No" },
  "rating=unsatisfactory": { guess: "Rated Unsatisfactory", ok: "No", bad: "Yes" },
  "rating=rated": { guess: "Rated", ok: "Yes", bad: "Yes" },
  "oos=above": { guess: "Above the national average", ok: "No", bad: "Yes" },
};

const LONGEST_SUMMARY = 2000;
const MOST_SOURCES = 50;

const GENERAL_NAMES = {
  data_date: "The date of the data",
  count: "The number of carriers",
  missed: "What happens when an MCS-150 update is missed",
} as const;

/** A carrier with the answers to the topics of a plan. */
export function carrierItem(
  carrier: Carrier,
  { plan: { topics, expects, spanish }, note = "", match, baseUrl }: {
    plan: Pick<Plan, "topics" | "expects" | "spanish">;
    note?: string;
    match?: Match["carriers"][number] | undefined;
    baseUrl: string;
  },
): CarrierItem {
  const { dot, city, state, mc_number, page_url, snapshot } = carrier;
  const wanted = topics.length > 0 ? topics : ["overview" as const];
  const texts = wanted.map((topic) =>
    spanish ? inSpanish(carrier, topic) : sayTopic(carrier, topic, { expects, match })
  );
  const ids = new Set(wanted.map((topic) => CHECKS[topic]));
  const checks = wanted.includes("overview")
    ? carrier.checks
    : carrier.checks.filter(({ id }) => ids.has(id));
  // Plain facts come from the census, as the first check does.
  const evidence = checks.length === 0 ? carrier.checks.slice(0, 1) : checks;
  const bases = evidence.map(({ basis }) => [JSON.stringify(basis), basis] as const);
  return {
    "@type": "Organization",
    name: unquoted(carrier.name) || `USDOT ${dot}`,
    about: [...wanted],
    url: page_url,
    identifier: `USDOT ${dot}`,
    description: withNotice(
      [`${nameOf(carrier)}:`, ...(note === "" ? [] : [note]), ...texts].join(" "),
      carrier,
    ),
    address: addressOf(city, state),
    mc_number,
    ...(match === undefined ? {} : { match }),
    checks,
    grounding: {
      source_urls: [carrierUrl(dot, baseUrl), page_url],
      citations: [...new Map(bases).values()],
      snapshot,
    },
  };
}

function sayTopic(
  carrier: Carrier,
  topic: Topic,
  { expects, match }: {
    expects: readonly Expectation[];
    match: Match["carriers"][number] | undefined;
  },
): string {
  const guessed = expects.filter((expect) => expect.startsWith(`${topic}=`));
  const check = checkOf(carrier, topic);
  const verdicts = guessed.flatMap((expect) => {
    const { guess, ...answers } = GUESSES[expect];
    const said = check?.state === "ok" || check?.state === "bad" ? answers[check.state] : undefined;
    // Conditional has a state of its own, so "rated" is known there too.
    return said === undefined ? [] : [`${guess}? ${said}.`];
  });
  return [...verdicts, factOf(carrier, topic, match)].join(" ");
}

function factOf(carrier: Carrier, topic: Topic, match?: Match["carriers"][number]): string {
  const { inspections_24m: seen, dockets, mcs150 } = carrier;
  const check = checkOf(carrier, topic);
  const census = `In the FMCSA census of ${formatForPeople(carrier.snapshot.data_date)}`;
  switch (topic) {
    case "match":
      return match === undefined ? "" : sayMatch(match);
    case "usdot":
      return `The USDOT number is ${carrier.dot}.`;
    case "overview":
      return overview(carrier);
    case "due":
      return `The MCS-150 date is ${formatForPeople(mcs150.next_due)}. ${detailOf(check!)}`;
    case "dockets":
      return dockets.length === 0
        ? `${census}, no docket is listed.`
        : `${census}: ${
          listed(dockets.map(docketName))
        }. A docket's status is not operating authority.`;
    case "inspections":
    case "violations": {
      const oos = carrier.checks.find(({ id }) => id === "oos_rates")!;
      if (seen === null) return detailOf(oos);
      const span = `from ${formatForPeople(seen.from)} to ${formatForPeople(seen.to)}`;
      const last = `The last inspection was on ${formatForPeople(seen.last_inspection)}.`;
      return topic === "inspections"
        ? `FMCSA's inspection file has ${
          counted(seen.total, "roadside inspection")
        } ${span}. ${last}`
        : `FMCSA's inspection file has ${counted(seen.violations, "violation")} in ${
          counted(seen.total, "roadside inspection")
        } ${span}. ${last} Which violations they were is not served here; SMS lists them.`;
    }
    case "fleet":
    case "location":
    case "operation":
      return `${census}: ${brief(carrier, topic)}.`;
    case "kind":
      return `What it filed: ${brief(carrier, "operation")}. ${detailOf(check!)}`;
    default:
      return check === undefined ? "" : detailOf(check);
  }
}

/** A few words to set beside those of another carrier. */
function brief(carrier: Carrier, topic: Topic): string {
  const { mcs150, inspections_24m: seen, dockets } = carrier;
  switch (topic) {
    case "status":
      return checkOf(carrier, topic)?.state === "warn" ? "pending" : carrier.status;
    case "mcs150":
    case "due":
      return `${mcs150.state}, ${
        mcs150.last_filed === null
          ? "no filing date"
          : `filed ${formatForPeople(mcs150.last_filed)}`
      }, date ${formatForPeople(mcs150.next_due)}`;
    case "authority":
    case "dockets":
      return dockets.length === 0 ? "no docket listed" : dockets.map(docketName).join(", ");
    case "rating":
      return carrier.safety_rating;
    case "oos":
      return seen === null
        ? "no roadside inspections in 24 months"
        : `vehicle ${rate(seen.vehicle)}, driver ${rate(seen.driver)}`;
    case "inspections":
      return seen === null ? "none in 24 months" : `${seen.total} in 24 months`;
    case "violations":
      return seen === null
        ? "no roadside inspections in 24 months"
        : `${seen.violations} in 24 months`;
    case "location": {
      const place = [carrier.city, carrier.state].filter((part) => part !== "").join(", ");
      return place === "" ? "location not reported" : quoted(place);
    }
    case "operation":
      return carrier.operation === "Not reported" ? "operation not reported" : carrier.operation;
    default:
      return `${units(carrier, "power_units", "power unit")} and ${
        units(carrier, "drivers", "driver")
      }`;
  }
}

function overview(carrier: Carrier): string {
  const labels = (...states: Check["state"][]): string[] =>
    carrier.checks.filter(({ state }) => states.includes(state)).map(({ label }) => label);
  const [review, fine, unknown] = [labels("bad", "warn"), labels("ok"), labels("info")];
  const parts = [
    review.length > 0 ? `review ${listed(review)}` : "",
    fine.length > 0 ? `no issue found by ${listed(fine)}` : "",
    unknown.length > 0 ? `not enough data on ${listed(unknown)}` : "",
  ].filter((part) => part !== "");
  return `USDOT number ${brief(carrier, "status")}, ${brief(carrier, "location")}, ` +
    `${brief(carrier, "fleet")} in the FMCSA census of ${
      formatForPeople(carrier.snapshot.data_date)
    }. Checks: ${parts.join("; ")}.`;
}

function sayMatch({ dot, result, fields }: Match["carriers"][number]): string {
  const each = fields.map(({ field, given, filed, result }) =>
    `${field} ${quoted(given)}, on file ${
      filed.length === 0 ? "nothing" : filed.map((text) => quoted(text)).join(" / ")
    } (${result})`
  ).join("; ");
  const says = {
    match: `Match: this is what USDOT ${dot} filed`,
    close: `Close, but not the same as USDOT ${dot} filed`,
    different: `Different from what USDOT ${dot} filed`,
    unknown: `Unknown: not all of it can be compared with USDOT ${dot}`,
  }[result];
  return `${says}: ${each}. A match does not prove identity.`;
}

/** Carriers side by side; their topics, or the most asked. */
export function comparison({ topics }: Plan, carriers: readonly Carrier[]): AnswerItem {
  const shown = topics.filter((topic) => topic !== "overview" && topic !== "match");
  const lines = (shown.length > 0 ? shown : COMPARED).map((topic) =>
    `${TOPIC_NAMES[topic]}: ${
      carriers.map((carrier) => `${nameOf(carrier)} ${brief(carrier, topic)}`).join("; ")
    }.`
  );
  const [first] = carriers as [Carrier];
  const urls = carriers.map(({ page_url }) => page_url);
  return {
    "@type": "Answer",
    name: `Comparison of ${listed(carriers.map(({ dot }) => `USDOT ${dot}`))}`,
    about: ["compare"],
    text: withNotice(`${lines.join(" ")} This is no score.`, first),
    url: urls[0]!,
    grounding: { source_urls: urls, snapshot: first.snapshot },
  };
}

/** A carrier that a search found. */
export function foundItem(found: Found, baseUrl: string): CarrierItem {
  const { dot, name, dba_name, city, state, power_units, active, page_url } = found;
  const place = [city, state].filter((part) => part !== "").join(", ");
  const parts = [
    `${quoted(name)} (USDOT ${dot})`,
    dba_name === null ? "" : `DBA ${quoted(dba_name)}`,
    place === "" ? "" : quoted(place),
    // The census leaves many blank, which a search result cannot tell from 0.
    power_units > 0 ? counted(power_units, "power unit") : "",
    active ? "USDOT number active" : "USDOT number not active",
  ];
  return {
    "@type": "Organization",
    name: unquoted(name) || `USDOT ${dot}`,
    about: ["search"],
    url: page_url,
    identifier: `USDOT ${dot}`,
    description: `${parts.filter((part) => part !== "").join(", ")}.`,
    address: addressOf(city, state),
    grounding: { source_urls: [carrierUrl(dot, baseUrl), page_url] },
  };
}

/** A fee. */
export function feeItem(
  fee: UcrFee,
  { spanish, baseUrl }: { spanish: boolean; baseUrl: string },
): AnswerItem {
  const { year, vehicles, bracket, fee_usd, source } = fee;
  const fleet = counted(vehicles, "vehicle");
  const broker = vehicles === 0
    ? " Brokers, leasing companies and freight forwarders without vehicles pay this bracket."
    : "";
  const url = `${baseUrl}/api/v1/ucr-fee?vehicles=${vehicles}&year=${year}`;
  const table = ucrTableFor(year);
  return {
    "@type": "Answer",
    name: `UCR fee ${year}, ${fleet}`,
    about: ["fee"],
    text: spanish
      ? feeInSpanish(fee)
      : `The ${year} UCR fee for ${fleet} is $${
        fee_usd.toLocaleString("en-US")
      } (bracket ${bracket}; ${source}).${broker} Trailers do not count. No public file shows whether a fee was paid.`,
    url,
    ucr_fee: fee,
    grounding: { source_urls: table === undefined ? [url] : [url, table.url] },
  };
}

/** Adds that the data is not, or not only, FMCSA's: the one place for it in a text. */
export function withNotice(
  text: string,
  { snapshot }: { snapshot: { data_date: string; notice?: string } },
): string {
  return snapshot.notice === undefined ? text : `${text} Note: ${inert(snapshot.notice, 400)}`;
}

/** What is not answered, beside what is. */
export function declineItem(topic: DeclinedTopic): AnswerItem {
  const { name, text, where } = DECLINES[topic];
  const item = plainItem({
    name: `Not answered here: ${name}`,
    about: [`declined:${topic}`],
    text: `${text}.`,
    url: where[0]!.url,
  });
  return { ...item, grounding: { source_urls: where.map(({ url }) => url) } };
}

export function plainItem(
  item: { name: string; about: string[]; text: string; url: string },
): AnswerItem {
  return { "@type": "Answer", ...item, grounding: { source_urls: [item.url] } };
}

/** Topics for people. */
const TOPIC_NAMES: Readonly<Record<Topic, string>> = {
  match: "Name match",
  usdot: "USDOT number",
  overview: "The six checks",
  status: "USDOT status",
  mcs150: "MCS-150 filing",
  due: "MCS-150 due date",
  authority: "Operating authority",
  kind: "Broker or carrier",
  dockets: "Docket numbers",
  rating: "Safety rating",
  oos: "Out-of-service rates",
  inspections: "Inspections",
  violations: "Violations",
  ucr: "UCR fee",
  fleet: "Power units and drivers",
  location: "Location",
  operation: "Interstate or intrastate operation",
};

/** A list for people. */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function checkOf(carrier: Carrier, topic: Topic): Check | undefined {
  return carrier.checks.find(({ id }) => id === CHECKS[topic]);
}

function detailOf({ detail }: Check): string {
  return inert(detail, 2000);
}

function nameOf({ name, dot }: Carrier): string {
  return name === "" ? `USDOT ${dot}` : `${quoted(name)} (USDOT ${dot})`;
}

function units(carrier: Carrier, member: "power_units" | "drivers", one: string): string {
  return carrier.not_reported.includes(member)
    ? `${one}s not reported`
    : counted(carrier[member], one);
}

export function counted(number: number, one: string): string {
  return `${number.toLocaleString("en-US")} ${one}${number === 1 ? "" : "s"}`;
}

function rate({ rate_pct, inspections }: InspectionRate): string {
  return rate_pct === null ? "not inspected" : `${rate_pct.toFixed(1)}% of ${inspections}`;
}

function docketName({ prefix, number, status }: Carrier["dockets"][number]): string {
  const said = { A: "listed active", I: "listed inactive" }[status ?? ""] ?? "no status listed";
  return `${prefix} ${number} (${said})`;
}

export function carrierUrl(dot: string | number, baseUrl: string): string {
  return `${baseUrl}/api/v1/carriers/${dot}`;
}

function addressOf(city: string, state: string): CarrierItem["address"] {
  return {
    "@type": "PostalAddress",
    addressLocality: unquoted(city),
    addressRegion: unquoted(state),
  };
}

/** What a question was taken to mean. */
export function understoodOf(plan: Plan): string {
  const { carriers, topics, compare, search, fleets, years, general, declined, unused, lacks } =
    plan;
  if (lacks?.part === "question") return "Nothing that can be answered here";
  const whom = carriers.length > 0 ? listed(carriers.map(refName)) : "a carrier";
  const about = listed(topics.map((topic) => TOPIC_NAMES[topic]));
  const inYears = years.length > 0 ? ` for ${listed(years.map(String))}` : "";
  const parts = [
    compare ? `Compare ${whom}${about === "" ? "" : `: ${about}`}` : "",
    search ? `Search for ${whom}` : "",
    !compare && about !== "" ? `${about} of ${whom}` : "",
    fleets.length > 0 || lacks?.part === "vehicles"
      ? `UCR fee of ${
        listed(fleets.map((fleet) => counted(fleet, "vehicle"))) || "a fleet"
      }${inYears}`
      : "",
    general.length > 0 ? listed(general.map((one) => GENERAL_NAMES[one])) : "",
    declined.length > 0
      ? `Not answered here: ${listed(declined.map((topic) => DECLINES[topic].name))}`
      : "",
    unused.length > 0 ? `Not used: ${unused.map((text) => quoted(text)).join(", ")}` : "",
  ].filter((part) => part !== "");
  return parts.join(". ") || `A question about ${whom}`;
}

/** A carrier as the question names it. */
function refName(ref: CarrierRef): string {
  switch (ref.by) {
    case "dot":
      return `USDOT ${ref.number}`;
    case "docket":
      return `${ref.prefix} ${ref.number}`;
    case "name":
      return quoted(ref.texts[0]!, 200);
    case "choice":
      return "one of the carriers listed before";
  }
}

/** A result in words. */
function wordsOf(item: AskResult): string {
  return item["@type"] === "Organization" ? item.description : item.text;
}

/** The results in one text. */
export function summaryItem(results: readonly AskResult[]): SummaryItem {
  const texts = results.map(wordsOf);
  // Several results get an even share, so that none is cut away by the ones before it.
  const share = Math.floor(LONGEST_SUMMARY / texts.length);
  const sources = new Set(results.flatMap(({ grounding }) => grounding.source_urls));
  return {
    "@type": "SearchSummary",
    text: texts.map((text) => cut(text, share)).join(" "),
    grounding: { source_urls: [...sources].slice(0, MOST_SOURCES) },
  };
}

/** A whole answer as text: results with their sources, what is asked back, or why there is none. */
export function inWords(response: AskResponse): string {
  if ("results" in response) {
    return response.results
      .map((item) => `${wordsOf(item)} Source: ${item.grounding.source_urls[0]}`)
      .join("\n\n");
  }
  if ("elicitation" in response) {
    const { text, questions } = response.elicitation;
    const asked = questions.map((
      { text: one, options = [] },
    ) => [
      ...(one === text ? [] : [one]),
      ...(options.length === 0 ? [] : [`(${options.join("; ")})`]),
    ]);
    return [text, ...asked.flat()].join(" ");
  }
  const { message, details = {} }: Failure = response.error;
  const { where = [], instead = [] } = details;
  return [
    `${message}.`,
    ...where.map(({ name, url }) => `${name}: ${url}`),
    ...instead.map((url) => `Here: ${url}`),
  ].join("\n");
}

/** At most `length` characters, ended at a sentence where one ends in them. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const part = text.slice(0, length);
  const end = part.lastIndexOf(". ");
  return end > 0 ? part.slice(0, end + 1) : `${part.slice(0, -3)}...`.toWellFormed();
}
