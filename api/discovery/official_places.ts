/**
 * Where the official record is, where it is corrected, and where to look for what is not answered
 * here: pages of others that every surface sends people to.
 *
 * @module
 */

import { CENSUS as CENSUS_FILE } from "../rules/checks/input.ts";
import { MCS150_URL } from "../rules/mcs150.ts";

/** A page to look at. */
export interface Place {
  name: string;
  url: string;
}

/** Operating status, insurance filings, inspections and crashes of one carrier. */
export const SAFER: Place = {
  name: "SAFER Company Snapshot",
  url: "https://safer.fmcsa.dot.gov/CompanySnapshot.aspx",
};

/** {@link SAFER} with a carrier's number in the link, in the form in wide use. */
export function saferOf(dot: string): Place {
  return {
    name: `USDOT ${dot} on SAFER`,
    url: "https://safer.fmcsa.dot.gov/query.asp?searchtype=ANY&query_type=queryCarrierSnapshot" +
      `&query_param=USDOT&query_string=${dot}`,
  };
}

/** Registration, authority and their records; FMCSA points here for activity after May 18, 2026. */
export const REGISTRATION: Place = {
  name: "FMCSA registration (Motus)",
  url: "https://www.fmcsa.dot.gov/registration",
};
/** Where inspections and other records are disputed. */
export const DATAQS: Place = { name: "DataQs", url: "https://dataqs.fmcsa.dot.gov/" };
/** Percentiles and single violations. */
export const SMS: Place = {
  name: "FMCSA Safety Measurement System",
  url: "https://ai.fmcsa.dot.gov/SMS/",
};
/** Complaints, to be filed. */
export const COMPLAINTS: Place = {
  name: "National Consumer Complaint Database",
  url: "https://nccdb.fmcsa.dot.gov/",
};
/** Registration and payment. */
export const UCR: Place = { name: "UCR registration", url: "https://www.ucr.gov/" };
/** Who must register, and when. */
export const UCR_PLAN: Place = { name: "UCR Plan", url: "https://plan.ucr.gov/" };
/** The regulations. */
export const RULES: Place = {
  name: "Title 49 of the eCFR",
  url: "https://www.ecfr.gov/current/title-49",
};

/** Freight indexes. */
export const BTS: Place = {
  name: "Bureau of Transportation Statistics",
  url: "https://www.bts.gov/",
};
/** Form 2290. */
export const TRUCKING_TAXES: Place = {
  name: "IRS trucking tax center",
  url: "https://www.irs.gov/businesses/small-businesses-self-employed/trucking-tax-center",
};
/** Fuel tax. */
export const IFTA: Place = { name: "IFTA", url: "https://www.iftach.org/" };
/** Drug and alcohol violations of drivers. */
export const CLEARINGHOUSE: Place = {
  name: "FMCSA Clearinghouse",
  url: "https://clearinghouse.fmcsa.dot.gov/",
};
/** The census itself, to be filtered. */
export const CENSUS: Place = { name: CENSUS_FILE.file, url: CENSUS_FILE.url };
/** Who must file an MCS-150, and when. */
export const MCS150_RULE: Place = { name: "49 CFR 390.19T, the MCS-150", url: MCS150_URL };
