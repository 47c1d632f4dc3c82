/**
 * What every check reads, and the source it cites.
 *
 * @module
 */
import type { Manifest } from "../../pipeline/snapshot/manifest.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import { formatForPeople } from "./calendar.ts";
import type { Mcs150Standing } from "./mcs150.ts";
import { CENSUS, INSPECTIONS, type OfficialSource } from "./official_sources.ts";
import type { Basis, Inspections24m } from "./schemas.ts";

/** A record with what was derived from it, on a day. */
export interface CheckInput {
  record: CarrierRecord;
  mcs150: Mcs150Standing;
  inspections: Inspections24m | null;
  /** `YYYY-MM-DD` in New York. */
  today: string;
  /** Date of the census file, `YYYY-MM-DD`. */
  dataDate: string;
  /** Date of the inspection file, `YYYY-MM-DD`: the end of the window. */
  inspectionsDate: string;
  /** Inspections counted, inclusive days. */
  window: Manifest["window"];
  /** Whether the snapshot is a sample or otherwise not FMCSA's whole files. */
  partial: boolean;
}

/** The rule or publication a verdict applies, and a page with it. */
export interface Citation {
  citation: string;
  url: string;
}

/** The census as the source; the page is the file's own when no rule is cited. */
export function censusBasis({ dataDate }: CheckInput, cited?: Citation): Basis {
  return basis(CENSUS, dataDate, cited);
}

/** The inspection file as the source; the page is the file's own when no rule is cited. */
export function inspectionBasis({ inspectionsDate }: CheckInput, cited?: Citation): Basis {
  return basis(INSPECTIONS, inspectionsDate, cited);
}

/** `FMCSA's census of Oct 3, 2026`; a sample has few of its rows, and older than its date. */
export function census({ dataDate, partial }: Pick<CheckInput, "dataDate" | "partial">): string {
  return partial ? "this sample" : `FMCSA's census of ${formatForPeople(dataDate)}`;
}

/** The census of a snapshot, for what it does not have. */
export function censusOf(
  { data_date, notice }: { data_date: string; notice?: string | undefined },
): string {
  return census({ dataDate: data_date, partial: notice !== undefined });
}

/** `Filings after Oct 3, 2026 aren't included.` */
export function filingsAfter({ dataDate, partial }: CheckInput): string {
  return partial
    ? "Newer filings aren't included."
    : `Filings after ${formatForPeople(dataDate)} aren't included.`;
}

function basis(
  source: OfficialSource,
  date: string,
  cited: Citation | undefined,
): Basis {
  return {
    file: source.name,
    data_date: date,
    citation: cited?.citation ?? null,
    url: cited?.url ?? source.url,
  };
}

/** The class whose carriers need operating authority; always quoted, never said of a carrier. */
export const FOR_HIRE_CLASS = "AUTHORIZED FOR HIRE";
