/**
 * Answers as items of NLWeb, and in words. Text that carriers filed is quoted in every sentence and cannot
 * close the quotation.
 *
 * @module
 */

import { inert, listed, quoted, unquoted } from "../../../pipeline/text.ts";
import type { ServiceError } from "../../operations/errors.ts";
import { fieldWords, type Match } from "../../operations/match.ts";
import type { CarrierHistory } from "../../operations/history.ts";
import { formatForPeople as day } from "../../../pipeline/dates.ts";
import { MCS150_URL } from "../../rules/mcs150.ts";
import { ordersIn } from "../../rules/orders.ts";
import type { Carrier, Mcs150, SnapshotFacts } from "../../rules/schemas.ts";
import { docketName, docketWords, fleetSuffix, usdotStatusWord } from "../../rules/words.ts";
import type { Resolution } from "./resolution.ts";
import { type Found, isPartOfName } from "./fitting.ts";
import { changesText } from "../plan/details/history.ts";
import { type DeclinedTopic, DECLINES, topicsIn } from "../plan/asked/intents.ts";
import type { Plan } from "../plan/plan.ts";
import { carrierUrl } from "../plan/whom/references.ts";
import type { AnswerItem, CarrierItem } from "./schemas.ts";
import { inspectedText } from "../plan/details/inspected.ts";
import { briefText, restText, topicText } from "./topic_answers.ts";
import { type Topic, TOPICS } from "../plan/asked/topics.ts";

/** The most carriers for which everything on file is given. */
const MOST_WHOLE = 2;

const MATCHED = {
  match: "Match: this is what it filed",
  close: "Close to what it filed, but not the same",
  different: "Different from what it filed",
  unknown: "Unknown: some of it can't be compared",
} as const;

/** How a given name and place compare with what a carrier filed. */
function matchText({ dot, result, fields }: Match["carriers"][number]): string {
  const each = fields.map(fieldWords).join("; ");
  const isShorter = result === "different" &&
    fields.every(({ field, given, filed, result }) =>
      result !== "different" ||
      field === "name" && filed.some((name) => isPartOfName(given, { name, dba_name: null }))
    );
  return `${
    isShorter ? "Only a part of the name that it filed" : MATCHED[result]
  } for USDOT ${dot}: ${each}. A match does not prove identity.`;
}

/** A carrier to choose, with its DBA name, which may be the one that was asked for. */
export function optionOf(found: Found): string {
  const { name, dba_name, city, state, dot } = found;
  const place = [city, state].filter((part) => part !== "").join(" ");
  const dba = dba_name === null || dba_name === name ? "" : `, DBA ${quoted(dba_name)}`;
  return `${quoted(name)}${dba}${place === "" ? "" : `, ${quoted(place)}`} (USDOT ${dot}, ${
    usdotStatusWord(found)
  })`;
}

function nameOf({ name, dot }: Carrier): string {
  return name === "" ? `USDOT ${dot}` : `${quoted(name)} (USDOT ${dot})`;
}

/** Remarks beside a carrier's answers. */
export interface Remarks {
  /** Said first: how the number was read. */
  before: string;
  /** How it was found. */
  note: string;
  /** The dockets that it was asked for by: `MC 186800`. */
  dockets: readonly string[];
}

/** A carrier with the answers to the topics of a plan. */
export function carrierItem(
  carrier: Carrier,
  { plan, before, note, dockets, match, history, baseUrl }: Remarks & {
    plan: Plan;
    match?: Match["carriers"][number] | undefined;
    history?: CarrierHistory | undefined;
    baseUrl: string;
  },
): CarrierItem {
  const topics = topicsIn(plan.intents).filter((topic) => topic !== "match" || match !== undefined);
  const about: Topic[] = topics.length === 0 ? ["overview"] : topics;
  const texts = about.map((topic) =>
    match !== undefined && topic === "match"
      ? sentences(matchText(match), about.length > 1 ? "" : `Its checks: ${carrier.verdict}.`)
      : topic === "changes" && history !== undefined
      ? changesText(history, plan.changed!)
      : topic === "orders" && plan.ordersIn !== undefined
      ? sentences(ordersIn(carrier, plan.ordersIn), topicText(carrier, topic, plan.guesses))
      : topicText(carrier, topic, plan.guesses)
  );
  const at = about.findIndex((topic) => topic === "inspections" || topic === "oos");
  if (plan.inspected !== undefined && at >= 0) {
    texts[at] = sentences(inspectedText(carrier, plan.inspected), texts[at]!);
  }
  const ids = about.map((topic) => TOPICS[topic].check);
  const checks = carrier.checks.filter(({ id }) => ids.includes(id) || about.includes("overview"));
  // Plain facts come from the census, as the first check does.
  const bases = (checks.length > 0 ? checks : carrier.checks.slice(0, 1)).map(({ basis }) => basis);
  const citations = [...new Map(bases.map((basis) => [JSON.stringify(basis), basis])).values()];
  // Why a carrier has a verdict is in its findings.
  const isUnexplained = plan.why && about.every((topic) => UNEXPLAINED.has(topic)) &&
    plan.readAs === undefined;
  const description = sentences(
    before,
    `${nameOf(carrier)}:`,
    note,
    isUnexplained ? "FMCSA's files don't say why; this is what they show." : "",
    // Beside the number's own status, which is another one.
    plan.intents.has("status") ? docketLine(carrier, dockets) : "",
    ...new Set(texts),
    isWhole(plan) && (about.includes("overview") || plan.leftOut.some(({ first }) => first))
      ? NOT_HELD
      : "",
    isWhole(plan) ? restText(carrier, about) : "",
  );
  return {
    ...organization(carrier, { about, description }, {
      baseUrl,
      citations,
      snapshot: carrier.snapshot,
    }),
    mc_number: carrier.mc_number,
    match,
    checks,
  };
}

/** Topics that are on file without reasons. */
const UNEXPLAINED: ReadonlySet<Topic> = new Set<Topic>(
  ("overview match usdot names location contact fleet cargo operation mileage authority dockets rating review " +
    "revocation added inspections").split(" ") as Topic[],
);

/** Behind the record that is given where a question isn't understood. */
const NOT_HELD =
  "Not shown here: insurance, crashes, plates, owners, the form of the business, bank " +
  "details, drivers by name, hiring and pay, customers, loads, prices, payments, complaints, court " +
  "cases, single violations, process agents, and grants and revocations of authority.";

export function isWhole(
  { whole, intents, carriers }: Pick<Plan, "whole" | "intents" | "carriers">,
): boolean {
  return whole && carriers.length <= MOST_WHOLE && !intents.has("compare");
}

/** The status of dockets as a carrier lists them. */
function docketLine({ dockets }: Carrier, asked: readonly string[]): string {
  const lines = dockets.filter((docket) => asked.includes(docketName(docket)))
    .map((docket) => `${docketWords(docket)}.`);
  return lines.length === 0
    ? ""
    : `${lines.join(" ")} That is the status of the docket, not of the USDOT number.`;
}

export function foundItem(
  found: Found,
  { baseUrl, snapshot }: { baseUrl: string; snapshot?: SnapshotFacts | undefined },
): CarrierItem {
  const description = `${optionOf(found)}${fleetSuffix(found)}.`;
  return organization(found, { about: ["search"], description }, { baseUrl, snapshot });
}

/** A note about a list of carriers. */
export function listNote(name: string, text: string, url: string): AnswerItem {
  return answerItem(["search"], name, { text, urls: [url] });
}

function organization(
  { dot, name, dba_name, city, state, page_url }: Pick<
    Found,
    "dot" | "name" | "dba_name" | "city" | "state" | "page_url"
  >,
  item: Pick<CarrierItem, "about" | "description">,
  { baseUrl, ...facts }: { baseUrl: string } & Omit<CarrierItem["grounding"], "source_urls">,
): CarrierItem {
  return {
    "@type": "Organization",
    name: unquoted(name) || `USDOT ${dot}`,
    ...dba_name !== null && unquoted(dba_name) !== "" && { alternateName: unquoted(dba_name) },
    url: page_url,
    identifier: `USDOT ${dot}`,
    ...item,
    address: {
      "@type": "PostalAddress",
      addressLocality: unquoted(city),
      addressRegion: unquoted(state),
    },
    grounding: { source_urls: [carrierUrl(dot, baseUrl), page_url], ...facts },
  };
}

/** An answer that is no carrier; the first source is its address. */
export function answerItem(
  about: string[],
  name: string,
  { text, urls, snapshot }: { text: string; urls: string[]; snapshot?: SnapshotFacts },
): AnswerItem {
  const grounding = { source_urls: urls, snapshot };
  return { "@type": "Answer", name, about, text, url: urls[0]!, grounding };
}

/** Compared when no topic is asked for. */
const COMPARED: readonly Topic[] = ["overview", "status", "mcs150", "rating", "oos", "fleet"];

export function comparisonItem(
  carriers: readonly Carrier[],
  topics: readonly Topic[],
): AnswerItem {
  const asked = topics.filter((topic) => !/^(?:overview|match|changes)$/.test(topic));
  const lines = (asked.length > 0 ? asked : COMPARED).map((topic) => {
    const each = carriers.map((carrier) => `${nameOf(carrier)} ${briefText(carrier, topic)}`);
    return `${TOPICS[topic].name}: ${each.join("; ")}.`;
  });
  return answerItem(
    ["compare"],
    `Comparison of ${listed(carriers.map(({ dot }) => `USDOT ${dot}`))}`,
    {
      text: `${lines.join(" ")} This is not a score.`,
      urls: carriers.map(({ page_url }) => page_url),
      snapshot: carriers[0]!.snapshot,
    },
  );
}

/** The schedule of a number whose carrier is not in the census or cannot be read. */
export function scheduleItem(
  mcs150: Mcs150,
  { before, note, error, baseUrl }: Omit<Remarks, "dockets"> & {
    error: ServiceError;
    baseUrl: string;
  },
): AnswerItem {
  const filing = error.code === "not_found"
    ? `${error.message}, so this is the schedule alone.`
    : "We can't check right now whether it was filed.";
  const next = `The next scheduled MCS-150 date is ${day(mcs150.next_due)}.`;
  const item = answerItem(["mcs150"], `MCS-150 due date of USDOT ${mcs150.dot}`, {
    text: sentences(before, note, next, mcs150.rule, filing),
    urls: [`${baseUrl}/api/v1/mcs150-due-date?dot=${mcs150.dot}`, MCS150_URL],
  });
  return { ...item, mcs150 };
}

/** A carrier of several that is absent, or that was not searched. */
export function unfoundItem(
  { outcome, message, url }: Resolution & { outcome: "absent" | "not searched" },
): AnswerItem {
  return outcome === "absent"
    ? answerItem(["missing"], "Not found", { text: `${message}.`, urls: [url] })
    : answerItem(["not_searched"], "Not searched", { text: `${message}.`, urls: [url] });
}

export function declineItems(topics: readonly DeclinedTopic[]): AnswerItem[] {
  // What is off topic has no place to look, and is declined only alone.
  return topics.filter((topic) => DECLINES[topic].where.length > 0).map((topic) => {
    const { name, text, where } = DECLINES[topic];
    return answerItem([`declined:${topic}`], `Not answered here: ${name}`, {
      text: `${text}.`,
      urls: where.map(({ url }) => url),
    });
  });
}

/** Behind a text: that its data is a sample, if it is. */
export function noticeOf(snapshot: SnapshotFacts | undefined): string {
  return snapshot?.notice === undefined ? "" : ` Note: ${inert(snapshot.notice, 400)}`;
}

/** The parts that have a text, as one. */
export function sentences(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}
