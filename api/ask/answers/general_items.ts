/**
 * Answers about no single carrier: fees, rules, and the data.
 *
 * @module
 */

import { counted, plural } from "../../../pipeline/text.ts";
import type { Health } from "../../operations/health.ts";
import { formatForPeople as day } from "../../../pipeline/dates.ts";
import { censusOf } from "../../rules/check.ts";
import { DEACTIVATION_PAUSE, schedule } from "../../rules/mcs150.ts";
import { averagesFor } from "../../rules/out_of_service.ts";
import { UCR } from "../../rules/official_sources.ts";
import type { UcrFee } from "../../rules/schemas.ts";
import { ucrTableFor } from "../../rules/ucr.ts";
import { dataLine, feeWords } from "../../rules/words.ts";
import { answerItem, sentences } from "./rendering.ts";
import type { AnswerItem } from "./schemas.ts";
import { EXPLANATIONS } from "../tokens/vocabulary.ts";

export function feeItem(ucr_fee: UcrFee, baseUrl: string): AnswerItem {
  const { year, vehicles } = ucr_fee;
  const text = sentences(
    feeWords(ucr_fee),
    vehicles > 0
      ? ""
      : "Brokers, leasing companies and forwarders without vehicles pay this bracket.",
    "Trailers do not count. No public file shows whether a fee was paid.",
  );
  const urls = feeUrls({ vehicles, year }, baseUrl);
  return {
    ...answerItem(["fee"], `UCR fee ${year}, ${plural(vehicles, "vehicle")}`, { text, urls }),
    ucr_fee,
  };
}

function feeUrls({ vehicles, year }: Pick<UcrFee, "vehicles" | "year">, baseUrl: string): string[] {
  const own = `${baseUrl}/api/v1/ucr-fee?vehicles=${vehicles}&year=${year}`;
  return [own, ucrTableFor(year)?.url ?? UCR.url];
}

/** All brackets of a registration year. */
export function bracketsItem({ year, brackets, source }: UcrFee, baseUrl: string): AnswerItem {
  const each = brackets.map(({ min_vehicles: min, max_vehicles: max, fee_usd }) =>
    `${counted(min)} ${max === null ? "or more" : `to ${counted(max)}`} vehicles $${
      counted(fee_usd)
    }`
  );
  const text =
    `The ${year} UCR fees (${source}): ${each.join("; ")}. Brokers, leasing companies and ` +
    "forwarders without vehicles pay bracket 1. Trailers do not count.";
  const urls = feeUrls({ vehicles: 0, year }, baseUrl);
  return answerItem(["ucr_brackets"], `UCR brackets ${year}`, { text, urls });
}

/** A term or a rule explained on a day, of a registration year where it is of the UCR. */
export function explanationItem(
  id: string,
  { about, today, year, first, ending, baseUrl }: {
    about: string;
    today: string;
    year: number;
    /** The first day of the history, `YYYY-MM-DD`. */
    first?: string | undefined;
    /** The last digits of a USDOT number, one or two. */
    ending?: string | undefined;
    baseUrl: string;
  },
): AnswerItem {
  const { name, text, urls } = EXPLANATIONS[id]!;
  const values: Record<string, unknown> = {
    ...averagesFor(today),
    year,
    before: year - 1,
    kept: first === undefined
      ? "its first day is named where it is asked for"
      : `its first day is ${day(first)}`,
    ending: endingWords(ending, today),
    paused: day(DEACTIVATION_PAUSE.dueFrom),
    checked: day(DEACTIVATION_PAUSE.lastChecked),
  };
  const filled = text.replaceAll(/\{(\w+)\}/g, (_, key) => String(values[key]));
  // Pages of this site are given by their path.
  return answerItem([about], name, {
    text: `${filled}.`,
    urls: urls.map((url) => url.startsWith("/") ? baseUrl + url : url),
  });
}

/** When an MCS-150 update is due for a USDOT number that ends in one or two digits. */
function endingWords(ending: string | undefined, today: string): string {
  if (ending === undefined) return "For a date, give the last two digits";
  const { month, next_due } = schedule(Number(`1${ending}`), today);
  return ending.length < 2
    ? `For a number that ends in ${ending} the month is ${month}`
    : `For a number that ends in ${ending} the next one is due by ${day(next_due)}`;
}

/** The date of the data, or how many carriers are in it. */
export function dataItem(
  { snapshot, counts }: Health,
  about: "count" | "data_date",
  baseUrl: string,
): AnswerItem {
  const [carriers, active, inactive, pending] =
    (["carriers", "active", "inactive", "pending"] as const).map((kind) => counted(counts[kind]));
  const text = about === "count"
    ? `There are ${carriers} carriers in ${censusOf(snapshot)}: ` +
      `${active} active, ${inactive} inactive, ${pending} pending.`
    : `${dataLine(snapshot)} The files are read once a day. Later filings are not included.`;
  return answerItem([about], "Data", { text, urls: [`${baseUrl}/api/v1/health`], snapshot });
}
