/**
 * Carriers that a build leaves in its report for the next one to look for: the biggest fleets, and a
 * sample with a fingerprint of each record. So a build needs one small file of the snapshot before.
 *
 * @module
 */

import { dayNumber } from "../regulator/fields.ts";
import { mix } from "../sample/random.ts";
import type { CarrierRecord } from "../snapshot/record.ts";
import { sha256 } from "../snapshot/writer.ts";

/** Biggest fleets kept. */
const LARGEST = 100;
/** Carriers sampled. */
const SAMPLED = 1_000;
/** Drawn per carrier wanted: the number of records is known before only nearly. */
const DRAWN = 1.5;
const STREAM = 40;
const DIGITS = 12;

/** A sampled carrier: USDOT number, fingerprint of what the census says, and of its inspections. */
export type SampledCarrier = [dot: number, census: string, inspections: string];

/** As the report has them, in an order that depends on the records only. */
export interface Landmarks {
  /** USDOT numbers of the active carriers with most power units, the biggest first. */
  largest: number[];
  sampled: SampledCarrier[];
}

/** Gathered a partition at a time. Plain data: a worker posts it. */
export interface FoundLandmarks {
  largest: [dot: number, powerUnits: number][];
  sampled: [key: number, carrier: SampledCarrier][];
}

/** What decides who is sampled. */
export interface Sampling {
  /** `YYYY-MM-DD`: each day has a sample of its own. */
  dataDate: string;
  /** Census rows, to know how many to draw. */
  rows: number;
}

/** None yet. */
export function noLandmarks(): FoundLandmarks {
  return { largest: [], sampled: [] };
}

/** Looks at one record. */
export function noteLandmark(
  found: FoundLandmarks,
  record: CarrierRecord,
  { dataDate, rows }: Sampling,
): void {
  const { dot, status, power_units = 0 } = record;
  const { largest, sampled } = found;
  // The fleets of inactive carriers are the absurd ones.
  if (status === "A" && power_units > 0) {
    largest.push([dot, power_units]);
    if (largest.length > 20 * LARGEST) keepLargest(largest);
  }
  const key = mix(dayNumber(dataDate), dot, STREAM);
  if (key / 2 ** 32 * rows < DRAWN * SAMPLED) sampled.push([key, [dot, ...fingerprints(record)]]);
}

/** Adds all of `from` to `into`; the order of such calls plays no part. */
export function mergeLandmarks(into: FoundLandmarks, from: FoundLandmarks): void {
  into.largest.push(...from.largest);
  into.sampled.push(...from.sampled);
  keepLargest(into.largest);
}

/** What the report says of them. */
export function landmarks({ largest, sampled }: FoundLandmarks): Landmarks {
  return {
    largest: largest.map(([dot]) => dot),
    sampled: sampled.toSorted(([a, [x]], [b, [y]]) => a - b || x - y)
      .slice(0, SAMPLED)
      .map(([, carrier]) => carrier),
  };
}

/** The head of the SHA-256 of what a record says of the census, and of the inspections. */
export function fingerprints(record: CarrierRecord): [census: string, inspections: string] {
  const { inspections = null, ...census } = record;
  return [census, inspections].map((part) => sha256(JSON.stringify(part)).slice(0, DIGITS)) as [
    string,
    string,
  ];
}

function keepLargest(largest: FoundLandmarks["largest"]): void {
  largest.sort(([a, x], [b, y]) => y - x || a - b);
  largest.length = Math.min(largest.length, LARGEST);
}
