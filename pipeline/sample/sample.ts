/**
 * Builds a snapshot of the bundled sample, to try the service without downloading FMCSA's 5 GB.
 *
 * @module
 */

import { gunzipSync } from "node:zlib";
import { build, type BuildOutcome } from "../compile/build.ts";
import { BaselineError } from "../audit/comparison.ts";
import { GateError } from "../audit/gates.ts";
import { addDays, compactDay, isoDay } from "../dates.ts";
import { orUndefined } from "../io.ts";
import { POINTER_PATH } from "../snapshot/paths.ts";

/** The lowest USDOT number of a synthetic carrier; every real one is lower. */
export const FIRST_SYNTHETIC_DOT = 90_000_000;

/** Suffix of every synthetic name. */
export const NAME_NOTE = "(SYNTHETIC SAMPLE)";

/** Data dates of the chain's snapshots. Only the last one has a search index. */
const DAYS = ["2026-09-29", "2026-09-30", "2026-10-01", "2026-10-02", "2026-10-03"];

const NOTICE =
  `Sample data: carriers numbered ${FIRST_SYNTHETIC_DOT} and up are synthetic (their names end in ` +
  `"${NAME_NOTE}"), and so are their inspections, orders and changes. The others are real rows of FMCSA's census file, ` +
  "copied in 2026: they may be out of date, and the sample has no inspections for them.";

/**
 * Builds a chain of five days into `dir`, and leaves the last day's source files in `<dir>/files`. A second run
 * changes nothing.
 */
export async function buildSample(dir: string): Promise<BuildOutcome> {
  await Deno.mkdir(`${dir}/files`, { recursive: true });
  const inspections = `${dir}/files/vehicle_inspection.csv`;
  await writeFile(inspections, "inspections", await listedRows("inspections"));
  const last = DAYS.at(-1)!;
  if (await orUndefined(Deno.lstat(`${dir}/${POINTER_PATH}`)) !== undefined) {
    const again = await buildDay(dir, last).catch((error) => {
      if (!(error instanceof GateError || error instanceof BaselineError)) throw error;
    });
    if (again?.isNew === false) return again;
    // The folder has a sample from another version of this program, which the new chain does not continue.
    await Deno.remove(`${dir}/${POINTER_PATH}`);
  }
  for (const day of DAYS.slice(0, -1)) await buildDay(dir, day);
  return await buildDay(dir, last);
}

async function buildDay(dir: string, day: string): Promise<BuildOutcome> {
  const census = `${dir}/files/company_census.csv`;
  await writeFile(census, "census", await censusOf(day));
  const orders = `${dir}/files/out_of_service_orders.csv`;
  await Deno.writeTextFile(orders, await ordersOf(day));
  return await build({
    census,
    inspections: `${dir}/files/vehicle_inspection.csv`,
    orders,
    out: dir,
    dataDate: day,
    notice: NOTICE,
    first: true,
    search: day === DAYS.at(-1),
    // A fixed clock, so that the sample builds whatever this machine's clock says.
    clock: { now: () => Date.parse(day) },
  });
}

/** The first columns of a census row: two dates, `STATUS_CODE`, `DOT_NUMBER`, all unquoted. */
const CENSUS_ROW = /^[^,]*,[^,]*,(?<status>[^,]*),(?<dot>\d+),/;

/** The rows of census.csv with its header, as they were on a day. */
async function censusOf(day: string): Promise<string> {
  const [header, ...rows] = (await listedRows("census")).trimEnd().split("\n");
  const [, ...earlier] = (await listedRows("earlier_census")).trimEnd().split("\n");
  const byDot = new Map(rows.map((row) => [CENSUS_ROW.exec(row)!.groups!.dot!, row]));
  // Each line of earlier_census.csv starts with the day on which its row was replaced, in ascending order for each
  // carrier. A row without a status means that the carrier was not in the census.
  for (const line of earlier.toReversed()) {
    const [until, row] = [line.slice(0, day.length), line.slice(day.length + 1)];
    if (until <= day) continue;
    const { dot, status } = CENSUS_ROW.exec(row)!.groups!;
    if (status === "") byDot.delete(dot!);
    else byDot.set(dot!, row);
  }
  return [header, ...byDot.values(), ""].join("\n");
}

/** Days by which FMCSA's file of orders lags the census. */
const ORDERS_BEHIND = 2;

/** The rows of orders.csv with its header, as they were on a day. The cells up to the date are unquoted. */
async function ordersOf(day: string): Promise<string> {
  const newest = isoDay(addDays(compactDay(day), -ORDERS_BEHIND));
  const [header, ...rows] = (await listedRows("orders")).trimEnd().split("\n");
  return [header, ...rows.filter((row) => row.split(",")[3]! <= newest), ""].join("\n");
}

async function listedRows(
  name: "census" | "earlier_census" | "inspections" | "orders",
): Promise<string> {
  return await Deno.readTextFile(new URL(`./${name}.csv`, import.meta.url));
}

/** Writes the given rows with their header, then the bundled background rows. */
async function writeFile(
  path: string,
  role: "census" | "inspections",
  listed: string,
): Promise<void> {
  const zipped = await Deno.readFile(new URL(`./background_${role}.csv.gz`, import.meta.url));
  const part = `${path}.part`;
  await Deno.writeTextFile(part, listed);
  await Deno.writeFile(part, gunzipSync(zipped), { append: true });
  await Deno.rename(part, path);
}
