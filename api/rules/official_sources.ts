/**
 * FMCSA's files, and the official pages that every surface cites or links to.
 *
 * @module
 */
import SOURCES from "./official_sources.json" with { type: "json" };

/** A page of FMCSA or of another office. */
export interface OfficialSource {
  name: string;
  url: string;
}

/** All of them by name; FMCSA points to REGISTRATION for activity after May 18, 2026. */
export const OFFICIAL_SOURCES: Readonly<Record<string, OfficialSource>> = SOURCES;

export const {
  CENSUS,
  INSPECTIONS,
  ORDERS,
  SAFER,
  REGISTRATION,
  DATAQS,
  SMS,
  UCR,
  UCR_PLAN,
  RULES,
} = SOURCES;

/** A link to a carrier on {@link SAFER}, in the form that is widely used. */
export function saferOf(dot: string): OfficialSource {
  return {
    name: `USDOT ${dot} on SAFER`,
    url: "https://safer.fmcsa.dot.gov/query.asp?searchtype=ANY&query_type=queryCarrierSnapshot" +
      `&query_param=USDOT&query_string=${dot}`,
  };
}

/** What none of the files contains. The census does have prior revocations and recordable crash rates. */
export const NOT_IN_DATA =
  "insurance filings, crash records, out-of-service orders (unless the snapshot has an `orders_date`), grants and revocations of operating authority, and UCR payments";

/** Who publishes the data, and that this service is not FMCSA's. */
export const INDEPENDENCE =
  "Read-only lookups over public FMCSA files: the company census, the vehicle inspections and, where included, the out-of-service orders. Independent: not part of, and not endorsed by, FMCSA. The data may lag official records by a day or more, and every lookup answers from one dated snapshot, named in `Snapshot-Id`.";
