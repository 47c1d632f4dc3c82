/**
 * FMCSA's files and the official pages that every surface cites or sends people to.
 *
 * @module
 */
import { MCS150_URL } from "./mcs150.ts";

/** A page of FMCSA or of another office. */
export interface OfficialSource {
  name: string;
  url: string;
}

/** FMCSA's census file. */
export const CENSUS: OfficialSource = {
  name: "Company Census File",
  url: "https://data.transportation.gov/d/az4n-8mr2",
};

/** FMCSA's file of roadside inspections. */
export const INSPECTIONS: OfficialSource = {
  name: "Vehicle Inspection File",
  url: "https://data.transportation.gov/d/fx4q-ay7w",
};

/** Operating status, insurance filings, inspections and crashes of one carrier. */
export const SAFER: OfficialSource = {
  name: "SAFER Company Snapshot",
  url: "https://safer.fmcsa.dot.gov/CompanySnapshot.aspx",
};

/** {@link SAFER} with a carrier's number in the link, in the form in wide use. */
export function saferOf(dot: string): OfficialSource {
  return {
    name: `USDOT ${dot} on SAFER`,
    url: "https://safer.fmcsa.dot.gov/query.asp?searchtype=ANY&query_type=queryCarrierSnapshot" +
      `&query_param=USDOT&query_string=${dot}`,
  };
}

/** Registration, authority and their records; FMCSA points here for activity after May 18, 2026. */
export const REGISTRATION: OfficialSource = {
  name: "FMCSA registration (Motus)",
  url: "https://www.fmcsa.dot.gov/registration",
};
/** Where inspections and other records are disputed. */
export const DATAQS: OfficialSource = { name: "DataQs", url: "https://dataqs.fmcsa.dot.gov/" };
/** Percentiles and single violations. */
export const SMS: OfficialSource = {
  name: "FMCSA Safety Measurement System",
  url: "https://ai.fmcsa.dot.gov/SMS/",
};
/** Complaints, to be filed. */
export const COMPLAINTS: OfficialSource = {
  name: "National Consumer Complaint Database",
  url: "https://nccdb.fmcsa.dot.gov/",
};
/** Registration and payment. */
export const UCR: OfficialSource = { name: "UCR registration", url: "https://www.ucr.gov/" };
/** Who must register, and when. */
export const UCR_PLAN: OfficialSource = { name: "UCR Plan", url: "https://plan.ucr.gov/" };
export const RULES: OfficialSource = {
  name: "Title 49 of the eCFR",
  url: "https://www.ecfr.gov/current/title-49",
};

/** Freight indexes. */
export const BTS: OfficialSource = {
  name: "Bureau of Transportation Statistics",
  url: "https://www.bts.gov/",
};
/** Form 2290. */
export const TRUCKING_TAXES: OfficialSource = {
  name: "IRS trucking tax center",
  url: "https://www.irs.gov/businesses/small-businesses-self-employed/trucking-tax-center",
};
/** Fuel tax. */
export const IFTA: OfficialSource = { name: "IFTA", url: "https://www.iftach.org/" };
/** Drug and alcohol violations of drivers. */
export const CLEARINGHOUSE: OfficialSource = {
  name: "FMCSA Clearinghouse",
  url: "https://clearinghouse.fmcsa.dot.gov/",
};
/** Who must file an MCS-150, and when. */
export const MCS150_RULE: OfficialSource = { name: "49 CFR 390.19T, the MCS-150", url: MCS150_URL };

/** What is in neither file. A prior revocation and a recordable crash rate are in the census. */
export const NOT_IN_DATA =
  "insurance filings, crash records, out-of-service orders, grants and revocations of operating authority, and UCR payments";

/** Whose data it is, and whose it is not. */
export const INDEPENDENCE =
  "Read-only lookups over two public FMCSA files: the company census and the vehicle inspections. Independent: not part of, and not endorsed by, FMCSA. The data may lag official records by a day or more, and every lookup answers from one dated snapshot, named in `Snapshot-Id`.";
