/**
 * Rows of the synthetic Company Census File, at the rates of the real one. Officers, email addresses, cell
 * and fax numbers stay empty; phones and streets can't be anybody's.
 *
 * @module
 */

import { CENSUS_COLUMNS } from "../../pipeline/fmcsa/columns.ts";
import { mix } from "../../pipeline/mix.ts";
import { carrierFacts, carrierNames, carrierPlace, drawDockets } from "./carrier.ts";
import { fillContact, fillPlace } from "./contact.ts";
import {
  type CensusDraft,
  fillCargo,
  fillDrivers,
  fillEquipment,
  fillHistory,
  fleetSizeCode,
} from "./fleet.ts";
import { clockTime, compactDay, csvCell, dayOf, lastDayOfMonth, RowWriter } from "./format.ts";
import { drawPlace } from "./places.ts";
import { type DatasetPlan, PADDING } from "./plan.ts";
import { Choice, quantile, type Quantiles, Random } from "./random.ts";
import { weightedBelow } from "./words.ts";

const STREAM = { row: 10, changed: 30, kind: 31 } as const;

/** USDOT numbers as a share of the highest, and the day they were assigned. */
const ADDED: Quantiles = [
  [0, dayOf("1974-06-01")],
  [0.06, dayOf("1974-06-02")],
  [0.1, dayOf("1988-01-01")],
  [0.22, dayOf("2002-01-01")],
  [0.44, dayOf("2010-06-01")],
  [0.66, dayOf("2017-06-01")],
  [0.77, dayOf("2020-11-01")],
  [0.88, dayOf("2023-03-01")],
];

const CLASSES = new Choice(weightedBelow("classes"));
const ROLES = new Choice(weightedBelow("roles"));

/** Returns the census line of the carrier at an index, with its line feed. */
export function censusLines(plan: DatasetPlan): (index: number) => string {
  const row = new RowWriter(CENSUS_COLUMNS);
  return (index) => {
    const random = new Random().restart(plan.seed, index, STREAM.row);
    const carrier = carrierFacts(plan, index);
    const place = carrierPlace(plan, index);
    const names = carrierNames(plan, index, place);
    const draft = { row, plan, carrier, random, added: addedDay(plan, index) };
    row.set("PHY_BARRIO", PADDING);
    row.set("MAIL_BARRIO", PADDING);
    row.set("MCS150_DATE", drawFilingDate(draft));
    row.set("ADD_DATE", compactDay(draft.added));
    row.set("STATUS_CODE", carrier.status);
    row.set("DOT_NUMBER", carrier.dot);
    row.set("LEGAL_NAME", csvCell(names.legal));
    row.set("DBA_NAME", csvCell(names.dba));
    row.set("CARRIER_OPERATION", carrier.operation);
    const noRole = carrier.operation === "" && random.chance(0.5);
    row.set("CARSHIP", noRole ? "B" : ROLES.pick(random));
    row.set("CLASSDEF", csvCell(CLASSES.pick(random)));
    row.set("HM_Ind", carrier.hazmat ? "Y" : "N");
    fillContact(row, plan, { index, place });
    row.set("PHY_OMC_REGION", String(1 + (place.state.charCodeAt(0) % 10)).padStart(2, "0"));
    row.set("SAFETY_INV_TERR", "ABCDEFIJ"[random.below(8)]!);
    row.set("TRUCK_UNITS", carrier.trucks);
    row.set("BUS_UNITS", carrier.buses);
    if (!random.chance(0.004)) row.set("POWER_UNITS", carrier.powerUnits);
    row.set("FLEETSIZE", fleetSizeCode(carrier.powerUnits));
    fillEquipment(draft);
    fillCargo(draft);
    fillDrivers(draft);
    fillHistory(draft);
    const slots = drawDockets(plan, carrier, { random, mexican: place.country === "MX" });
    for (const [i, { prefix, number, status }] of slots.entries()) {
      row.set(`DOCKET${i + 1}PREFIX`, prefix);
      row.set(`DOCKET${i + 1}`, number);
      row.set(`DOCKET${i + 1}_STATUS_CODE`, status);
    }
    applyLastChange(draft);
    return row.take();
  };
}

/** The newest numbers were assigned between the last knot and today. */
function addedDay({ carriers, today }: DatasetPlan, index: number): number {
  const share = index / carriers;
  const [lastShare, lastDay] = ADDED.at(-1)!;
  if (share < lastShare) return Math.floor(quantile(ADDED, share));
  const recent = (share - lastShare) / (1 - lastShare);
  return Math.floor(lastDay + (today - lastDay) * recent);
}

function drawFilingDate(draft: CensusDraft): string {
  const { random } = draft;
  const day = filingDay(draft);
  if (day === null) return "";
  // FMCSA wrote a time after the day until August 2026; newer files have only the day.
  if (!random.chance(0.25)) return compactDay(day);
  return `${compactDay(day)} ${random.chance(0.5) ? "0000" : clockTime(random.below(1440))}`;
}

/** The share of carriers that change in a day. */
const CHANGED_A_DAY = 0.01;
/** Days since the last filing of carriers that missed a deadline. */
const LATE: Quantiles = [[0, 731], [0.5, 1_300], [0.8, 2_400], [0.95, 4_300], [1, 7_500]];
/** Days since the last filing of inactive carriers. */
const GONE: Quantiles = [[0, 60], [0.15, 900], [0.5, 3_000], [0.85, 6_000], [1, 9_500]];

/**
 * The day of the last filing; null where the file leaves it blank. Filings are due every two years, in the month
 * that the USDOT number's last digit gives. About four in ten active carriers are long overdue (41.6% on
 * 2026-05-11).
 */
function filingDay({ plan: { today }, carrier, random, added }: CensusDraft): number | null {
  const active = carrier.status === "A";
  if (random.chance(active ? 0.012 : 0.06)) return null;
  let day: number;
  if (!active) day = today - quantile(GONE, random.unit());
  else if (random.chance(0.458)) day = today - quantile(LATE, random.unit());
  else if (random.chance(0.75)) {
    day = lastDue(carrier.dot, today) - random.below(75) + random.below(20);
  } else day = today - random.below(731);
  return Math.floor(Math.min(today - 1, Math.max(day, added)));
}

/** The last day of the month within the last two years that the last two digits specify (49 CFR 390.19T(b)). */
function lastDue(dot: number, today: number): number {
  const month = dot % 10 === 0 ? 10 : dot % 10;
  const odd = Math.floor(dot / 10) % 2;
  let year = new Date(today * 86_400_000).getUTCFullYear();
  while (year % 2 !== odd || lastDayOfMonth(year, month) > today) year--;
  return lastDayOfMonth(year, month);
}

/** Overwrites the cells that changed since day 0, if any. */
function applyLastChange({ row, plan, carrier }: CensusDraft): void {
  const day = lastChange(plan, carrier.index);
  if (day === 0) return;
  const random = new Random().restart(plan.seed, carrier.index, STREAM.kind + 10 * day);
  const kind = random.unit();
  if (kind < 0.1) {
    row.set("STATUS_CODE", carrier.status === "A" ? "I" : "A");
  } else if (kind < 0.3) {
    const place = drawPlace(random);
    for (const prefix of ["PHY_", "CARRIER_MAILING_"]) fillPlace(row, prefix, place);
  } else {
    // As many carriers lose a truck as gain one.
    const turn = random.below(3) - 1;
    const units = Math.max(0, carrier.powerUnits + turn);
    row.set("MCS150_DATE", compactDay(plan.today + day - 1));
    row.set("TRUCK_UNITS", Math.max(0, carrier.trucks + turn));
    row.set("POWER_UNITS", units);
    row.set("TOTAL_DRIVERS", Math.max(0, carrier.drivers + turn));
    row.set("FLEETSIZE", fleetSizeCode(units));
  }
}

/** The last day up to the plan's on which a carrier changed; 0 when it never did. */
function lastChange({ seed, day }: DatasetPlan, index: number): number {
  for (let d = day; d > 0; d--) {
    if (mix(seed, index, STREAM.changed + 10 * d) < CHANGED_A_DAY * 2 ** 32) return d;
  }
  return 0;
}
