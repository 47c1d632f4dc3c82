/**
 * Answers as items of NLWeb, and in words. Text that carriers filed is quoted in every sentence and cannot
 * close the quotation.
 *
 * @module
 */

import { counted, inert, quoted, unquoted } from "../../pipeline/text.ts";
import type { ServiceError } from "../operations/errors.ts";
import type { Health } from "../operations/health.ts";
import type { Match } from "../operations/match.ts";
import { formatForPeople as day } from "../rules/calendar.ts";
import { DEACTIVATION_PAUSE, MCS150_CITATION, MCS150_URL } from "../rules/mcs150.ts";
import type { Carrier, Mcs150, UcrFee } from "../rules/schemas.ts";
import { ucrTableFor } from "../rules/ucr.ts";
import { dataLine } from "../rules/verdict.ts";
import { UCR } from "../rules/official_sources.ts";
import type { Found } from "./carriers.ts";
import { type DeclinedTopic, DECLINES } from "./declines.ts";
import type { CarrierRef, Plan } from "./plan.ts";
import type { AnswerItem, AskResponse, AskResult, CarrierItem, SummaryItem } from "./schemas.ts";
import { feeInSpanish, inSpanish } from "./spanish.ts";
import { type Topic, TOPICS } from "./vocabulary.ts";
import {
  CHECKS,
  factOf,
  listed,
  matchText,
  nameOf,
  optionOf,
  plural,
  topicText,
} from "./wording.ts";

type Matched = Match["carriers"][number];
type Sampled = { notice?: string | undefined } | undefined;

const LONGEST_SUMMARY = 2000;

/** A carrier with the answers to the topics of a plan. */
export function carrierItem(
  carrier: Carrier,
  { plan: { topics, guesses, spanish }, note = "", match, baseUrl }: {
    plan: Pick<Plan, "topics" | "guesses" | "spanish">;
    note?: string;
    match?: Matched;
    baseUrl: string;
  },
): CarrierItem {
  const wanted = topicKeys.filter((topic) =>
    topics.size === 0 ? topic === "overview" : topics.has(topic)
  );
  const texts = wanted.map((topic) =>
    spanish
      ? inSpanish(carrier, topic)
      : topic === "match" && match !== undefined
      ? matchText(match)
      : topicText(carrier, topic, guesses)
  );
  const ids = new Set(wanted.map((topic) => CHECKS[topic]));
  const checks = carrier.checks.filter(({ id }) => ids.has(id) || wanted.includes("overview"));
  // Plain facts come from the census, as the first check does.
  const bases = (checks.length > 0 ? checks : carrier.checks.slice(0, 1)).map(({ basis }) => basis);
  const item = organization(carrier, {
    about: wanted,
    text: sentences(`${nameOf(carrier)}:`, note, ...texts),
    snapshot: carrier.snapshot,
    baseUrl,
  });
  const citations = [...new Map(bases.map((basis) => [JSON.stringify(basis), basis])).values()];
  return {
    ...item,
    mc_number: carrier.mc_number,
    ...(match === undefined ? {} : { match }),
    checks,
    grounding: { ...item.grounding, citations },
  };
}

/** A carrier that a search found. */
export function foundItem(
  found: Found,
  { baseUrl, snapshot }: { baseUrl: string; snapshot?: Carrier["snapshot"] | undefined },
): CarrierItem {
  const { dba_name, power_units } = found;
  // The census leaves many blank, which a search result cannot tell from 0.
  const fleet = power_units > 0 ? `, ${plural(power_units, "power unit")}` : "";
  const dba = dba_name === null ? "" : `, DBA ${quoted(dba_name)}`;
  const text = `${optionOf(found)}${dba}${fleet}.`;
  return organization(found, { about: ["search"], text, snapshot, baseUrl });
}

function organization(
  { dot, name, city, state, page_url }: Pick<Found, "dot" | "name" | "city" | "state" | "page_url">,
  { about, text, snapshot, baseUrl }: {
    about: string[];
    text: string;
    snapshot: Carrier["snapshot"] | undefined;
    baseUrl: string;
  },
): CarrierItem {
  return {
    "@type": "Organization",
    name: unquoted(name) || `USDOT ${dot}`,
    about,
    url: page_url,
    identifier: `USDOT ${dot}`,
    description: withNotice(text, snapshot),
    address: {
      "@type": "PostalAddress",
      addressLocality: unquoted(city),
      addressRegion: unquoted(state),
    },
    grounding: {
      source_urls: [carrierUrl(dot, baseUrl), page_url],
      ...(snapshot === undefined ? {} : { snapshot }),
    },
  };
}

/** Compared when no topic is asked for. */
const COMPARED: readonly Topic[] = ["status", "mcs150", "rating", "oos", "fleet"];

/** Carriers side by side. */
export function comparisonItem(
  carriers: readonly Carrier[],
  topics: ReadonlySet<Topic>,
): AnswerItem {
  const asked = [...topics].filter((topic) => topic !== "overview" && topic !== "match");
  const lines = (asked.length > 0 ? asked : COMPARED).map((topic) => {
    const each = carriers.map((carrier) => `${nameOf(carrier)} ${factOf(carrier, topic)}`);
    return `${TOPICS[topic]}: ${each.join("; ")}.`;
  });
  return answerItem({
    name: `Comparison of ${listed(carriers.map(({ dot }) => `USDOT ${dot}`))}`,
    about: ["compare"],
    text: withNotice(`${lines.join(" ")} This is no score.`, carriers[0]!.snapshot),
    urls: carriers.map(({ page_url }) => page_url),
  });
}

/** The schedule of a number whose carrier is not in the census or cannot be read. */
export function scheduleItem(
  mcs150: Mcs150,
  { note, error, baseUrl }: { note: string; error: ServiceError; baseUrl: string },
): AnswerItem {
  const filing = error.code === "not_found"
    ? `${error.message}, so this is the schedule alone.`
    : "Whether it was filed can't be read at the moment.";
  const next = `The next scheduled MCS-150 date is ${day(mcs150.next_due)}.`;
  const item = answerItem({
    name: `MCS-150 due date of USDOT ${mcs150.dot}`,
    about: ["due"],
    text: sentences(note, next, mcs150.rule, filing),
    urls: [`${baseUrl}/api/v1/mcs150-due-date?dot=${mcs150.dot}`, MCS150_URL],
  });
  return { ...item, mcs150 };
}

/** A fee. */
export function feeItem(
  fee: UcrFee,
  { spanish, baseUrl }: { spanish: boolean; baseUrl: string },
): AnswerItem {
  const { year, vehicles, bracket, fee_usd, source } = fee;
  const fleet = plural(vehicles, "vehicle");
  const brokers = "Brokers, leasing companies and forwarders without vehicles pay this bracket.";
  const text = sentences(
    `The ${year} UCR fee for ${fleet} is $${counted(fee_usd)} (bracket ${bracket}; ${source}).`,
    vehicles > 0 ? "" : brokers,
    "Trailers do not count. No public file shows whether a fee was paid.",
  );
  const item = answerItem({
    name: `UCR fee ${year}, ${fleet}`,
    about: ["fee"],
    text: spanish ? feeInSpanish(fee) : text,
    urls: [
      `${baseUrl}/api/v1/ucr-fee?vehicles=${vehicles}&year=${year}`,
      ucrTableFor(year)?.url ?? UCR.url,
    ],
  });
  return { ...item, ucr_fee: fee };
}

/** What happens when an MCS-150 update is missed. */
export const MISSED_ITEM: AnswerItem = answerItem({
  name: "When an MCS-150 update is missed",
  about: ["missed"],
  text:
    "A carrier that misses its MCS-150 update faces the civil penalties of 49 U.S.C. 521(b)(2)(B) " +
    `or 14901(a), and FMCSA may deactivate its USDOT number (${MCS150_CITATION}). FMCSA is reported ` +
    `to have paused deactivation for updates due from ${
      day(DEACTIVATION_PAUSE.dueFrom)
    } on (last ` +
    `checked ${day(DEACTIVATION_PAUSE.lastChecked)}). Filing is still required.`,
  urls: [MCS150_URL],
});

/** The date of the data, or how many carriers are in it. */
export function dataItem(
  { snapshot, counts, notice }: Health,
  asked: readonly string[],
  baseUrl: string,
): AnswerItem {
  const date = day(snapshot.data_date);
  const texts = asked.map((one) =>
    one === "count"
      ? `The FMCSA census of ${date} here has ${counted(counts.carriers)} carriers: ` +
        `${counted(counts.active)} active, ${counted(counts.inactive)} inactive, ` +
        `${counted(counts.pending)} pending.`
      : `${dataLine(snapshot)} Later filings are not included.`
  );
  return answerItem({
    name: "Data",
    about: [...asked],
    text: withNotice(texts.join(" "), { notice: notice ?? snapshot.notice }),
    urls: [`${baseUrl}/api/v1/health`],
  });
}

/** What is not answered, beside what is. */
export function declineItem(topic: DeclinedTopic): AnswerItem {
  const { name, text, where } = DECLINES[topic];
  return answerItem({
    name: `Not answered here: ${name}`,
    about: [`declined:${topic}`],
    text: `${text}.`,
    urls: where.map(({ url }) => url),
  });
}

/** An answer that is no carrier; the first source is its address. */
export function answerItem(
  { urls, ...item }: { name: string; about: string[]; text: string; urls: string[] },
): AnswerItem {
  return { "@type": "Answer", ...item, url: urls[0]!, grounding: { source_urls: urls } };
}

/** Adds that the data is not, or not only, FMCSA's. */
export function withNotice(text: string, snapshot: Sampled): string {
  const notice = snapshot?.notice;
  return notice === undefined ? text : `${text} Note: ${inert(notice, 400)}`;
}

/** Names what the answer does not use. */
export function withUnused(item: AskResult, { unused }: Plan): AskResult {
  if (unused.length === 0) return item;
  const note = ` I did not use ${unused.map((text) => quoted(text)).join(", ")}.`;
  return item["@type"] === "Organization"
    ? { ...item, description: item.description + note }
    : { ...item, text: item.text + note };
}

/** What a question was taken to mean. */
export function understoodOf(plan: Plan): string {
  const { carriers, topics, compare, fleets, years, general, declined, unused, lacks } = plan;
  if (lacks?.part === "question") return "Nothing that can be answered here";
  const whom = listed(carriers.map(refName)) || "a carrier";
  const about = listed([...topics].map((topic) => TOPICS[topic]));
  const fleet = listed(fleets.map((one) => plural(one, "vehicle"))) || "a fleet";
  const year = years.length === 0 ? "" : ` for ${listed(years.map(String))}`;
  const parts = [
    compare && `Compare ${whom}${about === "" ? "" : `: ${about}`}`,
    plan.search && `Search for ${whom}`,
    !compare && about !== "" && `${about} of ${whom}`,
    (fleets.length > 0 || lacks?.part === "vehicles") && `UCR fee of ${fleet}${year}`,
    general.has("data_date") && "The date of the data",
    general.has("count") && "The number of carriers",
    general.has("missed") && MISSED_ITEM.name.replace("When", "What happens when"),
    declined.size > 0 &&
    `Not answered here: ${listed([...declined].map((topic) => DECLINES[topic].name))}`,
    unused.length > 0 && `Not used: ${unused.map((text) => quoted(text)).join(", ")}`,
  ];
  return parts.filter((part) => part !== false).join(". ") || `A question about ${whom}`;
}

function refName(ref: CarrierRef): string {
  if (ref.by === "dot") return `USDOT ${ref.number}`;
  if (ref.by === "docket") return `${ref.prefix} ${ref.number}`;
  return ref.by === "name" ? quoted(ref.texts[0]!, 200) : "one of the carriers listed before";
}

/** The results in one text. */
export function summaryItem(results: readonly AskResult[]): SummaryItem {
  // Several results get an even share, so that none is cut away by the ones before it.
  const share = Math.floor(LONGEST_SUMMARY / results.length);
  const sources = new Set(results.flatMap(({ grounding }) => grounding.source_urls));
  return {
    "@type": "SearchSummary",
    text: results.map((item) => cut(wordsOf(item), share)).join(" "),
    grounding: { source_urls: [...sources].slice(0, 50) },
  };
}

/** A whole answer as text: results with their sources, what is asked back, or why there is none. */
export function inWords(response: AskResponse): string {
  if ("results" in response) {
    return response.results
      .map((item) => `${wordsOf(item)} Source: ${item.grounding.source_urls[0]}`).join("\n\n");
  }
  if ("elicitation" in response) {
    const { text, questions } = response.elicitation;
    return sentences(
      text,
      ...questions.map((one) => one.text === text ? "" : one.text),
      ...questions.map(({ options = [] }) => options.length === 0 ? "" : `(${options.join("; ")})`),
    );
  }
  const { message, details: { where = [], instead = [] } = {} } = response.error;
  const places = where.map(({ name, url }) => `${name}: ${url}`);
  return [`${message}.`, ...places, ...instead.map((url) => `Here: ${url}`)].join("\n");
}

function wordsOf(item: AskResult): string {
  return item["@type"] === "Organization" ? item.description : item.text;
}

/** At most `length` characters, ended at a sentence where one ends in them. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const part = text.slice(0, length);
  const end = part.lastIndexOf(". ");
  return end > 0 ? part.slice(0, end + 1) : `${part.slice(0, -3)}...`.toWellFormed();
}

/** Address of a carrier in this API. */
export function carrierUrl(dot: string | number, baseUrl: string): string {
  return `${baseUrl}/api/v1/carriers/${dot}`;
}

const topicKeys = Object.keys(TOPICS) as Topic[];

function sentences(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}
