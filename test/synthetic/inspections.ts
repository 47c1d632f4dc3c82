/**
 * Rows of the synthetic Vehicle Inspection File. Carriers are inspected about as often as in the real file, and
 * put out of service at about the national rates. As there, totals sometimes don't add up. Streets stay empty.
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
import { clockTime, compactDay, csvCell, RowWriter } from "./format.ts";
import type { Place } from "./places.ts";
import { type DatasetPlan, DAYS_COVERED, dotOf, firstInspection, PADDING } from "./plan.ts";
import { Choice, quantile, type Quantiles, Random } from "./random.ts";
import { weightedBelow } from "./words.ts";

const STREAM = { slots: 9, row: 11, lean: 12 } as const;
const FIRST_ID = 79_000_000;

const LEVEL = new Choice(weightedBelow("levels"));

/** Days from the inspection to its upload: most within days, a few after weeks. */
const UPLOAD_LAG: Quantiles = [[0, 0], [0.6, 3], [0.9, 12], [0.99, 45], [1, 150]];

/** Values that are the same in every row. */
const CONSTANT = Object.entries({
  CI_STATUS_CODE: "C",
  CENSUS_SOURCE_ID: 5,
  SNET_VERSION_NUMBER: "4.2.0.1",
  ALCOHOL_CONTROL_SUB: "N",
  DRUG_INTRDCTN_SEARCH: "N",
  DRUG_INTRDCTN_ARRESTS: 0,
  LOCAL_ENF_JURISDICTION: "U",
  PEN_CEN_MATCH: "I",
  INSP_COLONIA: PADDING,
  UPLOAD_FIRST_BYTE: 0,
  DOCKET_NUMBER: 0,
});

/** An inspection row under construction. */
interface InspectionDraft {
  row: RowWriter;
  plan: DatasetPlan;
  random: Random;
  /** A row of day 0. */
  position: number;
  carrier: CarrierFacts;
  home: Place;
}

/** Returns the inspection line at an index of the file, with its line feed. */
export function inspectionLines(plan: DatasetPlan): (index: number) => string {
  const row = new RowWriter(INSPECTION_COLUMNS);
  const carriers = planInspections(plan);
  const first = firstInspection(plan);
  return (index) => {
    const position = first + index;
    const owner = carriers[position % carriers.length]!;
    const random = new Random().restart(plan.seed, position, STREAM.row);
    const carrier = carrierFacts(plan, owner);
    const home = carrierPlace(plan, owner);
    const draft = { row, plan, random, position, carrier, home };
    const level = carrier.buses > 0 && random.chance(0.5) ? "5" : LEVEL.pick(random);
    const hazmat = carrier.hazmat && random.chance(0.35) ? (random.chance(0.6) ? "Y" : "N") : "";
    fillFindings(draft, level, hazmat !== "");
    fillWhenAndWhere(draft);
    fillCarrier(draft);
    for (const [column, value] of CONSTANT) row.set(column, value);
    row.set("INSP_LEVEL_ID", level);
    row.set("HAZMAT_PLACARD_REQ", hazmat);
    if (hazmat === "Y" && random.chance(0.3)) row.set("CARGO_TANK", "Y");
    row.set("INSP_FACILITY", random.chance(0.55) ? "R" : "F");
    row.set("SIZE_WEIGHT_ENF", random.chance(0.3) ? "Y" : "N");
    row.set("TRAFFIC_ENF", random.chance(0.25) ? "Y" : "N");
    row.set("POST_ACC_IND", random.chance(0.011) ? "Y" : "N");
    row.set("GROSS_COMB_VEH_WT", 10_000 + 500 * random.below(140));
    row.set("SNET_SEQUENCE_ID", 100_000 + position);
    row.set("TRANSACTION_CODE", random.chance(0.93) ? "A" : "C");
    row.set("INSP_INTERSTATE", random.chance(carrier.operation === "A" ? 0.86 : 0.3) ? "Y" : "N");
    return row.take();
  };
}

function fillWhenAndWhere({ row, plan, random, position, home }: InspectionDraft): void {
  const share = position / plan.inspections;
  const first = plan.today - DAYS_COVERED;
  const uploaded = Math.floor(first + 1 + share * (DAYS_COVERED - 1));
  const lag = Math.floor(quantile(UPLOAD_LAG, random.unit()));
  const inspected = Math.max(first, uploaded - lag - 1);
  const minute = 300 + random.below(960);
  const changed = `${compactDay(uploaded)} ${clockTime(1260 + random.below(60))}`;
  row.set("CHANGE_DATE", changed);
  row.set("INSPECTION_ID", FIRST_ID + position + Math.floor(position / 9));
  row.set("INSP_DATE", compactDay(inspected));
  row.set("INSP_START_TIME", clockTime(minute));
  row.set("INSP_END_TIME", clockTime(minute + 8 + random.below(60)));
  row.set("FINAL_STATUS_DATE", changed);
  row.set("CENSUS_SEARCH_DATE", changed);
  row.set("MCMIS_ADD_DATE", changed);
  row.set("TRANSACTION_DATE", `${compactDay(uploaded - 1)} 0000`);
  row.set("UPLOAD_DATE", `${compactDay(uploaded)} 0000`);
  row.set("SNET_INPUT_DATE", `${compactDay(inspected)} 0000`);

  const away = random.chance(0.5);
  const place = away ? carrierPlace(plan, random.below(plan.carriers)) : home;
  const { city, state, county } = place.country === "US"
    ? place
    : { city: "LAREDO", state: "TX", county: "479" };
  row.set("REPORT_STATE", state);
  row.set("REPORT_NUMBER", String(1_000_000_000 + position).slice(1).padStart(10, "0"));
  row.set("REGION", random.chance(0.5) ? "PD" : "HP");
  if (random.chance(0.3)) row.set("LOCATION", `SC${10 + random.below(90)}`);
  row.set("LOCATION_DESC", `${city} ${state}`);
  row.set("COUNTY_CODE_STATE", state);
  row.set("COUNTY_CODE", county);
  row.set("SERVICE_CENTER", ["WE", "MW", "SO", "EA"][state.charCodeAt(1) % 4]!);
  row.set("SOURCE_OFFICE", `1D${state}00${1 + random.below(9)}`);
}

function fillCarrier({ row, plan, random, carrier, home }: InspectionDraft): void {
  const names = carrierNames(plan, carrier.index, home);
  let name = random.chance(0.12) && names.dba !== "" ? names.dba : names.legal;
  if (random.chance(0.15)) name = name.replace(/[ ,]+(LLC|INC\.?|CORP|CO)$/, "");
  if (random.chance(0.03)) name = name.slice(0, 25).trimEnd();
  // A leased truck carries another carrier's name.
  if (random.chance(0.012)) {
    const other = random.below(plan.carriers);
    name = carrierNames(plan, other, carrierPlace(plan, other)).legal;
  }
  const odd = random.unit();
  const after = (): number => dotOf(plan, plan.carriers - 1) + 1 + random.below(60_000);
  const dot = odd < 0.0006
    ? ""
    : odd < 0.0015
    ? "0"
    : String(odd < 0.004 ? Math.min(99_999_999, after()) : carrier.dot);
  row.set("DOT_NUMBER", dot);
  row.set("UPLOAD_DOT_NUMBER", dot.padStart(8, "0"));
  row.set("INSP_CARRIER_NAME", csvCell(name));
  row.set("INSP_CARRIER_CITY", home.city);
  row.set("INSP_CARRIER_STATE", home.state);
  row.set("INSP_CARRIER_ZIP_CODE", home.zip);
}

/** Violations, and how many of them are out of service. */
interface Findings {
  violations: number;
  outOfService: number;
}

const VEHICLE_LEVELS = "1256";
const DRIVER_LEVELS = "1236";
const NATIONAL = { vehicle: 0.2226, driver: 0.0667, hazmat: 0.0444 } as const;

/** Sets the eight totals, at the national rates times a factor of the carrier. */
function fillFindings(
  { row, plan, random, carrier }: InspectionDraft,
  level: string,
  withHazmat: boolean,
): void {
  const unit = new Random().restart(plan.seed, carrier.index, STREAM.lean).unit();
  const lean = quantile([[0, 0.2], [0.5, 0.8], [0.9, 1.7], [1, 3.2]], unit);
  const looksAt = (levels: string): boolean => level.length === 1 && levels.includes(level);
  const draw = (looked: boolean, rate: number): Findings =>
    looked ? drawFindings(random, rate * lean) : { violations: 0, outOfService: 0 };
  const vehicle = draw(looksAt(VEHICLE_LEVELS), NATIONAL.vehicle);
  const driver = draw(looksAt(DRIVER_LEVELS), NATIONAL.driver);
  const kinds = { DRIVER: driver, VEHICLE: vehicle, HAZMAT: draw(withHazmat, NATIONAL.hazmat) };
  const sum = (of: keyof Findings): number =>
    Object.values(kinds).reduce((total, kind) => total + kind[of], 0);
  // The real file has totals over empty parts (inspection 82915718), and OOS without a violation.
  row.set("VIOL_TOTAL", sum("violations") + (random.chance(0.012) ? 1 + random.below(4) : 0));
  row.set("OOS_TOTAL", sum("outOfService"));
  if (vehicle.outOfService > 0 && random.chance(0.002)) vehicle.violations = 0;
  for (const [kind, { violations, outOfService }] of Object.entries(kinds)) {
    row.set(`${kind}_VIOL_TOTAL`, violations);
    row.set(`${kind}_OOS_TOTAL`, outOfService);
  }
}

function drawFindings(random: Random, rate: number): Findings {
  if (random.chance(Math.min(0.95, rate))) {
    const outOfService = 1 + (random.chance(0.3) ? random.below(3) : 0);
    return { violations: outOfService + random.below(4), outOfService };
  }
  return { violations: random.chance(0.3 + rate / 2) ? 1 + random.below(3) : 0, outOfService: 0 };
}

/** The maximum share of all inspections of one carrier (26,709 of 8.2 million). */
const LARGEST_SHARE = 0.00326;

/**
 * The carrier index of every inspection, in file order: 4 bytes an inspection, so 33 MB for the plan.
 * Every carrier that is inspected at all appears at least once if there are enough inspections.
 */
function planInspections(plan: DatasetPlan): Uint32Array {
  const slots = new Uint32Array(plan.inspections);
  const inspected: number[] = [];
  const weights: number[] = [];
  for (let index = 0; index < plan.carriers && slots.length > 0; index++) {
    const weight = Math.fround(inspectionWeight(plan, carrierFacts(plan, index)));
    if (weight === 0) continue;
    inspected.push(index);
    weights.push(weight);
  }
  if (inspected.length === 0) return slots;
  const once = slots.length >= 2 * inspected.length ? 1 : 0;
  const spread = slots.length - once * inspected.length;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const limit = Math.max(1, Math.floor(LARGEST_SHARE * slots.length));
  let at = 0;
  let cumulative = 0;
  let given = 0;
  for (const [i, index] of inspected.entries()) {
    cumulative += weights[i]!;
    const upTo = Math.round((spread * cumulative) / total);
    const count = Math.min(limit, once + upTo - given);
    given = upTo;
    slots.fill(index, at, at + count);
    at += count;
  }
  // The inspections above the limit are distributed, one to each carrier.
  for (let i = 0; at < slots.length; i++) slots[at++] = inspected[i % inspected.length]!;
  const random = new Random().restart(plan.seed, 0, STREAM.slots);
  for (let i = slots.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [slots[i], slots[j]] = [slots[j]!, slots[i]!];
  }
  return slots;
}
