/**
 * What a search answers. Web APIs only.
 *
 * @module
 */

import type { CarrierRecord } from "../snapshot/record.ts";
import type { Ranked } from "./best.ts";

/** A carrier found. */
export interface SearchResult {
  dot: number;
  name: string;
  dba_name?: string;
  city?: string;
  state?: string;
  power_units?: number;
  active: boolean;
  /** What ranked it; unstable. */
  explain?: Record<string, unknown>;
}

/** What a search tells of a carrier found by words. */
export function toResult({ entry, criteria }: Ranked, explain: boolean): SearchResult {
  return {
    dot: entry.dot,
    name: entry.name,
    ...(entry.dba === "" ? {} : { dba_name: entry.dba }),
    ...(entry.city === "" ? {} : { city: entry.city }),
    ...(entry.state === "" ? {} : { state: entry.state }),
    ...(entry.powerUnits < 0 ? {} : { power_units: entry.powerUnits }),
    active: entry.active,
    ...(explain ? { explain: { ...criteria } } : {}),
  };
}

/** What a search tells of a carrier found by number. */
export function fromRecord(record: CarrierRecord): SearchResult {
  const { dot, legal_name, dba_name, city, state, power_units } = record;
  return {
    dot,
    name: legal_name || (dba_name ?? ""),
    ...(legal_name === "" || dba_name === undefined ? {} : { dba_name }),
    ...(city === undefined ? {} : { city }),
    ...(state === undefined ? {} : { state }),
    ...(power_units === undefined ? {} : { power_units }),
    active: record.status === "A",
    explain: { number: true },
  };
}
