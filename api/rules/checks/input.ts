/**
 * What every check is given, and the evidence every check names.
 *
 * @module
 */
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";
import type { Basis, CarrierMcs150, Inspections24m } from "../schemas.ts";
import type { Window } from "../inspections.ts";

/** A record with what was derived from it, on a day. */
export interface CheckInput {
  record: CarrierRecord;
  mcs150: CarrierMcs150;
  inspections: Inspections24m | null;
  /** `YYYY-MM-DD` in New York. */
  today: string;
  /** The day the files stand for, `YYYY-MM-DD`. */
  dataDate: string;
  window: Window;
  /** The data date for people, `3 October 2026`. */
  dataDay: string;
}

/** The rule or publication a verdict applies, and a page with it. */
export interface Citation {
  citation: string;
  url: string;
}

/** The file of most evidence, with its page. */
export const CENSUS = {
  file: "Company Census File",
  url: "https://data.transportation.gov/d/az4n-8mr2",
} as const;

/** The file of roadside inspections, with its page. */
export const INSPECTIONS = {
  file: "Vehicle Inspection File",
  url: "https://data.transportation.gov/d/fx4q-ay7w",
} as const;

/** Evidence from the census; the page is the file's own when no rule is cited. */
export function censusBasis({ dataDate }: CheckInput, cited?: Citation): Basis {
  return basis(CENSUS, dataDate, cited);
}

/** Evidence from the inspection file; the page is the file's own when no rule is cited. */
export function inspectionBasis({ dataDate }: CheckInput, cited?: Citation): Basis {
  return basis(INSPECTIONS, dataDate, cited);
}

function basis(
  source: { file: string; url: string },
  data_date: string,
  cited: Citation | undefined,
): Basis {
  return {
    file: source.file,
    data_date,
    citation: cited?.citation ?? null,
    url: cited?.url ?? source.url,
  };
}
