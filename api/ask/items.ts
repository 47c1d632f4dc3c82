/**
 * Results, each with its sources.
 *
 * @module
 */

import type { z } from "zod";
import type { SearchResult, SearchResults } from "../operations/search_carriers.ts";
import { formatForPeople } from "../rules/calendar.ts";
import type { Basis, Carrier, Check, UcrFee } from "../rules/schemas.ts";
import { DECLINES } from "./declines.ts";
import type { AnswerItem, AskResult, CarrierItem, SummaryItem } from "./schemas.ts";
import { nameOf } from "./topics.ts";
import type { DeclinedTopic } from "./understanding.ts";
import { DECLINED_NAMES, fleetName, upper } from "./wording.ts";

const LONGEST_SUMMARY = 2000;
const MOST_SOURCES = 50;

/** Address of a carrier in this API. */
export function carrierUrl(dot: string | number, baseUrl: string): string {
  return `${baseUrl}/api/v1/carriers/${dot}`;
}

/** A carrier that answers with `description`; without `checks` it names the evidence of all six. */
export function carrierItem(
  carrier: Carrier,
  { description, checks, baseUrl }: { description: string; checks?: Check[]; baseUrl: string },
): CarrierItem {
  const { dot, city, state, mc_number, page_url, snapshot } = carrier;
  // Plain facts come from the census, as the first check does.
  const evidence = checks?.length === 0 ? carrier.checks.slice(0, 1) : checks ?? carrier.checks;
  return {
    "@type": "Organization",
    name: nameOf(carrier),
    url: page_url,
    identifier: `USDOT ${dot}`,
    description,
    address: { "@type": "PostalAddress", addressLocality: city, addressRegion: state },
    mc_number,
    ...(checks === undefined ? {} : { checks }),
    grounding: {
      source_urls: [carrierUrl(dot, baseUrl), page_url],
      citations: distinct(evidence.map(({ basis }) => basis)),
      snapshot,
    },
  };
}

/** A carrier that a search found. */
export function foundItem(
  found: z.infer<typeof SearchResult>,
  { snapshot, baseUrl }: { snapshot: z.infer<typeof SearchResults>["snapshot"]; baseUrl: string },
): CarrierItem {
  const { dot, name, dba_name, city, state, power_units, active, page_url } = found;
  const place = [city, state].filter((part) => part !== "").join(", ");
  const parts = [
    dba_name === null ? "" : `doing business as ${dba_name}`,
    place,
    // The census leaves many blank, which a search result cannot tell from 0.
    power_units > 0 ? `${power_units} power units` : "",
    `${active ? "active" : "not active"} in the census of ${formatForPeople(snapshot.data_date)}`,
  ];
  const description = parts.filter((part) => part !== "").join("; ");
  return {
    "@type": "Organization",
    name: name === "" ? `USDOT ${dot}` : name,
    url: page_url,
    identifier: `USDOT ${dot}`,
    description: `${upper(description)}.`,
    address: { "@type": "PostalAddress", addressLocality: city, addressRegion: state },
    grounding: { source_urls: [carrierUrl(dot, baseUrl), page_url], snapshot },
  };
}

/** A fee; `note` is put behind it. */
export function feeItem(
  fee: UcrFee,
  { note, baseUrl, sources = [] }: { note: string; baseUrl: string; sources?: string[] },
): AnswerItem {
  const { year, vehicles, bracket, fee_usd, source } = fee;
  const line = fee.brackets.find((candidate) => candidate.bracket === bracket);
  const range = line === undefined
    ? ""
    : `, ${line.min_vehicles} ${
      line.max_vehicles === null ? "vehicles and more" : `to ${line.max_vehicles} vehicles`
    }`;
  const url = `${baseUrl}/api/v1/ucr-fee?vehicles=${vehicles}&year=${year}`;
  return {
    "@type": "Answer",
    name: `UCR fee ${year}, ${fleetName(vehicles)}`,
    text: `The UCR fee of ${fleetName(vehicles)} for ${year} is $${
      fee_usd.toLocaleString("en-US")
    } (bracket ${bracket}${range}; ${source}). ${note}`,
    url,
    ucr_fee: fee,
    grounding: { source_urls: [url, ...sources] },
  };
}

/** A plain answer with one source. */
export function plainItem(item: { name: string; text: string; url: string }): AnswerItem {
  const { url } = item;
  return { "@type": "Answer", ...item, grounding: { source_urls: [url] } };
}

/** What is not answered, beside what is. */
export function declineItem(topic: DeclinedTopic): AnswerItem {
  const { text, where } = DECLINES[topic];
  return {
    "@type": "Answer",
    name: `Not answered here: ${DECLINED_NAMES[topic]}`,
    text: `${text}.`,
    url: where[0]!.url,
    grounding: { source_urls: where.map(({ url }) => url) },
  };
}

/** A result in words; a carrier is named in them. */
export function wordsOf(item: AskResult): string {
  if (item["@type"] !== "Organization") return item.text;
  const { name, identifier, description } = item;
  const named = `${name} (${identifier})`;
  return description.includes(named) ? description : `${named}: ${description}`;
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

/** At most `length` characters, ended at a sentence where one ends in them. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const part = text.slice(0, length);
  const end = part.lastIndexOf(". ");
  return end > 0 ? part.slice(0, end + 1) : `${part.slice(0, -3)}...`.toWellFormed();
}

function distinct(bases: readonly Basis[]): Basis[] {
  return [...new Map(bases.map((basis) => [JSON.stringify(basis), basis])).values()];
}
