/**
 * The six checks, in the order of every answer.
 *
 * @module
 */
import type { CheckInput } from "./checks/input.ts";
import { checkMcs150 } from "./checks/mcs150.ts";
import { checkOosRates } from "./checks/oos_rates.ts";
import { checkOperatingAuthority } from "./checks/operating_authority.ts";
import { checkSafetyRating } from "./checks/safety_rating.ts";
import { checkUcr } from "./checks/ucr.ts";
import { checkUsdotStatus } from "./checks/usdot_status.ts";
import type { Check } from "./schemas.ts";

/** Runs the six checks: `usdot_status`, `mcs150`, `operating_authority`, `safety_rating`, `oos_rates`, `ucr`. */
export function runChecks(input: CheckInput): Check[] {
  return [
    checkUsdotStatus(input),
    checkMcs150(input),
    checkOperatingAuthority(input),
    checkSafetyRating(input),
    checkOosRates(input),
    checkUcr(input),
  ];
}

/** The number of checks that need a look: those in state `warn` or `bad`. */
export function countIssues(checks: readonly Check[]): number {
  let issues = 0;
  for (const { state } of checks) if (state === "warn" || state === "bad") issues++;
  return issues;
}
