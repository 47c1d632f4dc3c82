/**
 * The hand-listed carriers of edge_carriers.ts as lines of the two files.
 *
 * @module
 */

import { csvLine } from "./csv_line.ts";
import { compactDay, dayOf } from "./days.ts";
import type { EdgeCarrier, EdgeInspections } from "./edge_carriers.ts";
import { fleetSizeCode } from "./fleet_columns.ts";
import { CENSUS_HEADER, INSPECTION_HEADER } from "./headers.ts";

/** What every line needs to know. */
export interface EdgeFrame {
  /** Day number of the data date. */
  today: number;
  /** A multiple of 100: each carrier gets the next number that has its ending. */
  firstDot: number;
  firstDocket: number;
  firstInspection: number;
  /** Set behind every name. */
  nameNote: string;
}

/** Census lines and inspection lines of the carriers. */
export function edgeLines(
  carriers: readonly EdgeCarrier[],
  frame: EdgeFrame,
): { census: string[]; inspections: string[] } {
  const census: string[] = [];
  const inspections: string[] = [];
  let dot = frame.firstDot;
  carriers.forEach((carrier, i) => {
    do dot++; while (carrier.ending !== undefined && !matchesEnding(dot, carrier.ending));
    census.push(censusLine(carrier, { dot, docket: frame.firstDocket + i, frame }));
    for (const group of carrier.inspections ?? []) {
      for (let n = 0; n < group.count; n++) {
        const id = frame.firstInspection + inspections.length;
        inspections.push(inspectionLine(carrier, group, { n, id, dot, frame }));
      }
    }
  });
  return { census, inspections };
}

// The schedule knows the parity of the tens digit, not the digit.
function matchesEnding(dot: number, ending: string): boolean {
  return dot % 10 === Number(ending[1]) && Math.floor(dot / 10) % 2 === Number(ending[0]);
}

function censusLine(
  carrier: EdgeCarrier,
  about: { dot: number; docket: number; frame: EdgeFrame },
): string {
  const { dot, docket, frame } = about;
  const { today, nameNote } = frame;
  const own = carrier.columns ?? {};
  const row: Record<string, string> = {
    MCS150_DATE: compactDay(today - 45),
    ADD_DATE: "20150602",
    STATUS_CODE: "A",
    CARRIER_OPERATION: "A",
    TRUCK_UNITS: "7",
    POWER_UNITS: "7",
    BUS_UNITS: "0",
    FLEETSIZE: fleetSizeCode(Number(own.POWER_UNITS ?? 7)),
    CARSHIP: "C",
    DOCKET1PREFIX: "MC",
    DOCKET1: String(docket),
    DOCKET1_STATUS_CODE: "A",
    TOTAL_DRIVERS: "9",
    HM_Ind: "N",
    CLASSDEF: "AUTHORIZED FOR HIRE",
    PHY_CITY: "SPRINGFIELD",
    PHY_STATE: "MO",
    PHY_COUNTRY: "US",
    PHY_ZIP: "65801",
    CRGO_GENFREIGHT: "X",
    ...own,
    DOT_NUMBER: String(dot),
    LEGAL_NAME: carrier.name === "" ? "" : `${carrier.name} ${nameNote}`,
    DBA_NAME: own.DBA_NAME === undefined ? "" : `${own.DBA_NAME} ${nameNote}`,
  };
  return csvLine(inOrder(CENSUS_HEADER, row));
}

function inspectionLine(
  carrier: EdgeCarrier,
  group: EdgeInspections,
  about: { n: number; id: number; dot: number; frame: EdgeFrame },
): string {
  const { n, id, dot, frame } = about;
  const listed = group.days?.[n];
  const day = listed === undefined
    ? frame.today - 5 - Math.floor((n * 690) / group.count)
    : dayOf(listed);
  const uploaded = `${compactDay(day + 2)} 0000`;
  const found = (limit: number | undefined): number => n < (limit ?? 0) ? 1 : 0;
  const vehicle = found(group.vehicleOos);
  const driver = found(group.driverOos);
  const hazmat = found(group.hazmatOos);
  const total = String(vehicle + driver + hazmat);
  return csvLine(inOrder(INSPECTION_HEADER, {
    CHANGE_DATE: uploaded,
    INSPECTION_ID: String(id),
    DOT_NUMBER: String(dot),
    REPORT_STATE: "MO",
    REPORT_NUMBER: String(id).padStart(10, "0"),
    INSP_DATE: compactDay(day),
    INSP_START_TIME: "0900",
    INSP_END_TIME: "0930",
    CI_STATUS_CODE: "C",
    LOCATION_DESC: "SPRINGFIELD MO",
    INSP_LEVEL_ID: group.level,
    HAZMAT_PLACARD_REQ: group.hazmat ?? "",
    POST_ACC_IND: "N",
    VIOL_TOTAL: total,
    OOS_TOTAL: total,
    DRIVER_VIOL_TOTAL: String(driver),
    DRIVER_OOS_TOTAL: String(driver),
    VEHICLE_VIOL_TOTAL: String(vehicle),
    VEHICLE_OOS_TOTAL: String(vehicle),
    HAZMAT_VIOL_TOTAL: String(hazmat),
    HAZMAT_OOS_TOTAL: String(hazmat),
    UPLOAD_DATE: uploaded,
    UPLOAD_DOT_NUMBER: String(dot).padStart(8, "0"),
    INSP_CARRIER_NAME: carrier.name,
    INSP_CARRIER_CITY: "SPRINGFIELD",
    INSP_CARRIER_STATE: "MO",
    DOCKET_NUMBER: "0",
    INSP_INTERSTATE: "Y",
  }));
}

function inOrder(header: readonly string[], row: Readonly<Record<string, string>>): string[] {
  const unknown = Object.keys(row).find((column) => !header.includes(column));
  if (unknown !== undefined) {
    throw new TypeError(`Cannot write column "${unknown}": not in the header`);
  }
  return header.map((column) => row[column] ?? "");
}
