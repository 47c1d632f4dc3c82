/**
 * The snapshot of the bundled sample, for a first look without the regulator's files.
 *
 * @module
 */

import { build, type BuildOptions, type BuildOutcome } from "../compile/build.ts";
import { BaselineError } from "../compile/baseline.ts";
import { GateError } from "../compile/gates.ts";
import { SYSTEM_CLOCK } from "../clock.ts";
import { writeSample } from "./sample.ts";

/**
 * Writes the sample's files into `<dir>/files` and builds them into `dir`. Run again it changes nothing.
 */
export async function buildSample(dir: string): Promise<BuildOutcome> {
  const { census, inspections, dataDate, notice } = await writeSample(`${dir}/files`);
  const options: BuildOptions = {
    census,
    inspections,
    out: dir,
    dataDate,
    notice,
    first: true,
    clock: SYSTEM_CLOCK,
  };
  return await build(options).catch(async (error) => {
    if (!(error instanceof GateError || error instanceof BaselineError)) throw error;
    // The folder has the sample of another version of this program, which is not to be compared with.
    await Deno.remove(`${dir}/current.json`);
    return await build(options);
  });
}
