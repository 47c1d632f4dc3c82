/**
 * What to do next, once for each verdict that a check can give.
 *
 * @module
 */

import {
  DATAQS,
  type Place,
  REGISTRATION,
  SAFER,
  UCR,
} from "../../../api/discovery/official_places.ts";
import type { CheckId, CheckState } from "../../../api/rules/schemas.ts";

/** What to do, and where. */
export interface NextStep {
  text: string;
  places: readonly Place[];
}

/** By check and state; a state that the check never gives is absent. */
export const NEXT_STEPS: Readonly<Record<CheckId, Partial<Record<CheckState, NextStep>>>> = {
  usdot_status: {
    ok: {
      text: "Look again on the day you tender a load: a status can change overnight.",
      places: [SAFER],
    },
    warn: {
      text: "Tendering a load: wait until SAFER shows the number as active.",
      places: [SAFER],
    },
    bad: {
      text: "Tendering a load: wait until SAFER shows the number as active. Your own number: " +
        "reactivate it before you operate.",
      places: [SAFER, REGISTRATION],
    },
  },
  mcs150: {
    ok: { text: "Nothing to do before the deadline below.", places: [] },
    warn: {
      text:
        "Your own number: file the update, also when nothing has changed. Somebody else's: ask " +
        "when it filed last.",
      places: [REGISTRATION],
    },
    bad: {
      text:
        "Your own number: file the update now, also when nothing has changed. Somebody else's: " +
        "ask for proof that it has filed since.",
      places: [REGISTRATION],
    },
    info: {
      text: "Your own number: if in doubt, file. Somebody else's: ask when it filed last.",
      places: [REGISTRATION],
    },
  },
  operating_authority: {
    warn: {
      text: "Tendering a load: find its authority in the official record first.",
      places: [SAFER, REGISTRATION],
    },
    info: {
      text: "If the load needs authority, find it in the official record first.",
      places: [SAFER, REGISTRATION],
    },
  },
  safety_rating: {
    ok: { text: "Mind the date of the rating, and read the inspections below.", places: [] },
    warn: { text: "Ask what was corrected since the review.", places: [SAFER] },
    bad: {
      text: "Do not tender a load unless the official record shows a newer rating.",
      places: [SAFER],
    },
    info: { text: "Read the inspections below instead.", places: [] },
  },
  oos_rates: {
    ok: { text: "Mind the counts below: few inspections say little.", places: [] },
    warn: {
      text: "Ask what was found and what was changed. Your own record: a wrong inspection can be " +
        "disputed.",
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
