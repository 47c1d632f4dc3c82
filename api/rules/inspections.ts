/**
 * The inspections of a record as the API lists them: by month, state and level, and the latest ones
 * individually.
 *
 * @module
 */
import type { Manifest } from "../../pipeline/snapshot/manifest.ts";
import {
  INSPECTION_FLAG,
  type InspectionRow,
  type InspectionSummary,
  type InspectionSums,
  sumInspections,
  type Summed,
} from "../../pipeline/snapshot/record/record.ts";
import {
  addMonths,
  civilDay,
  type DayNumber,
  formatDate,
  parseDate,
} from "../../pipeline/dates.ts";
import type { Inspections24m, RoadsideInspection } from "./schemas.ts";

type InspectionLists = Pick<Inspections24m, "by_month" | "by_state" | "by_level" | "latest">;

/** What an inspection may find violations of. */
const INSPECTED = ["vehicle", "driver", "hazmat"] as const;

/** The lists of a summary; none for an older snapshot, whose records do not list single inspections. */
export function listInspections(
  { latest: rows, sums: stored }: InspectionSummary,
  window: Manifest["window"],
): InspectionLists {
  if (rows === undefined) return {};
  const end = parseDate(window.to);
  const latest = rows.map((row) => inspectionOf(row, end));
  const calendar = calendarMonths(window);
  const { months: monthly, states, levels } = stored ?? sumsOf(latest, calendar);
  const months = monthly.length < 2 * calendar.length ? rollingMonths(window) : calendar;
  return {
    by_month: months.map((month, i) => ({
      ...month,
      inspections: monthly[2 * i] ?? 0,
      out_of_service: monthly[2 * i + 1] ?? 0,
    })),
    by_state: triples(states).map(([state, inspections, out_of_service]) => ({
      state: String(state) || null,
      inspections,
      out_of_service,
    })),
    by_level: triples(levels).map(([level, inspections, out_of_service]) => ({
      level: Number(level) || null,
      inspections,
      out_of_service,
    })),
    latest,
  };
}

function inspectionOf(row: InspectionRow, end: number): RoadsideInspection {
  const [ago, state, level = 0, violations = 0, ...numbers] = row;
  const [vehicle, vehicleOos, driver, driverOos, hazmat, hazmatOos, flags = 0] = numbers;
  const found = (all = 0, outOfService = 0) => ({ violations: all, out_of_service: outOfService });
  return {
    date: formatDate(end - ago),
    state: state || null,
    level: level || null,
    violations,
    vehicle: found(vehicle, vehicleOos),
    driver: found(driver, driverOos),
    hazmat: found(hazmat, hazmatOos),
    hazmat_present: (flags & INSPECTION_FLAG.hazmat) !== 0,
    post_crash: (flags & INSPECTION_FLAG.postCrash) !== 0,
  };
}

type Month = Manifest["window"];

/** The calendar months of a window. The first and the last may be partial. */
function calendarMonths(window: Manifest["window"]): Month[] {
  const { day } = civilDay(parseDate(window.from));
  return monthsFrom(parseDate(window.from) - day + 1, window);
}

/** The months of older snapshots, each starting on the same day of the month as the window. */
function rollingMonths(window: Manifest["window"]): Month[] {
  return monthsFrom(parseDate(window.from), window);
}

function monthsFrom(start: DayNumber, { from, to }: Manifest["window"]): Month[] {
  const [first, end] = [parseDate(from), parseDate(to)];
  const months: Month[] = [];
  for (let i = 0; addMonths(start, i) <= end; i++) {
    months.push({
      from: formatDate(Math.max(first, addMonths(start, i))),
      to: formatDate(Math.min(end, addMonths(start, i + 1) - 1)),
    });
  }
  return months;
}

/** The sums that a record leaves out when all of its inspections are listed. */
function sumsOf(
  inspections: readonly RoadsideInspection[],
  months: readonly { to: string }[],
): InspectionSums {
  const summed = inspections.map((inspection): Summed => {
    const { date, state, level } = inspection;
    const isOut = outOfServiceIn(inspection).length > 0;
    return [months.findIndex(({ to }) => date <= to), state ?? "", level ?? 0, isOut];
  });
  return sumInspections(summed, months.length);
}

/** What an inspection found an out-of-service violation of. */
export function outOfServiceIn(
  inspection: Pick<RoadsideInspection, typeof INSPECTED[number]>,
): (typeof INSPECTED)[number][] {
  return INSPECTED.filter((kind) => inspection[kind].out_of_service > 0);
}

function triples<T extends string | number>(
  flat: readonly T[],
): [key: T, all: number, out: number][] {
  return Array.from(
    { length: flat.length / 3 },
    (_, i) => [flat[3 * i]!, Number(flat[3 * i + 1]), Number(flat[3 * i + 2])],
  );
}
