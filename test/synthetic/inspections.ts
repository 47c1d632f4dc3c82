/**
 * Rows of the synthetic Vehicle Inspection File: who is inspected how often, and about the national
 * out-of-service rates, with the real file's habit of totals that do not add up. Streets stay empty.
 *
 * @module
 */

import { INSPECTION_COLUMNS } from "../../pipeline/fmcsa/columns.ts";
import {
  type CarrierFacts,
  carrierFacts,
  carrierNames,
  carrierPlace,
  inspectionWeight,
} from "./carrier.ts";
import { clockTime, columnPositions, compactDay, csvCell } from "./format.ts";
import type { SetColumn } from "./fleet.ts";
import type { Place } from "./places.ts";
import { type DatasetPlan, DAYS_COVERED, dotOf, PADDING } from "./plan.ts";
import { Choice, quantile, type Quantiles, Random } from "./random.ts";
import { weightedBelow } from "./words.ts";

const AT = columnPositions(INSPECTION_COLUMNS);
const STREAM = 11;
const FIRST_ID = 79_000_000;

const LEVEL = new Choice(weightedBelow("levels"));

/** Days from the inspection to its upload: most within days, a few after weeks. */
const UPLOAD_LAG: Quantiles = [[0, 0], [0.6, 3], [0.9, 12], [0.99, 45], [1, 150]];

/** The inspection line at a position in the file, with its line feed. `cells` is reused for every row. */
export function inspectionLine(
  plan: DatasetPlan,
  position: number,
  options: { carrier: number; cells: string[] },
): string {
  const { cells } = options;
  const random = new Random().restart(plan.seed, position, STREAM);
  const carrier = carrierFacts(plan, options.carrier);
  const home = carrierPlace(plan, options.carrier);
  cells.fill("", 0, INSPECTION_COLUMNS.length);
  const set = (column: string, value: string | number): void => {
    cells[AT[column] as number] = typeof value === "number" ? String(value) : value;
  };
  const level = carrier.buses > 0 && random.chance(0.5) ? "5" : LEVEL.pick(random);
  const hazmat = carrier.hazmat && random.chance(0.35) ? (random.chance(0.6) ? "Y" : "N") : "";
  fillFindings(set, random, { level, hazmat: hazmat !== "", lean: leaning(plan, carrier) });
  fillWhenAndWhere(set, plan, { random, position, home });
  fillCarrier(set, plan, { random, carrier, home });
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
  set("SNET_SEQUENCE_ID", 100_000 + position);
  set("TRANSACTION_CODE", random.chance(0.93) ? "A" : "C");
  if (plan.padded) set("INSP_COLONIA", PADDING);
  set("UPLOAD_FIRST_BYTE", 0);
  set("DOCKET_NUMBER", 0);
  set("INSP_INTERSTATE", random.chance(carrier.operation === "A" ? 0.86 : 0.3) ? "Y" : "N");
  return cells.join(",") + "\n";
}

/** A carrier is better or worse than the average all the time: a factor around 1. */
function leaning(plan: DatasetPlan, carrier: CarrierFacts): number {
  const unit = new Random().restart(plan.seed, carrier.index, 12).unit();
  return quantile([[0, 0.2], [0.5, 0.8], [0.9, 1.7], [1, 3.2]], unit);
}

function fillWhenAndWhere(
  set: SetColumn,
  plan: DatasetPlan,
  row: { random: Random; position: number; home: Place },
): void {
  const { random, position, home } = row;
  const share = position / plan.inspections;
  const first = plan.today - DAYS_COVERED;
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
  const place = away ? carrierPlace(plan, random.below(plan.carriers)) : home;
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
  plan: DatasetPlan,
  row: { random: Random; carrier: CarrierFacts; home: Place },
): void {
  const { random, carrier, home } = row;
  const names = carrierNames(plan, carrier.index, home);
  let name = random.chance(0.12) && names.dba !== "" ? names.dba : names.legal;
  if (random.chance(0.15)) name = name.replace(/[ ,]+(LLC|INC\.?|CORP|CO)$/, "");
  if (random.chance(0.03)) name = name.slice(0, 25).trimEnd();
  // A leased truck bears the name of another carrier.
  if (random.chance(0.012)) {
    const other = random.below(plan.carriers);
    name = carrierNames(plan, other, carrierPlace(plan, other)).legal;
  }
  const odd = random.unit();
  let dot = String(carrier.dot);
  if (odd < 0.0006) dot = "";
  else if (odd < 0.0015) dot = "0";
  else if (odd < 0.004) {
    dot = String(
      Math.min(99_999_999, dotOf(plan, plan.carriers - 1) + 1 + random.below(60_000)),
    );
  }
  set("DOT_NUMBER", dot);
  set("UPLOAD_DOT_NUMBER", dot.padStart(8, "0"));
  set("INSP_CARRIER_NAME", csvCell(name));
  set("INSP_CARRIER_CITY", home.city);
  set("INSP_CARRIER_STATE", home.state);
  set("INSP_CARRIER_ZIP_CODE", home.zip);
}

/** Violations, and how many of them put out of service. */
interface Findings {
  violations: number;
  outOfService: number;
}

const VEHICLE_LEVELS = "1256";
const DRIVER_LEVELS = "1236";
const NATIONAL = { vehicle: 0.2226, driver: 0.0667, hazmat: 0.0444 } as const;

/** Sets the eight totals. `lean` multiplies the national rates, `hazmat` says whether hazmat was on board. */
function fillFindings(
  set: SetColumn,
  random: Random,
  { level, hazmat, lean }: { level: string; hazmat: boolean; lean: number },
): void {
  const looksAt = (levels: string): boolean => level.length === 1 && levels.includes(level);
  const draw = (looked: boolean, rate: number): Findings =>
    looked ? drawFindings(random, rate * lean) : { violations: 0, outOfService: 0 };
  const vehicle = draw(looksAt(VEHICLE_LEVELS), NATIONAL.vehicle);
  const driver = draw(looksAt(DRIVER_LEVELS), NATIONAL.driver);
  const kinds = { DRIVER: driver, VEHICLE: vehicle, HAZMAT: draw(hazmat, NATIONAL.hazmat) };
  const sum = (of: keyof Findings): number =>
    Object.values(kinds).reduce((total, kind) => total + kind[of], 0);
  // The real file has totals over empty parts (inspection 82915718), and OOS without a violation.
  set("VIOL_TOTAL", sum("violations") + (random.chance(0.012) ? 1 + random.below(4) : 0));
  set("OOS_TOTAL", sum("outOfService"));
  if (vehicle.outOfService > 0 && random.chance(0.002)) vehicle.violations = 0;
  for (const [kind, { violations, outOfService }] of Object.entries(kinds)) {
    set(`${kind}_VIOL_TOTAL`, violations);
    set(`${kind}_OOS_TOTAL`, outOfService);
  }
}

function drawFindings(random: Random, rate: number): Findings {
  if (random.chance(Math.min(0.95, rate))) {
    const outOfService = 1 + (random.chance(0.3) ? random.below(3) : 0);
    return { violations: outOfService + random.below(4), outOfService };
  }
  return { violations: random.chance(0.3 + rate / 2) ? 1 + random.below(3) : 0, outOfService: 0 };
}

/** The share of all inspections the busiest carrier may have (26,709 of 8.2 million). */
const LARGEST_SHARE = 0.00326;

/**
 * The carrier index of every inspection, in file order: 4 bytes an inspection, so 33 MB for the plan.
 * Every carrier that is ever inspected appears at least once if there are inspections enough.
 */
export function planInspections(plan: DatasetPlan): Uint32Array {
  const slots = new Uint32Array(plan.inspections);
  if (slots.length === 0) return slots;
  const { inspected, weights } = weigh(plan);
  const once = slots.length >= 2 * inspected.length ? 1 : 0;
  const spread = slots.length - once * inspected.length;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const limit = Math.max(1, Math.floor(LARGEST_SHARE * slots.length));
  let at = 0;
  let cumulative = 0;
  let given = 0;
  for (let i = 0; i < inspected.length; i++) {
    cumulative += weights[i]!;
    const upTo = Math.round((spread * cumulative) / total);
    const count = Math.min(limit, once + upTo - given);
    given = upTo;
    slots.fill(inspected[i]!, at, at + count);
    at += count;
  }
  // What the limit cut off goes around, one each.
  for (let i = 0; at < slots.length; i++) slots[at++] = inspected[i % inspected.length]!;
  shuffle(slots, plan.seed);
  return slots;
}

function weigh(plan: DatasetPlan): { inspected: number[]; weights: number[] } {
  const inspected: number[] = [];
  const weights: number[] = [];
  for (let index = 0; index < plan.carriers; index++) {
    const weight = Math.fround(inspectionWeight(plan, carrierFacts(plan, index)));
    if (weight === 0) continue;
    inspected.push(index);
    weights.push(weight);
  }
  return inspected.length === 0 ? { inspected: [0], weights: [1] } : { inspected, weights };
}

function shuffle(slots: Uint32Array, seed: number): void {
  const random = new Random().restart(seed, 0, 9);
  for (let i = slots.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    const other = slots[j]!;
    slots[j] = slots[i]!;
    slots[i] = other;
  }
}
