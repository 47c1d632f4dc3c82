/**
 * Synthetic carriers that between them show every state of every check, and every oddity of the census that
 * a page, a search or a sheet must survive. Hand-listed; the names say what each is for.
 *
 * @module
 */

import { compactDay, dayOf } from "./days.ts";
import { filingCarriers } from "./edge_filings.ts";

/** Inspections to give a carrier: of one kind, or with out-of-service findings on the first few. */
export interface EdgeInspections {
  count: number;
  /** INSP_LEVEL_ID. */
  level: string;
  vehicleOos?: number;
  driverOos?: number;
  hazmatOos?: number;
  /** HAZMAT_PLACARD_REQ; blank when left out. */
  hazmat?: "Y" | "N";
  /** Days `YYYY-MM-DD`; evenly over the 23 months before the data date when left out. */
  days?: readonly string[];
}

/** A carrier by census column; columns left out take those of an ordinary active interstate carrier. */
export interface EdgeCarrier {
  name: string;
  columns?: Readonly<Record<string, string>>;
  /** The last two digits of the USDOT number, where the schedule matters. */
  ending?: string;
  inspections?: readonly EdgeInspections[];
}

const LONG = "THE VERY LONG NAMED AND STILL ENTIRELY INVENTED INTERSTATE MOTOR FREIGHT TRANSPORT ";

/** The carriers, for a data date (a day number). */
export function edgeCarriers(today: number): readonly EdgeCarrier[] {
  return [
    ...STATUS,
    ...DOCKETS,
    ...RATINGS,
    ...RATES,
    ...ROLES,
    ...BLANKS,
    ...NAMES,
    ...filingCarriers(today),
  ];
}

const STATUS: readonly EdgeCarrier[] = [
  { name: "ACTIVE PLAIN FREIGHT LLC" },
  { name: "INACTIVE PLAIN FREIGHT LLC", columns: { STATUS_CODE: "I", DOCKET1_STATUS_CODE: "I" } },
  { name: "INACTIVE WITH ACTIVE DOCKET INC", columns: { STATUS_CODE: "I" } },
  {
    name: "PENDING TRANSPORTES SA DE CV",
    columns: {
      STATUS_CODE: "P",
      PHY_COUNTRY: "MX",
      PHY_STATE: "TA",
      PHY_CITY: "NUEVO LAREDO",
      DOCKET1PREFIX: "MX",
      DOCKET1_STATUS_CODE: "P",
    },
  },
  { name: "ONCE REVOKED HAULING INC", columns: { PRIOR_REVOKE_FLAG: "Y" } },
  {
    name: "ABSURD FLEET INACTIVE CO",
    columns: {
      STATUS_CODE: "I",
      POWER_UNITS: "599994",
      TRUCK_UNITS: "599994",
      TOTAL_DRIVERS: "110113",
      FLEETSIZE: "Z",
    },
  },
];

const NO_DOCKET = { DOCKET1PREFIX: "", DOCKET1: "", DOCKET1_STATUS_CODE: "" } as const;

const DOCKETS: readonly EdgeCarrier[] = [
  { name: "DOCKET ACTIVE TRUCKING LLC" },
  { name: "DOCKET INACTIVE TRUCKING LLC", columns: { DOCKET1_STATUS_CODE: "I" } },
  { name: "DOCKET PENDING TRUCKING LLC", columns: { DOCKET1_STATUS_CODE: "P" } },
  { name: "DOCKET WITHOUT STATUS TRUCKING LLC", columns: { DOCKET1_STATUS_CODE: "" } },
  { name: "NO DOCKET FOR HIRE TRUCKING LLC", columns: NO_DOCKET },
  { name: "NO DOCKET PRIVATE BAKERY INC", columns: { ...NO_DOCKET, CLASSDEF: "PRIVATE PROPERTY" } },
  {
    name: "DOCKET TWICE TRUCKING LLC",
    columns: {
      DOCKET1: "9800001",
      DOCKET2PREFIX: "MC",
      DOCKET2: "9800001",
      DOCKET2_STATUS_CODE: "I",
    },
  },
  {
    name: "DOCKET INACTIVE BEFORE ACTIVE LLC",
    columns: {
      DOCKET1_STATUS_CODE: "I",
      DOCKET2PREFIX: "MC",
      DOCKET2: "9800002",
      DOCKET2_STATUS_CODE: "A",
    },
  },
  {
    name: "DOCKETS IN ALL SLOTS INC",
    columns: {
      DOCKET1PREFIX: "FF",
      DOCKET1: "980003",
      DOCKET2PREFIX: "MX",
      DOCKET2: "9800003",
      DOCKET2_STATUS_CODE: "I",
      DOCKET3PREFIX: "MC",
      DOCKET3: "9800003",
      DOCKET3_STATUS_CODE: "A",
    },
  },
  {
    name: "SHARED DOCKET INACTIVE INC",
    columns: { DOCKET1: "9800004", DOCKET1_STATUS_CODE: "I", STATUS_CODE: "I" },
  },
  { name: "SHARED DOCKET ACTIVE INC", columns: { DOCKET1: "9800004" } },
  {
    name: "SHARED DOCKET OLDER FILING INC",
    columns: { DOCKET1: "9800004", MCS150_DATE: "20210105" },
  },
];

const RATINGS: readonly EdgeCarrier[] = [
  rated("SATISFACTORY", "S", "20240611"),
  rated("CONDITIONAL", "C", "20250228"),
  rated("UNSATISFACTORY", "U", "20260120"),
  rated("SATISFACTORY LONG AGO", "S", "19861128"),
  rated("SATISFACTORY WITHOUT DATE", "S", ""),
  { name: "NOT RATED LOGISTICS INC" },
];

const RATES: readonly EdgeCarrier[] = [
  {
    name: "MUCH ABOVE AVERAGE OOS LLC",
    inspections: [{ count: 60, level: "1", vehicleOos: 35, driverOos: 15 }],
  },
  { name: "MUCH BELOW AVERAGE OOS LLC", inspections: [{ count: 80, level: "1", vehicleOos: 2 }] },
  { name: "NO FINDINGS IN MANY INSPECTIONS LLC", inspections: [{ count: 40, level: "2" }] },
  {
    name: "SMALL SAMPLE ALL OOS LLC",
    inspections: [{ count: 2, level: "1", vehicleOos: 2, driverOos: 2 }],
  },
  { name: "SMALL SAMPLE CLEAN LLC", inspections: [{ count: 1, level: "3" }] },
  { name: "NEVER INSPECTED LLC" },
  { name: "DRIVER INSPECTIONS ONLY LLC", inspections: [{ count: 30, level: "3", driverOos: 6 }] },
  { name: "VEHICLE INSPECTIONS ONLY LLC", inspections: [{ count: 30, level: "5", vehicleOos: 3 }] },
  {
    name: "SPECIAL LEVELS ONLY LLC",
    inspections: [{ count: 3, level: "4" }, { count: 2, level: "99" }],
  },
  {
    name: "RADIOACTIVE LEVEL 6 LLC",
    inspections: [{ count: 12, level: "6", hazmat: "Y", hazmatOos: 1 }],
  },
  {
    name: "HAZMAT ABOVE AVERAGE LLC",
    columns: { HM_Ind: "Y" },
    inspections: [{ count: 25, level: "1", hazmat: "Y", hazmatOos: 8, vehicleOos: 4 }, {
      count: 5,
      level: "2",
      hazmat: "N",
    }],
  },
  {
    name: "INSPECTED ONLY LONG AGO LLC",
    inspections: [{
      count: 3,
      level: "1",
      vehicleOos: 1,
      days: ["2023-11-02", "2024-02-29", "2024-09-30"],
    }],
  },
  {
    name: "INSPECTED ON THE WINDOW EDGES LLC",
    inspections: [{
      count: 5,
      level: "1",
      days: ["2024-10-02", "2024-10-03", "2024-10-04", "2026-10-02", "2026-10-03"],
    }],
  },
];

const ROLES: readonly EdgeCarrier[] = [
  {
    name: "BROKER ONLY LOGISTICS LLC",
    columns: {
      CARSHIP: "B",
      CARRIER_OPERATION: "",
      CLASSDEF: "",
      POWER_UNITS: "0",
      TRUCK_UNITS: "0",
      TOTAL_DRIVERS: "0",
      FLEETSIZE: "0",
    },
  },
  { name: "BROKER AND CARRIER LLC", columns: { CARSHIP: "C;B" } },
  {
    name: "FREIGHT FORWARDER ONLY INC",
    columns: {
      CARSHIP: "F",
      CARRIER_OPERATION: "",
      DOCKET1PREFIX: "FF",
      DOCKET1: "980005",
      POWER_UNITS: "0",
      TRUCK_UNITS: "0",
    },
  },
  { name: "INTERMODAL EQUIPMENT PROVIDER INC", columns: { CARSHIP: "I", CARRIER_OPERATION: "" } },
  {
    name: "SHIPPER ONLY CHEMICALS INC",
    columns: { ...NO_DOCKET, CARSHIP: "S", CARRIER_OPERATION: "" },
  },
  {
    name: "INTRASTATE GRAVEL LLC",
    columns: { ...NO_DOCKET, CARRIER_OPERATION: "C", CLASSDEF: "PRIVATE PROPERTY" },
  },
  {
    name: "INTRASTATE PROPANE LLC",
    columns: { ...NO_DOCKET, CARRIER_OPERATION: "B", HM_Ind: "Y" },
  },
  { name: "CARGO TANK HAZMAT INC", columns: { CARSHIP: "C;T", HM_Ind: "Y" } },
  {
    name: "CHURCH VAN",
    columns: {
      ...NO_DOCKET,
      CLASSDEF: "PRIVATE PASSENGER, NON-BUSINESS",
      BUS_UNITS: "1",
      TRUCK_UNITS: "0",
      POWER_UNITS: "1",
    },
  },
  {
    name: "EXEMPT FOR HIRE FARM",
    columns: { ...NO_DOCKET, CLASSDEF: "OTHER-APPLYING FOR MC;EXEMPT FOR HIRE" },
  },
  { name: "UCR BRACKET OF 1001 UNITS INC", columns: units("1001") },
  { name: "UCR BRACKET OF 1000 UNITS INC", columns: units("1000") },
  { name: "UCR BRACKET OF 100 UNITS INC", columns: units("100") },
  { name: "UCR BRACKET OF 21 UNITS INC", columns: units("21") },
  { name: "UCR BRACKET OF 20 UNITS INC", columns: units("20") },
  { name: "UCR BRACKET OF 3 UNITS INC", columns: units("3") },
];

const BLANKS: readonly EdgeCarrier[] = [
  { name: "BLANK OPERATION LLC", columns: { CARRIER_OPERATION: "" } },
  { name: "BLANK UNITS LLC", columns: units("") },
  { name: "BLANK DRIVERS LLC", columns: { TOTAL_DRIVERS: "" } },
  { name: "BLANK CITY AND STATE LLC", columns: { PHY_CITY: "", PHY_STATE: "", PHY_ZIP: "" } },
  { name: "BLANK ROLES AND CLASSES LLC", columns: { CARSHIP: "", CLASSDEF: "" } },
  { name: "BLANK FILING DATE LLC", columns: { MCS150_DATE: "" } },
  { name: "OLD STYLE FILING DATE LLC", columns: { MCS150_DATE: "20250328 1657" } },
  { name: "", columns: { DBA_NAME: "ONLY A TRADE NAME" } },
];

const NAMES: readonly EdgeCarrier[] = [
  { name: "<script>alert(1)</script> FREIGHT" },
  { name: "\u202EDESREVER TRUCKING\u202C \u200FRIGHT-TO-LEFT MARK" },
  { name: '=HYPERLINK("https://example.invalid/","CLICK") HAULING' },
  { name: "+1-CMD|'/C CALC'!A0 EXPRESS" },
  { name: "' OR '1'='1 TRUCKING; DROP TABLE CARRIERS--" },
  { name: LONG.padEnd(101, "X") },
  {
    name: "CAMIONES PEÑA Y MUÑOZ SA DE CV",
    columns: { PHY_CITY: "CIUDAD JUÁREZ", PHY_STATE: "CI", PHY_COUNTRY: "MX" },
  },
  {
    name: "TRANSPORT BÉLANGER ET FRÈRES LTÉE",
    columns: { PHY_CITY: "MONTRÉAL", PHY_STATE: "QC", PHY_COUNTRY: "CA" },
  },
  { name: "CAFE\u0301 WITH A COMBINING ACCENT" },
  { name: "🚚 NOT IN THE BASIC PLANE MOVERS" },
  { name: "DOUBLE  SPACED   TRUCKING  LLC" },
  { name: "SMITH, JONES & O'BRIEN/DOE, INC." },
  { name: "L L C SPELLED TRUCKING L L C", columns: { DBA_NAME: "A-1 24/7 #1 HAULING" } },
  { name: '"QUOTED" FREIGHT "LINES"' },
];

function rated(word: string, code: string, date: string): EdgeCarrier {
  const reviewed = compactDay(dayOf("2023-05-04"));
  return {
    name: `RATED ${word} CARRIERS INC`,
    columns: {
      SAFETY_RATING: code,
      SAFETY_RATING_DATE: date,
      REVIEW_TYPE: "C",
      REVIEW_DATE: date || reviewed,
    },
  };
}

function units(count: string): Record<string, string> {
  return { POWER_UNITS: count, TRUCK_UNITS: count, TOTAL_DRIVERS: count };
}
