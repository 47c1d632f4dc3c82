/**
 * Input schemas of USDOT and MC numbers.
 *
 * @module
 */

import { z } from "zod";
import { explainNumber, NUMBER_PATTERN } from "../../pipeline/fmcsa/number_text.ts";

export { NUMBER_PATTERN, parseDot, parseMc, show } from "../../pipeline/fmcsa/number_text.ts";

/** Input schema of a USDOT number: a string in, a number out. */
export const dotInput = numberInput("USDOT number", "295017");

/** Input schema of an MC number: a string in, a number out. */
export const mcInput = numberInput("MC number", "143229");

function numberInput(what: string, example: string) {
  const error = (issue: { input?: unknown }): string => explainNumber(issue.input, what);
  return z.string({ error })
    .regex(NUMBER_PATTERN, { error, abort: true })
    .refine((text) => Number(text) !== 0, { error })
    .describe(`${what}: 1 to 8 digits, leading zeros allowed, not 0`)
    .meta({ example })
    .transform(Number);
}
