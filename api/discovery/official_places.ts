/**
 * Where the official record is, and where it is corrected: addresses that every surface sends people to.
 *
 * @module
 */

/** A place on somebody else's site. */
export interface Place {
  name: string;
  url: string;
}

/** What the regulator tells the public of a carrier: status, insurance, crashes. */
export const SAFER: Place = {
  name: "SAFER Company Snapshot",
  url: "https://safer.fmcsa.dot.gov/CompanySnapshot.aspx",
};

/** Where carriers register, file the MCS-150 and update it. */
export const REGISTRATION: Place = {
  name: "FMCSA registration (Motus)",
  url: "https://www.fmcsa.dot.gov/registration",
};

/** Where inspections and other records are disputed. */
export const DATAQS: Place = { name: "DataQs", url: "https://dataqs.fmcsa.dot.gov/" };

/** Where UCR is registered and looked up. */
export const UCR: Place = { name: "UCR registration", url: "https://www.ucr.gov/" };
