/**
 * The snapshot of the bundled sample, for a first look without the regulator's files.
 *
 * @module
 */

import { build, type BuildOutcome } from "../build/build.ts";
import { SYSTEM_CLOCK } from "../clock.ts";
import { writeSample } from "./sample.ts";

/**
 * Writes the sample's files into `<dir>/files` and builds them into `dir`. Run again it changes nothing.
 */
export async function buildSample(dir: string): Promise<BuildOutcome> {
  const { census, inspections, dataDate, notice } = await writeSample(`${dir}/files`);
  return await build({ census, inspections, out: dir, dataDate, notice, clock: SYSTEM_CLOCK });
}
