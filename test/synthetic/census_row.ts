/**
 * Rows of the synthetic Company Census File. Phones, officers, streets and e-mail addresses stay empty:
 * nobody's contact data is invented. Rates are those of the real file.
 *
 * @module
 */

import { carrierFacts, carrierNames, carrierPlace } from "./carrier.ts";
import { type Country, PADDING } from "./plan.ts";
import { csvCell } from "./csv_line.ts";
import { clockTime, compactDay, dayOf } from "./days.ts";
import { drawDockets } from "./dockets.ts";
import { fillCargo, fillEquipment, fleetSizeCode, type SetColumn } from "./fleet_columns.ts";
import { fillDrivers, fillHistory, type Row } from "./census_history.ts";
import { filingDay } from "./filing.ts";
import { CENSUS_HEADER, columnPositions } from "./headers.ts";
import { applyLastChange } from "./later_days.ts";
import type { Place } from "./places.ts";
import { Choice, quantile, type Quantiles, Random } from "./random.ts";

const AT = columnPositions(CENSUS_HEADER);
const STREAM = 10;

/** USDOT numbers as a share of today's highest, and the day they were given out. */
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

const CLASSES = new Choice<string>([
  ["AUTHORIZED FOR HIRE", 43.9],
  ["PRIVATE PROPERTY", 30.2],
  ["PRIVATE PROPERTY;AUTHORIZED FOR HIRE", 4.4],
  ["EXEMPT FOR HIRE", 3.5],
  ["AUTHORIZED FOR HIRE;EXEMPT FOR HIRE", 3.2],
  ["", 3.7],
  ["PRIVATE PASSENGER, BUSINESS", 0.6],
  ["PRIVATE PASSENGER, NON-BUSINESS", 0.5],
  ["PRIVATE PROPERTY;PRIVATE PASSENGER, NON-BUSINESS;EXEMPT FOR HIRE", 0.3],
  ["FEDERAL GOVERNMENT", 0.1],
  ["STATE GOVERNMENT", 0.2],
  ["LOCAL GOVERNMENT", 0.7],
  ["U.S. MAIL", 0.4],
  ["OTHER-APPLYING FOR MC", 0.2],
  ["OTHER-HOUSEHOLD GOODS;PRIVATE PROPERTY;AUTHORIZED FOR HIRE", 0.1],
  ["PRIVATE PROPERTY;EXEMPT FOR HIRE", 4.5],
  ["AUTHORIZED FOR HIRE;PRIVATE PROPERTY;EXEMPT FOR HIRE", 3.5],
]);

const ROLES = new Choice<string>([
  ["C", 86],
  ["B", 4.5],
  ["C;S", 2.4],
  ["C;B", 2.6],
  ["R", 1.2],
  ["S", 0.8],
  ["C;T", 0.6],
  ["C;T;S", 0.2],
  ["F", 0.4],
  ["B;F", 0.4],
  ["C;B;F", 0.2],
  ["I", 0.1],
  ["", 0.6],
]);

const DOCKET_COLUMNS = [1, 2, 3].map((slot) =>
  [`DOCKET${slot}PREFIX`, `DOCKET${slot}`, `DOCKET${slot}_STATUS_CODE`] as const
);

/** The census line of the carrier at an index, with its line feed. `cells` is reused from row to row. */
export function censusLine(country: Country, index: number, cells: string[]): string {
  const random = new Random().restart(country.seed, index, STREAM);
  const carrier = carrierFacts(country, index);
  cells.fill("", 0, CENSUS_HEADER.length);
  if (country.padded) {
    cells.fill("0", AT.OWNTRUCK, (AT.TRPLIMO_16 as number) + 1);
    cells[AT.PHY_BARRIO as number] = cells[AT.MAIL_BARRIO as number] = PADDING;
  }
  const set: SetColumn = (column, value) => {
    cells[AT[column] as number] = typeof value === "number" ? String(value) : value;
  };
  const added = addedDay(country, index);
  const place = carrierPlace(country, index);
  const names = carrierNames(country, index, place);

  const row: Row = { country, carrier, random, added };
  set("MCS150_DATE", writtenFilingDay(row));
  set("ADD_DATE", compactDay(added));
  set("STATUS_CODE", carrier.status);
  set("DOT_NUMBER", carrier.dot);
  set("LEGAL_NAME", csvCell(names.legal));
  set("DBA_NAME", csvCell(names.dba));
  set("CARRIER_OPERATION", carrier.operation);
  set("CARSHIP", carrier.operation === "" && random.chance(0.5) ? "B" : ROLES.pick(random));
  set("CLASSDEF", csvCell(CLASSES.pick(random)));
  set("HM_Ind", carrier.hazmat ? "Y" : "N");

  set("PHY_CITY", place.city);
  set("PHY_STATE", place.state);
  set("PHY_COUNTRY", place.country);
  set("PHY_ZIP", writtenZip(place, random, 0.12));
  set("PHY_CNTY", place.county);
  set("CARRIER_MAILING_CITY", place.city);
  set("CARRIER_MAILING_STATE", place.state);
  set("CARRIER_MAILING_COUNTRY", place.country);
  set("CARRIER_MAILING_ZIP", writtenZip(place, random, 0.3));
  set("CARRIER_MAILING_CNTY", place.county);
  set("PHY_OMC_REGION", String(1 + (place.state.charCodeAt(0) % 10)).padStart(2, "0"));
  set("SAFETY_INV_TERR", "ABCDEFIJ"[random.below(8)] as string);
  if (random.chance(0.009)) set("UNDELIV_PHY", "U");
  if (random.chance(0.02)) {
    set("CARRIER_MAILING_UND_DATE", compactDay(country.today - random.below(4000)));
  }

  set("TRUCK_UNITS", carrier.trucks);
  set("BUS_UNITS", carrier.buses);
  if (!random.chance(0.004)) set("POWER_UNITS", carrier.powerUnits);
  set("FLEETSIZE", fleetSizeCode(carrier.powerUnits));
  fillEquipment(set, carrier, random);
  fillCargo(set, carrier, random);
  fillDrivers(set, row);
  fillHistory(set, row);

  const slots = drawDockets(country, carrier, { random, mexican: place.country === "MX" });
  slots.forEach((slot, i) => {
    const [prefix, number, status] = DOCKET_COLUMNS[i] as readonly [string, string, string];
    set(prefix, slot.prefix);
    set(number, slot.number);
    set(status, slot.status);
  });
  applyLastChange(set, row);
  return cells.join(",") + "\n";
}

/** The newest numbers were given out between the last knot and today. */
function addedDay(country: Country, index: number): number {
  const share = index / country.carriers;
  const [lastShare, lastDay] = ADDED[ADDED.length - 1] as readonly [number, number];
  if (share < lastShare) return Math.floor(quantile(ADDED, share));
  const recent = (share - lastShare) / (1 - lastShare);
  return Math.floor(lastDay + (country.today - lastDay) * recent);
}

function writtenZip(place: Place, random: Random, plusFour: number): string {
  if (place.country !== "US" || !random.chance(plusFour)) return place.zip;
  return `${place.zip}-${1000 + random.below(9000)}`;
}

function writtenFilingDay(row: Row): string {
  const { country, carrier, random, added } = row;
  const day = filingDay(country, carrier, { random, added });
  if (day === null) return "";
  const old = country.mcs150Times === "old" ||
    (country.mcs150Times === "mixed" && random.chance(0.25));
  if (!old) return compactDay(day);
  return `${compactDay(day)} ${random.chance(0.5) ? "0000" : clockTime(random.below(1440))}`;
}
