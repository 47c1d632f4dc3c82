/**
 * Applies the rules to a carrier record in the package. Web APIs only.
 *
 * @module
 */

import { isRecord } from "../../pipeline/snapshot/record/record.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import { matched } from "../operations/match.ts";
import { toCarrier } from "../rules/carrier.ts";
import { changedLately } from "../rules/identity_changes.ts";
import type { Carrier } from "../rules/schemas.ts";

export { dataLine, stateWords, usdotStatusWord } from "../rules/words.ts";
export { findingLine } from "../rules/findings.ts";

/** The API's Carrier without `page_url`. */
export type CheckedCarrier = Omit<Carrier, "page_url">;

/** What a rate confirmation says about a carrier. */
export interface GivenFields {
  /** With its prefix: `MC 143229`. */
  mc?: string | undefined;
  name?: string | undefined;
  city?: string | undefined;
  state?: string | undefined;
  phone?: string | undefined;
  zip?: string | undefined;
}

/** The result of comparing each given field with the census. */
export type MatchedFields = Omit<ReturnType<typeof matched>, "page_url">;

interface CheckedDay {
  dot: number;
  asOf?: string | undefined;
  today?: string | undefined;
}

/** The carrier with its checks; null if it is not in the census. Errors of reading the snapshot are passed on. */
export async function checkCarrier(
  snapshot: Snapshot,
  options: CheckedDay,
): Promise<CheckedCarrier | null> {
  const carrier = await checkedOf(snapshot, options);
  if (carrier === null) return null;
  const { page_url: _, ...checked } = carrier;
  return checked;
}

/** Compares the given fields with what a carrier filed. Errors of reading the snapshot are passed on. */
export async function matchCarrierFields(
  snapshot: Snapshot,
  { given, ...options }: CheckedDay & { given: GivenFields },
): Promise<MatchedFields | null> {
  const carrier = await checkedOf(snapshot, options);
  if (carrier === null) return null;
  const { page_url: _, ...found } = matched(carrier, given);
  return found;
}

async function checkedOf(
  snapshot: Snapshot,
  { dot, asOf, today = asOf ?? newYorkDay() }: CheckedDay,
): Promise<Carrier | null> {
  const record = await snapshot.find(dot);
  if (record === null || !isRecord(record)) return null;
  const chain = changedLately(record, today) ? await snapshot.chain() : [];
  return toCarrier(record, { today, asOf, baseUrl: "", snapshot, chain });
}

/** Today in New York. Uses `Intl`, since Node 20 and many browsers lack `Temporal`. */
function newYorkDay(): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York" }).format(new Date());
}
