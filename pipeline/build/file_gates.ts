/**
 * Gates that need nothing but the two files: all there are for a first build.
 *
 * @module
 */

import { daysFrom, type Gate, type Paths, percentOf } from "./gates.ts";
import type { BuildReport, FileReport } from "./report.ts";

/** The gates of both files. `whole` says whether a file's last line has a line end. */
export function fileGates(
  report: BuildReport,
  { paths, whole }: { paths: Paths; whole: Record<keyof Paths, boolean> },
): Gate[] {
  return [
    ...rowGates("census", { file: report.census, path: paths.census, whole: whole.census }),
    ...censusGates(report, paths.census),
    ...rowGates("inspections", {
      file: report.inspections,
      path: paths.inspections,
      whole: whole.inspections,
    }),
    newestInspection(report, paths.inspections),
  ];
}

function rowGates(
  role: keyof Paths,
  { file, path, whole }: { file: FileReport; path: string; whole: boolean },
): Gate[] {
  const { rows, accepted, rejected, problems } = file;
  const reasons = problems.filter(({ treatment }) => treatment === "rejected")
    .map(({ reason, count }) => `${reason} ${count}`).join(", ");
  return [
    {
      name: `${role}_cut_short`,
      measured: whole ? 0 : 1,
      unit: "files",
      bound: { max: 0 },
      broken: `${path} does not end with a line end: it was probably cut short in row ${rows}`,
    },
    {
      name: `${role}_usable`,
      measured: accepted,
      unit: "rows",
      bound: { min: 1 },
      broken: `${path} holds no row that can be used`,
    },
    {
      name: `${role}_rejected`,
      measured: percentOf(rejected, rows),
      unit: "%",
      bound: { max: 0.1 },
      broken: `${path}: ${rejected} of ${rows} rows were rejected: ${reasons}`,
    },
  ];
}

function censusGates(report: BuildReport, path: string): Gate[] {
  const { census, distributions, null_rates } = report;
  const twice = census.problems.find(({ reason }) => reason === "duplicate_usdot_number");
  const active = distributions.status.find(([status]) => status === "A")?.[1] ?? 0;
  return [
    {
      name: "census_duplicates",
      measured: percentOf(twice?.count ?? 0, census.rows),
      unit: "%",
      bound: { max: 0.05 },
      broken: `${path}: ${twice?.count} rows repeat the USDOT number of another row`,
    },
    {
      name: "census_names_blank",
      measured: null_rates.legal_name ?? 0,
      unit: "%",
      bound: { max: 5 },
      broken: `${path}: LEGAL_NAME is blank too often`,
    },
    {
      name: "census_active",
      measured: percentOf(active, census.accepted),
      unit: "%",
      bound: { min: 10 },
      broken: `${path}: only ${active} of ${census.accepted} carriers are active in STATUS_CODE`,
    },
  ];
}

function newestInspection({ data_date, inspections }: BuildReport, path: string): Gate {
  const { newest } = inspections;
  return {
    name: "inspections_newest",
    // A window without an inspection is two years behind.
    measured: newest === undefined ? 731 : daysFrom(newest, data_date),
    unit: "days",
    // The regulator's own file has been 63 days behind (July 2026).
    bound: { max: 90 },
    broken: newest === undefined
      ? `${path} holds no inspection of the 24 months up to ${data_date}`
      : `${path}: the newest inspection is of ${newest}, long before the data date ${data_date}`,
  };
}
