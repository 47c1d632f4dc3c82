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
import STEPS from "../../content/next_steps.json" with { type: "json" };

interface NextStep {
  text: string;
  places: readonly OfficialSource[];
}

const BY_CHECK: Readonly<
  Record<CheckId, Partial<Record<CheckState, { text: string; places: string[] }>>>
> = STEPS;

/** The next step of a check, undefined where there is nothing to do. */
export function nextStep(
  { dot, inspections_24m }: Carrier,
  { id, state }: Pick<Check, "id" | "state">,
): NextStep | undefined {
  const step = BY_CHECK[id][state];
  // It would point to inspections that the data lacks.
  const isMissing = id === "safety_rating" && state === "info" && inspections_24m === null;
  if (step === undefined || isMissing) return undefined;
  const sources: Readonly<Record<string, OfficialSource>> = {
    safer: saferOf(dot),
    registration: REGISTRATION,
    dataqs: DATAQS,
    ucr: UCR,
  };
  return { text: step.text, places: step.places.map((place) => sources[place]!) };
}
