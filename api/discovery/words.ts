/**
 * What the service says of itself in every document.
 *
 * @module
 */

/** Name for people. */
export const SERVICE_TITLE = "Carrier Compliance Lookup";

/** Version of the REST API: the major one stands in its paths. */
export const API_VERSION = "1.0.0";

/** What it is about, for catalogs. */
export const TAGS = ["motor-carrier", "usdot", "mcs-150", "ucr", "compliance", "trucking"];

/** What is in neither file. A prior revocation and a recordable crash rate are in the census. */
export const NOT_IN_DATA =
  "insurance filings, crash records, out-of-service orders, grants and revocations of operating authority, and UCR payments";

/** Whose data it is, and whose it is not. */
export const INDEPENDENCE =
  "Read-only lookups over two public FMCSA files: the company census and the vehicle inspections. Independent: not part of, and not endorsed by, FMCSA. The data may lag official records by a day or more, and every lookup answers from one dated snapshot, named in `Snapshot-Id`.";
