/**
 * Rows of the synthetic Vehicle Inspection File: about the national rates, with the file's habit of totals
 * that do not add up. Streets stay empty.
 *
 * @module
 */

import { type CarrierFacts, carrierFacts, carrierNames, carrierPlace } from "./carrier.ts";
import { type Country, dotOf, PADDING } from "./plan.ts";
import { csvCell } from "./csv_line.ts";
import { clockTime, compactDay } from "./days.ts";
import { columnPositions, INSPECTION_HEADER } from "./headers.ts";
import type { Place } from "./places.ts";
import { Choice, quantile, type Quantiles, Random } from "./random.ts";
import { drawFindings, type Findings } from "./findings.ts";

const AT = columnPositions(INSPECTION_HEADER);
const STREAM = 11;
const FIRST_ID = 79_000_000;
/** The file reaches back three years. */
const DAYS_COVERED = 1_095;

const LEVEL = new Choice<string>([
  ["1", 29],
  ["2", 34],
  ["3", 32],
  ["5", 3.4],
  ["4", 0.9],
  ["6", 0.05],
  ["99", 0.03],
]);

/** Days from the inspection to its upload: most within days, a few after weeks. */
const UPLOAD_LAG: Quantiles = [[0, 0], [0.6, 3], [0.9, 12], [0.99, 45], [1, 150]];

/** The inspection line at a place in the file, with its line feed. `cells` is reused from row to row. */
export function inspectionLine(
  country: Country,
  position: number,
  options: { carrier: number; cells: string[] },
): string {
  const { cells } = options;
  const random = new Random().restart(country.seed, position, STREAM);
  const carrier = carrierFacts(country, options.carrier);
  const home = carrierPlace(country, options.carrier);
  cells.fill("", 0, INSPECTION_HEADER.length);
  const set = (column: string, value: string | number): void => {
    cells[AT[column] as number] = typeof value === "number" ? String(value) : value;
  };
  const level = carrier.buses > 0 && random.chance(0.5) ? "5" : LEVEL.pick(random);
  const hazmat = carrier.hazmat && random.chance(0.35) ? (random.chance(0.6) ? "Y" : "N") : "";
  const findings = drawFindings(random, {
    level,
    hazmat: hazmat !== "",
    lean: leaning(country, carrier),
  });

  fillWhenAndWhere(set, country, { random, position, home });
  fillCarrier(set, country, { random, carrier, home });
  set("INSP_LEVEL_ID", level);
  set("HAZMAT_PLACARD_REQ", hazmat);
  if (hazmat === "Y" && random.chance(0.3)) set("CARGO_TANK", "Y");
  set("CI_STATUS_CODE", "C");
  set("CENSUS_SOURCE_ID", 5);
  set("INSP_FACILITY", random.chance(0.55) ? "R" : "F");
  set("SNET_VERSION_NUMBER", "4.2.0.1");
  set("ALCOHOL_CONTROL_SUB", "N");
  set("DRUG_INTRDCTN_SEARCH", "N");
  set("DRUG_INTRDCTN_ARRESTS", 0);
  set("SIZE_WEIGHT_ENF", random.chance(0.3) ? "Y" : "N");
  set("TRAFFIC_ENF", random.chance(0.25) ? "Y" : "N");
  set("LOCAL_ENF_JURISDICTION", "U");
  set("PEN_CEN_MATCH", "I");
  set("POST_ACC_IND", random.chance(0.011) ? "Y" : "N");
  set("GROSS_COMB_VEH_WT", 10_000 + 500 * random.below(140));
  fillFindings(set, findings);
  set("SNET_SEQUENCE_ID", 100_000 + position);
  set("TRANSACTION_CODE", random.chance(0.93) ? "A" : "C");
  if (country.padded) set("INSP_COLONIA", PADDING);
  set("UPLOAD_FIRST_BYTE", 0);
  set("DOCKET_NUMBER", 0);
  set("INSP_INTERSTATE", random.chance(carrier.operation === "A" ? 0.86 : 0.3) ? "Y" : "N");
  return cells.join(",") + "\n";
}

type SetColumn = (column: string, value: string | number) => void;

/** A carrier is better or worse than the average all the time: a factor around 1. */
function leaning(country: Country, carrier: CarrierFacts): number {
  const unit = new Random().restart(country.seed, carrier.index, 12).unit();
  return quantile([[0, 0.2], [0.5, 0.8], [0.9, 1.7], [1, 3.2]], unit);
}

function fillWhenAndWhere(
  set: SetColumn,
  country: Country,
  row: { random: Random; position: number; home: Place },
): void {
  const { random, position, home } = row;
  const share = position / country.inspections;
  const first = country.today - DAYS_COVERED;
  const uploaded = Math.floor(first + 1 + share * (DAYS_COVERED - 1));
  const lag = Math.floor(quantile(UPLOAD_LAG, random.unit()));
  const inspected = Math.max(first, uploaded - lag - 1);
  const minute = 300 + random.below(960);
  const changed = `${compactDay(uploaded)} ${clockTime(1260 + random.below(60))}`;
  set("CHANGE_DATE", changed);
  set("INSPECTION_ID", FIRST_ID + position + Math.floor(position / 9));
  set("INSP_DATE", compactDay(inspected));
  set("INSP_START_TIME", clockTime(minute));
  set("INSP_END_TIME", clockTime(minute + 8 + random.below(60)));
  set("FINAL_STATUS_DATE", changed);
  set("CENSUS_SEARCH_DATE", changed);
  set("MCMIS_ADD_DATE", changed);
  set("TRANSACTION_DATE", `${compactDay(uploaded - 1)} 0000`);
  set("UPLOAD_DATE", `${compactDay(uploaded)} 0000`);
  set("SNET_INPUT_DATE", `${compactDay(inspected)} 0000`);

  const away = random.chance(0.5);
  const place = away ? carrierPlace(country, random.below(country.carriers)) : home;
  const state = place.country === "US" ? place : { city: "LAREDO", state: "TX", county: "479" };
  set("REPORT_STATE", state.state);
  set("REPORT_NUMBER", String(1_000_000_000 + position).slice(1).padStart(10, "0"));
  set("REGION", random.chance(0.5) ? "PD" : "HP");
  if (random.chance(0.3)) set("LOCATION", `SC${10 + random.below(90)}`);
  set("LOCATION_DESC", `${state.city} ${state.state}`);
  set("COUNTY_CODE_STATE", state.state);
  set("COUNTY_CODE", state.county);
  set("SERVICE_CENTER", ["WE", "MW", "SO", "EA"][state.state.charCodeAt(1) % 4] as string);
  set("SOURCE_OFFICE", `1D${state.state}00${1 + random.below(9)}`);
}

function fillCarrier(
  set: SetColumn,
  country: Country,
  row: { random: Random; carrier: CarrierFacts; home: Place },
): void {
  const { random, carrier, home } = row;
  const names = carrierNames(country, carrier.index, home);
  let name = random.chance(0.12) && names.dba !== "" ? names.dba : names.legal;
  if (random.chance(0.15)) name = name.replace(/[ ,]+(LLC|INC\.?|CORP|CO)$/, "");
  if (random.chance(0.03)) name = name.slice(0, 25).trimEnd();
  const odd = random.unit();
  let dot = String(carrier.dot);
  if (odd < 0.0006) dot = "";
  else if (odd < 0.0015) dot = "0";
  else if (odd < 0.004) {
    dot = String(
      Math.min(99_999_999, dotOf(country, country.carriers - 1) + 1 + random.below(60_000)),
    );
  }
  set("DOT_NUMBER", dot);
  set("UPLOAD_DOT_NUMBER", dot.padStart(8, "0"));
  set("INSP_CARRIER_NAME", csvCell(name));
  set("INSP_CARRIER_CITY", home.city);
  set("INSP_CARRIER_STATE", home.state);
  set("INSP_CARRIER_ZIP_CODE", home.zip);
}

function fillFindings(set: SetColumn, findings: Findings): void {
  set("VIOL_TOTAL", findings.violations);
  set("OOS_TOTAL", findings.outOfService);
  set("DRIVER_VIOL_TOTAL", findings.driver.violations);
  set("DRIVER_OOS_TOTAL", findings.driver.outOfService);
  set("VEHICLE_VIOL_TOTAL", findings.vehicle.violations);
  set("VEHICLE_OOS_TOTAL", findings.vehicle.outOfService);
  set("HAZMAT_VIOL_TOTAL", findings.hazmat.violations);
  set("HAZMAT_OOS_TOTAL", findings.hazmat.outOfService);
}
