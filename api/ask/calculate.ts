/**
 * Fees and due dates.
 *
 * @module
 */

import { ServiceError } from "../operations/errors.ts";
import { mcs150DueDate } from "../operations/mcs150_due_date.ts";
import { ucrFee } from "../operations/ucr_fee.ts";
import { formatForPeople } from "../rules/calendar.ts";
import { MCS150_URL } from "../rules/mcs150.ts";
import type { Carrier } from "../rules/schemas.ts";
import { ucrTableFor } from "../rules/ucr.ts";
import type { Answers } from "./ending.ts";
import { carrierUrl, feeItem, plainItem } from "./items.ts";
import type { Resolved } from "./resolve.ts";
import type { Desk } from "./run.ts";
import type { AnswerItem } from "./schemas.ts";
import { nameOf, tell } from "./topics.ts";
import type { Understanding, Year } from "./understanding.ts";

const WHO_PAYS = "Trailers do not count. Whether somebody paid is in no public file.";
const NO_VEHICLES = "Brokers and leasing companies without vehicles pay this bracket.";

/** The fee of a fleet in each year asked for; in the newest when none is. */
export async function* fees(
  { slots: { vehicles, years } }: Understanding,
  desk: Desk,
): Answers {
  const note = vehicles === 0 ? `${NO_VEHICLES} ${WHO_PAYS}` : WHO_PAYS;
  try {
    for (const year of years.length > 0 ? years : [undefined]) {
      const fee = await desk.run(ucrFee, { vehicles, ...given(year, desk) });
      yield feeItem(fee, { note, baseUrl: desk.baseUrl, sources: sourceOf(fee.year) });
    }
    return { type: "answer" };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 400) throw error;
    const url = `${desk.baseUrl}/api/v1/ucr-fee?vehicles=${vehicles}`;
    return {
      type: "failure",
      error: {
        code: "INVALID_PARAMETER",
        message: error.message,
        details: { source_urls: [url] },
      },
    };
  }
}

/** Estimates for a carrier in the years asked for; none where the census gives nothing to go by. */
export async function feesOf(
  carrier: Carrier,
  years: readonly Year[],
  desk: Desk,
): Promise<AnswerItem[]> {
  const { power_units: vehicles, not_reported, operation, dot, snapshot } = carrier;
  if (not_reported.includes("power_units") || operation.startsWith("Intrastate")) return [];
  const items: AnswerItem[] = [];
  for (const year of years) {
    try {
      const fee = await desk.run(ucrFee, { vehicles, ...given(year, desk) });
      const note = `An estimate from the power units of ${nameOf(carrier)} (USDOT ${dot}) in the ` +
        `census of ${formatForPeople(snapshot.data_date)}; its own count decides. ${WHO_PAYS}`;
      const sources = [...sourceOf(fee.year), carrierUrl(dot, desk.baseUrl)];
      items.push(feeItem(fee, { note, baseUrl: desk.baseUrl, sources }));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 400) throw error;
      const url = `${desk.baseUrl}/api/v1/ucr-fee?vehicles=${vehicles}`;
      items.push(plainItem({ name: "UCR fee", text: `${error.message}.`, url }));
    }
  }
  return items;
}

/** The schedule of a number, and where its carrier stands in it when it can be looked up. */
export async function dueDate(
  { dot, note }: Resolved,
  carrier: Carrier | ServiceError,
  desk: Desk,
): Promise<AnswerItem> {
  const mcs150 = await desk.run(mcs150DueDate, { dot: String(dot) });
  const url = `${desk.baseUrl}/api/v1/mcs150-due-date?dot=${dot}`;
  const scheduled = `${mcs150.rule} The next scheduled day is ${formatForPeople(mcs150.next_due)}.`;
  const known = !(carrier instanceof ServiceError);
  const standing = known
    ? `${nameOf(carrier)}: ${tell(carrier, "mcs150")}`
    : carrier.code === "not_found"
    ? `${carrier.message}, so this is the schedule alone.`
    : "Whether it was filed cannot be read at the moment.";
  return {
    "@type": "Answer",
    name: `MCS-150 due date of USDOT ${dot}`,
    text: [note, scheduled, standing].filter((part) => part !== "").join(" "),
    url: known ? carrier.page_url : url,
    mcs150,
    grounding: {
      source_urls: known ? [url, MCS150_URL, carrierUrl(dot, desk.baseUrl)] : [url, MCS150_URL],
      ...(known ? { snapshot: carrier.snapshot } : {}),
    },
  };
}

function given(year: Year | undefined, { today }: Desk): { year?: number } {
  if (year === undefined) return {};
  if (typeof year === "number") return { year };
  return { year: Number(today.slice(0, 4)) + { last: -1, this: 0, next: 1 }[year] };
}

function sourceOf(year: number): string[] {
  const table = ucrTableFor(year);
  return table === undefined ? [] : [table.url];
}
