/**
 * The table of census columns that a record keeps. It drives reading, the checks of a record, the gates and
 * the tables of FORMAT.md.
 *
 * @module
 */

/**
 * `text`: white space folded; `place`: text, absent for `US`; `list`: text split at `;`; `phone`: digits;
 * `duns`: nine digits; `address`: texts by position, null where equal to the physical address, see `mailing`.
 */
type TextKind = "text" | "place" | "list" | "phone" | "duns" | "address";

/**
 * `code`: one of `codes`, anything else is left out; `letter`: a letter that is kept though it is not one of
 * `codes`; `flag`: `Y` or `N`; `mark`: `U`, or blank for "not marked"; `marks`: a letter of {@link MARKS} for
 * each column that has an `X`.
 */
type CodeKind = "code" | "letter" | "flag" | "mark" | "marks";

/**
 * Numbers, and `day`: `YYYY-MM-DD`. `counts`: counts by position, null where blank, trailing nulls omitted;
 * `sums`: by position, the sum of the columns with that position, where blank counts as 0.
 */
type NumberKind = "count" | "year" | "decimal" | "day" | "counts" | "sums";

/** The kinds of members: how columns become a value. */
type MemberKind = TextKind | CodeKind | NumberKind;

/** A member and the columns it is read from. */
export interface Member {
  kind: MemberKind;
  columns: readonly string[];
  /** The letters of a `code` or `letter`. */
  codes?: string;
  /**
   * Counts, from 1, how often the way our code reads the member has changed. A build compares a member only
   * with a snapshot of the same revision, so that a change of our code never counts as a change of a carrier.
   */
  revision?: number;
  /** Whether a change is kept without the value before it. */
  isHidden?: true;
}

/** Letters of the kind `marks`, by the position of a column. */
export const MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The census columns of `cargo` with what they say. */
export const CARGO = {
  CRGO_GENFREIGHT: "General freight",
  CRGO_HOUSEHOLD: "Household goods",
  CRGO_METALSHEET: "Metal: sheets, coils, rolls",
  CRGO_MOTOVEH: "Motor vehicles",
  CRGO_DRIVETOW: "Driveaway or towaway",
  CRGO_LOGPOLE: "Logs, poles, beams, lumber",
  CRGO_BLDGMAT: "Building materials",
  CRGO_MOBILEHOME: "Mobile homes",
  CRGO_MACHLRG: "Machinery, large objects",
  CRGO_PRODUCE: "Fresh produce",
  CRGO_LIQGAS: "Liquids or gases",
  CRGO_INTERMODAL: "Intermodal containers",
  CRGO_PASSENGERS: "Passengers",
  CRGO_OILFIELD: "Oilfield equipment",
  CRGO_LIVESTOCK: "Livestock",
  CRGO_GRAINFEED: "Grain, feed, hay",
  CRGO_COALCOKE: "Coal, coke",
  CRGO_MEAT: "Meat",
  CRGO_GARBAGE: "Garbage, refuse, trash",
  CRGO_USMAIL: "US mail",
  CRGO_CHEM: "Chemicals",
  CRGO_DRYBULK: "Commodities, dry bulk",
  CRGO_COLDFOOD: "Refrigerated food",
  CRGO_BEVERAGES: "Beverages",
  CRGO_PAPERPROD: "Paper products",
  CRGO_UTILITY: "Utilities",
  CRGO_FARMSUPP: "Farm supplies",
  CRGO_CONSTRUCT: "Construction",
  CRGO_WATERWELL: "Water well",
  CRGO_CARGOOTHR: "Other",
} as const;

/** Kinds of vehicle with the census columns that are added up, after `OWN`, `TRM` or `TRP`. */
export const VEHICLES = {
  trucks: ["TRUCK"],
  tractors: ["TRACT"],
  trailers: ["TRAIL"],
  motorcoaches: ["COACH"],
  school_buses: ["SCHOOL_1_8", "SCHOOL_9_15", "SCHOOL_16"],
  buses: ["BUS_16"],
  vans: ["VAN_1_8", "VAN_9_15"],
  limousines: ["LIMO_1_8", "LIMO_9_15", "LIMO_16"],
} as const;

/** Who owns the vehicles, in the order of `vehicles`: first all kinds owned, then all term-leased ... */
export const HOLDINGS = { owned: "OWN", term_leased: "TRM", trip_leased: "TRP" } as const;

/** Positions of `driver_counts` with their columns. */
export const DRIVERS = {
  interstate: "DRIVER_INTER_TOTAL",
  intrastate: "TOTAL_INTRASTATE_DRIVERS",
  interstate_within_100_miles: "INTERSTATE_WITHIN_100_MILES",
  interstate_beyond_100_miles: "INTERSTATE_BEYOND_100_MILES",
  intrastate_within_100_miles: "INTRASTATE_WITHIN_100_MILES",
  intrastate_beyond_100_miles: "INTRASTATE_BEYOND_100_MILES",
  cdl: "TOTAL_CDL",
} as const;

function one(kind: MemberKind, column: string, codes?: string): Member {
  return { kind, columns: [column], ...(codes === undefined ? {} : { codes }) };
}

/** Position of a vehicle column's sum in `vehicles`. */
export const VEHICLE_PLACE: Readonly<Record<string, number>> = Object.fromEntries(
  Object.values(HOLDINGS).flatMap((holding) =>
    Object.values(VEHICLES).map((kind) => [holding, kind] as const)
  )
    .flatMap(([holding, kind], place) => kind.map((column) => [holding + column, place])),
);

/** The {@link Member.revision} of `dockets`: 2 since all statuses of a repeated docket are kept. */
export const DOCKETS_REVISION = 2;

/** The members between `dot` and `dockets`, in the order of a row: first what most carriers have. */
export const CENSUS_MEMBERS = {
  legal_name: one("text", "LEGAL_NAME"),
  street: { ...one("text", "PHY_STREET"), isHidden: true },
  city: one("text", "PHY_CITY"),
  state: one("text", "PHY_STATE"),
  zip: one("text", "PHY_ZIP"),
  phone: { ...one("phone", "PHONE"), isHidden: true },
  status: one("code", "STATUS_CODE", "AIP"),
  operation: one("code", "CARRIER_OPERATION", "ABC"),
  hazmat: one("flag", "HM_Ind"),
  roles: one("list", "CARSHIP"),
  classes: one("list", "CLASSDEF"),
  cargo: { kind: "marks", columns: Object.keys(CARGO) },
  power_units: one("count", "POWER_UNITS"),
  drivers: one("count", "TOTAL_DRIVERS"),
  driver_counts: { kind: "counts", columns: Object.values(DRIVERS) },
  vehicles: { kind: "sums", columns: Object.keys(VEHICLE_PLACE) },
  mileage: one("count", "MCS150_MILEAGE"),
  mileage_year: one("year", "MCS150_MILEAGE_YEAR"),
  mcs150_date: one("day", "MCS150_DATE"),
  added: one("day", "ADD_DATE"),
  prior_revoked: one("flag", "PRIOR_REVOKE_FLAG"),
  business_form: one("text", "BUSINESS_ORG_DESC"),
  dba_name: one("text", "DBA_NAME"),
  cargo_other: one("text", "CRGO_CARGOOTHR_DESC"),
  mailing: {
    kind: "address",
    isHidden: true,
    columns: ["STREET", "CITY", "STATE", "ZIP", "COUNTRY"].map((part) => `CARRIER_MAILING_${part}`),
  },
  review_type: one("letter", "REVIEW_TYPE", "CHNASEUKFGIJ"),
  review_date: one("day", "REVIEW_DATE"),
  crash_rate: one("decimal", "RECORDABLE_CRASH_RATE"),
  duns: one("duns", "DUN_BRADSTREET_NO"),
  country: one("place", "PHY_COUNTRY"),
  rating: one("code", "SAFETY_RATING", "SCU"),
  rating_date: one("day", "SAFETY_RATING_DATE"),
  undeliverable: one("mark", "UNDELIV_PHY"),
  mail_returned: one("day", "CARRIER_MAILING_UND_DATE"),
  prior_revoked_dot: one("count", "PRIOR_REVOKE_DOT_NUMBER"),
} as const satisfies Record<string, Member>;

export type CensusMember = keyof typeof CENSUS_MEMBERS;
