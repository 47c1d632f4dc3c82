/**
 * Builds a snapshot of the bundled sample, for a first look without FMCSA's 5 GB.
 *
 * @module
 */

import { gunzipSync } from "node:zlib";
import { build, type BuildOptions, type BuildOutcome } from "../compile/build.ts";
import { BaselineError } from "../compile/comparison.ts";
import { GateError } from "../compile/gates.ts";

/** The lowest USDOT number of a synthetic carrier; every real one is lower. */
export const FIRST_SYNTHETIC_DOT = 90_000_000;

/** Ends every synthetic name. */
export const NAME_NOTE = "(SYNTHETIC SAMPLE)";

const DATA_DATE = "2026-10-03";

const NOTICE =
  `Sample data: carriers numbered ${FIRST_SYNTHETIC_DOT} and up are synthetic (their names end in ` +
  `"${NAME_NOTE}"), and so are their inspections. The others are real rows of FMCSA's census file, ` +
  "copied in 2026: they may be out of date, and the sample has no inspections for them.";

/** Builds the sample into `dir`, with the two source files in `<dir>/files`; run again it changes nothing. */
export async function buildSample(dir: string): Promise<BuildOutcome> {
  await Deno.mkdir(`${dir}/files`, { recursive: true });
  const options: BuildOptions = {
    census: await writeFile(`${dir}/files/company_census.csv`, "census"),
    inspections: await writeFile(`${dir}/files/vehicle_inspection.csv`, "inspections"),
    out: dir,
    dataDate: DATA_DATE,
    notice: NOTICE,
    first: true,
    // The sample builds whatever this machine's clock says.
    clock: { now: () => Date.parse(DATA_DATE) },
  };
  return await build(options).catch(async (error) => {
    if (!(error instanceof GateError || error instanceof BaselineError)) throw error;
    // The folder has the sample of another version of this program, which is not to be compared with.
    await Deno.remove(`${dir}/current.json`);
    return await build(options);
  });
}

/** Writes the listed rows, with their header, then the background rows; returns the path. */
async function writeFile(path: string, role: "census" | "inspections"): Promise<string> {
  const listed = await Deno.readFile(new URL(`./${role}.csv`, import.meta.url));
  const zipped = await Deno.readFile(new URL(`./background_${role}.csv.gz`, import.meta.url));
  const part = `${path}.part`;
  await Deno.writeFile(part, listed);
  await Deno.writeFile(part, gunzipSync(zipped), { append: true });
  await Deno.rename(part, path);
  return path;
}
