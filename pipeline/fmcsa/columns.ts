/**
 * The columns the build reads, by name, and the check of a file's header against them.
 *
 * @module
 */

import { CENSUS_MEMBERS, type Member } from "../snapshot/record/members.ts";

/** Every column of the Company Census File, in its order. */
export const CENSUS_COLUMNS: readonly string[] = `
MCS150_DATE ADD_DATE STATUS_CODE DOT_NUMBER DUN_BRADSTREET_NO PHY_OMC_REGION
SAFETY_INV_TERR CARRIER_OPERATION BUSINESS_ORG_ID MCS150_MILEAGE MCS150_MILEAGE_YEAR
MCS151_MILEAGE TOTAL_CARS MCS150_UPDATE_CODE_ID PRIOR_REVOKE_FLAG PRIOR_REVOKE_DOT_NUMBER
PHONE FAX CELL_PHONE COMPANY_OFFICER_1 COMPANY_OFFICER_2 BUSINESS_ORG_DESC TRUCK_UNITS
POWER_UNITS BUS_UNITS FLEETSIZE REVIEW_ID RECORDABLE_CRASH_RATE MAIL_NATIONALITY_INDICATOR
PHY_NATIONALITY_INDICATOR PHY_BARRIO MAIL_BARRIO CARSHIP DOCKET1PREFIX DOCKET1
DOCKET2PREFIX DOCKET2 DOCKET3PREFIX DOCKET3 POINTNUM TOTAL_INTRASTATE_DRIVERS MCSIPSTEP
MCSIPDATE HM_Ind INTERSTATE_BEYOND_100_MILES INTERSTATE_WITHIN_100_MILES
INTRASTATE_BEYOND_100_MILES INTRASTATE_WITHIN_100_MILES TOTAL_CDL TOTAL_DRIVERS
AVG_DRIVERS_LEASED_PER_MONTH CLASSDEF LEGAL_NAME DBA_NAME PHY_STREET PHY_CITY PHY_COUNTRY
PHY_STATE PHY_ZIP PHY_CNTY CARRIER_MAILING_STREET CARRIER_MAILING_STATE
CARRIER_MAILING_CITY CARRIER_MAILING_COUNTRY CARRIER_MAILING_ZIP CARRIER_MAILING_CNTY
CARRIER_MAILING_UND_DATE DRIVER_INTER_TOTAL EMAIL_ADDRESS REVIEW_TYPE REVIEW_DATE
SAFETY_RATING SAFETY_RATING_DATE UNDELIV_PHY CRGO_GENFREIGHT CRGO_HOUSEHOLD
CRGO_METALSHEET CRGO_MOTOVEH CRGO_DRIVETOW CRGO_LOGPOLE CRGO_BLDGMAT CRGO_MOBILEHOME
CRGO_MACHLRG CRGO_PRODUCE CRGO_LIQGAS CRGO_INTERMODAL CRGO_PASSENGERS CRGO_OILFIELD
CRGO_LIVESTOCK CRGO_GRAINFEED CRGO_COALCOKE CRGO_MEAT CRGO_GARBAGE CRGO_USMAIL CRGO_CHEM
CRGO_DRYBULK CRGO_COLDFOOD CRGO_BEVERAGES CRGO_PAPERPROD CRGO_UTILITY CRGO_FARMSUPP
CRGO_CONSTRUCT CRGO_WATERWELL CRGO_CARGOOTHR CRGO_CARGOOTHR_DESC OWNTRUCK OWNTRACT
OWNTRAIL OWNCOACH OWNSCHOOL_1_8 OWNSCHOOL_9_15 OWNSCHOOL_16 OWNBUS_16 OWNVAN_1_8
OWNVAN_9_15 OWNLIMO_1_8 OWNLIMO_9_15 OWNLIMO_16 TRMTRUCK TRMTRACT TRMTRAIL TRMCOACH
TRMSCHOOL_1_8 TRMSCHOOL_9_15 TRMSCHOOL_16 TRMBUS_16 TRMVAN_1_8 TRMVAN_9_15 TRMLIMO_1_8
TRMLIMO_9_15 TRMLIMO_16 TRPTRUCK TRPTRACT TRPTRAIL TRPCOACH TRPSCHOOL_1_8 TRPSCHOOL_9_15
TRPSCHOOL_16 TRPBUS_16 TRPVAN_1_8 TRPVAN_9_15 TRPLIMO_1_8 TRPLIMO_9_15 TRPLIMO_16
DOCKET1_STATUS_CODE DOCKET2_STATUS_CODE DOCKET3_STATUS_CODE
`.trim().split(/\s+/);

/** Every column of the Vehicle Inspection File, in its order. */
export const INSPECTION_COLUMNS: readonly string[] = `
CHANGE_DATE INSPECTION_ID DOT_NUMBER REPORT_STATE REPORT_NUMBER INSP_DATE INSP_START_TIME
INSP_END_TIME REGISTRATION_DATE REGION CI_STATUS_CODE LOCATION LOCATION_DESC
COUNTY_CODE_STATE COUNTY_CODE INSP_LEVEL_ID SERVICE_CENTER CENSUS_SOURCE_ID INSP_FACILITY
SHIPPER_NAME SHIPPING_PAPER_NUMBER CARGO_TANK HAZMAT_PLACARD_REQ SNET_VERSION_NUMBER
SNET_SEARCH_DATE ALCOHOL_CONTROL_SUB DRUG_INTRDCTN_SEARCH DRUG_INTRDCTN_ARRESTS
SIZE_WEIGHT_ENF TRAFFIC_ENF LOCAL_ENF_JURISDICTION PEN_CEN_MATCH FINAL_STATUS_DATE
POST_ACC_IND GROSS_COMB_VEH_WT VIOL_TOTAL OOS_TOTAL DRIVER_VIOL_TOTAL DRIVER_OOS_TOTAL
VEHICLE_VIOL_TOTAL VEHICLE_OOS_TOTAL HAZMAT_VIOL_TOTAL HAZMAT_OOS_TOTAL SNET_SEQUENCE_ID
TRANSACTION_CODE TRANSACTION_DATE UPLOAD_DATE UPLOAD_FIRST_BYTE UPLOAD_DOT_NUMBER
UPLOAD_SEARCH_INDICATOR CENSUS_SEARCH_DATE SNET_INPUT_DATE SOURCE_OFFICE MCMIS_ADD_DATE
INSP_CARRIER_NAME INSP_CARRIER_STREET INSP_CARRIER_CITY INSP_CARRIER_STATE
INSP_CARRIER_ZIP_CODE INSP_COLONIA DOCKET_NUMBER INSP_INTERSTATE INSP_CARRIER_STATE_ID
`.trim().split(/\s+/);

/** Every column of the Out of Service Orders file, in its order. */
export const ORDER_COLUMNS: readonly string[] =
  "DOT_NUMBER LEGAL_NAME DBA_NAME OOS_DATE OOS_REASON STATUS RESCIND_DATE".split(" ");

/**
 * The columns of orders that a build keeps. `STATUS` and the names are those of the USDOT number today, so
 * they are left out.
 */
export const ORDER_WANTED = ["DOT_NUMBER", "OOS_DATE", "OOS_REASON", "RESCIND_DATE"] as const;

/** Other names that FMCSA uses for columns, and the names used here. */
const OTHER_NAMES: Readonly<Record<string, string>> = { OOS_RESCIND_DATE: "RESCIND_DATE" };

const FILES: readonly [name: string, columns: readonly string[]][] = [
  ["Company Census File", CENSUS_COLUMNS],
  ["Vehicle Inspection File", INSPECTION_COLUMNS],
  ["Out of Service Orders file", ORDER_COLUMNS],
];

/** A field of a spilled census row: one column, or many joined by commas. */
interface CensusField {
  /** The column, or the record's member that the columns become. */
  name: string;
  columns: readonly string[];
}

const DOCKET_COLUMNS = [1, 2, 3].flatMap((slot) =>
  ["PREFIX", "", "_STATUS_CODE"].map((end) => `DOCKET${slot}${end}`)
);

/** The fields of the spilled rows, in their order. */
export const CENSUS_FIELDS: readonly CensusField[] = [
  ...["DOT_NUMBER", ...DOCKET_COLUMNS].map((name) => ({ name, columns: [name] })),
  ...Object.entries<Member>(CENSUS_MEMBERS).flatMap(([member, { kind, columns }]) =>
    columns.length === 1 || kind === "address"
      ? columns.map((name) => ({ name, columns: [name] }))
      : [{ name: member, columns }]
  ),
];

/** The census columns a build keeps, in the order of {@link CENSUS_FIELDS}. */
export const CENSUS_WANTED: readonly string[] = CENSUS_FIELDS.flatMap(({ columns }) => columns);

/** The inspection columns a build keeps. */
export const INSPECTION_WANTED = [
  "DOT_NUMBER",
  "INSPECTION_ID",
  "INSP_DATE",
  "INSP_LEVEL_ID",
  "REPORT_STATE",
  "HAZMAT_PLACARD_REQ",
  "POST_ACC_IND",
  "VIOL_TOTAL",
  "DRIVER_VIOL_TOTAL",
  "DRIVER_OOS_TOTAL",
  "VEHICLE_VIOL_TOTAL",
  "VEHICLE_OOS_TOTAL",
  "HAZMAT_VIOL_TOTAL",
  "HAZMAT_OOS_TOTAL",
  "INSP_CARRIER_NAME",
  "INSP_INTERSTATE",
] as const;

interface HeaderMatch {
  /** For each wanted column, its index in the file. */
  places: number[];
  /** Columns that are not known. */
  extra: string[];
  /** Whether the order differs from `known`. */
  reordered: boolean;
}

/**
 * Finds the wanted columns by name, whatever their order.
 *
 * @throws {TypeError} When a known column is missing: FMCSA changed the file, and a renamed
 * column must not be read as an empty one. The message names what is missing and what is new.
 */
export function matchHeader(
  found: readonly string[],
  options: { file: string; known: readonly string[]; wanted: readonly string[] },
): HeaderMatch {
  const { file, known, wanted } = options;
  const names = found.map((name) => OTHER_NAMES[name] ?? name);
  if (names.length === 1 || /^\s*[<{[]/.test(names[0] ?? "")) {
    const start = JSON.stringify((names[0] ?? "").slice(0, 60));
    throw new TypeError(
      `Cannot read ${file}: line 1 is not a CSV header, it begins with ${start}. ` +
        `Was an error page saved instead of the file? Fetch it again`,
    );
  }
  const twice = names.filter((name, i) => names.indexOf(name) !== i);
  if (twice.length > 0) {
    throw new TypeError(`Cannot read ${file}: column ${quoted(twice)} is in line 1 twice`);
  }
  const missing = known.filter((name) => !names.includes(name));
  const extra = names.filter((name) => !known.includes(name));
  const other = FILES.find(([, columns]) =>
    columns !== known && columns.every((name) => names.includes(name))
  );
  if (missing.length > 0 && other !== undefined) {
    const wanted = FILES.find(([, columns]) => columns === known)![0];
    throw new TypeError(
      `Cannot read ${file}: it is the ${other[0]} where the ${wanted} is wanted. ` +
        `Give each file its own address or path`,
    );
  }
  if (missing.length > 0) {
    const instead = extra.length > 0
      ? `the file has ${quoted(extra)} instead`
      : `the file has ${names.length} columns, ${known.length} are known`;
    throw new TypeError(
      `Cannot read ${file}: line 1 lacks column ${quoted(missing)}; ${instead}. ` +
        `If FMCSA renamed it, change pipeline/fmcsa/columns.ts`,
    );
  }
  const order = names.filter((name) => known.includes(name));
  return {
    places: wanted.map((name) => names.indexOf(name)),
    extra,
    reordered: order.some((name, i) => name !== known[i]),
  };
}

function quoted(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 60))).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

/** The place of each column in a list of columns. */
export function placesOf<Name extends string>(columns: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(columns.map((name, i) => [name, i])) as Record<Name, number>;
}
