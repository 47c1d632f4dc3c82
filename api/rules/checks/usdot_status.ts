/**
 * The registration status of the USDOT number. It says nothing about compliance: a number with an
 * MCS-150 of 2010 was active in 2026.
 *
 * @module
 */
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";
import type { Check, CheckState } from "../schemas.ts";
import { censusBasis, type CheckInput } from "./input.ts";

interface Verdict {
  state: CheckState;
  says: string;
  next: string;
}

const VERDICTS: Readonly<Record<CarrierRecord["status"], Verdict>> = {
  A: {
    state: "ok",
    says: "active",
    next: "Active means that the number is in use. It does not show compliance, insurance, " +
      "operating authority or the absence of an out-of-service order; look those up on SAFER.",
  },
  I: {
    state: "bad",
    says: "inactive",
    next: "An inactive number must be reactivated before the carrier operates under it. The file " +
      "does not show why it is inactive; confirm on SAFER before you tender a load.",
  },
  P: {
    state: "warn",
    says: "pending",
    next: "A pending number belongs to an application that is not decided, usually of a carrier " +
      "domiciled in Mexico. Confirm on SAFER that it became active before you tender a load.",
  },
};

/** `ok` when active, `bad` when inactive, `warn` when pending. */
export function checkUsdotStatus(input: CheckInput): Check {
  const { state, says, next } = VERDICTS[input.record.status];
  return {
    id: "usdot_status",
    label: "USDOT number",
    state,
    detail: `The census of ${input.dataDay} lists this USDOT number as ${says}. ${next}`,
    basis: censusBasis(input),
  };
}
