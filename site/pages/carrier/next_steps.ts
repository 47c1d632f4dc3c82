/**
 * What to do next, for each verdict of a check.
 *
 * @module
 */

import {
  DATAQS,
  type OfficialSource,
  REGISTRATION,
  saferOf,
  UCR,
} from "../../../api/rules/official_sources.ts";
import type { Carrier, Check, CheckId, CheckState } from "../../../api/rules/schemas.ts";

interface NextStep {
  text: string;
  places: readonly OfficialSource[];
}

/** The next step of a check, undefined where there is nothing to do. */
export function nextStep(
  { dot, inspections_24m }: Carrier,
  { id, state }: Pick<Check, "id" | "state">,
): NextStep | undefined {
  const safer = saferOf(dot);
  const steps: Record<CheckId, Partial<Record<CheckState, NextStep>>> = {
    usdot_status: {
      ok: { text: "Check again on the day you tender a load.", places: [safer] },
      warn: {
        text: "Before you tender a load: wait until SAFER shows it as active.",
        places: [safer],
      },
      bad: {
        text:
          "Vetting this carrier? Wait until SAFER shows it as active. Your company? Reactivate " +
          "the number first.",
        places: [safer, REGISTRATION],
      },
    },
    mcs150: {
      ok: { text: "Nothing to do before the deadline.", places: [] },
      warn: {
        text: "Your company? File the update, even if nothing changed. Vetting this carrier? Ask " +
          "when it last filed.",
        places: [REGISTRATION],
      },
      bad: {
        text: "Your company? File the update now, even if nothing changed. Vetting this carrier? " +
          "Ask for proof of a newer filing.",
        places: [REGISTRATION],
      },
      info: {
        text: "Your company? If in doubt, file. Vetting this carrier? Ask when it last filed.",
        places: [REGISTRATION],
      },
    },
    operating_authority: {
      warn: {
        text: "Before you tender a load: find its authority in the official record.",
        places: [REGISTRATION, safer],
      },
      info: {
        text: "If the load needs authority, find it in the official record first.",
        places: [REGISTRATION, safer],
      },
    },
    safety_rating: {
      warn: { text: "Ask what it corrected since the review.", places: [safer] },
      bad: {
        text: "Don't tender a load unless the official record shows a newer rating.",
        places: [safer],
      },
      ...(inspections_24m === null
        ? {}
        : { info: { text: "Look at its roadside inspections instead.", places: [] } }),
    },
    oos_rates: {
      warn: {
        text: "Ask what was found and corrected. Your company? A wrong inspection can be disputed.",
        places: [DATAQS],
      },
      info: {
        text: "Ask the carrier for its own inspection and maintenance records.",
        places: [],
      },
    },
    ucr: {
      info: { text: "Ask for proof of registration, or look the number up.", places: [UCR] },
    },
  };
  return steps[id][state];
}
