/**
 * The registration status of the USDOT number. It says nothing about compliance: a number with an
 * MCS-150 of 2010 was active in 2026.
 *
 * @module
 */
import type { Check } from "../schemas.ts";
import { census, censusBasis, type CheckInput } from "./input.ts";

const VERDICTS = {
  A: {
    state: "ok",
    says: "active",
    next: "Active means the number is in use. It doesn't show compliance, insurance, operating " +
      "authority or the absence of an out-of-service order; check those on SAFER.",
  },
  I: {
    state: "bad",
    says: "inactive",
    next: "The census doesn't say why. Confirm on SAFER before you tender a load.",
  },
  P: {
    state: "warn",
    says: "pending",
    next: "A pending number belongs to an application that is not decided, usually of a carrier " +
      "domiciled in Mexico. Confirm on SAFER that it became active before you tender a load.",
  },
} as const;

/** `ok` when active, `bad` when inactive, `warn` when pending. */
export function checkUsdotStatus(input: CheckInput): Check {
  const { state, says, next } = VERDICTS[input.record.status];
  return {
    id: "usdot_status",
    label: "USDOT number",
    state,
    detail: `Listed ${says} in ${census(input)}. ${next}`,
    basis: censusBasis(input),
  };
}
