/**
 * GET /api/v1/mcs150-due-date and GET /api/v1/ucr-fee: answers from the rules alone, without data.
 *
 * @module
 */

import { z } from "zod";
import { schedule } from "../rules/mcs150.ts";
import { Mcs150, UcrFee } from "../rules/schemas.ts";
import { DEFAULT_UCR_YEAR, UCR_YEARS, ucrFee as feeOf } from "../rules/ucr.ts";
import { dotInput, show } from "./numbers.ts";
import { calculationOperation } from "./operation.ts";

export const mcs150DueDate = calculationOperation({
  id: "mcs150DueDate",
  method: "GET",
  path: "/api/v1/mcs150-due-date",
  summary: "Calculate the MCS-150 due date",
  description:
    "When the biennial update of a USDOT number is due by the published schedule. A pure calculation: the number need not exist, and whether an update was filed is not looked up.",
  input: z.object({ dot: dotInput }),
  parameters: { dot: { in: "query", code: "invalid_dot_number" } },
  output: Mcs150,
  errors: ["invalid_dot_number"],
  run({ dot }, { today }) {
    return schedule(dot, today);
  },
});

/** 15 digits: the most that HTTP reads as a number. */
const MAX_VEHICLES = 10 ** 15 - 1;

const vehicles = z.int({ error: explainVehicles })
  .min(0, { error: explainVehicles })
  .max(MAX_VEHICLES, { error: explainVehicles })
  .describe("Commercial motor vehicles, 0 or more; trailers do not count")
  .meta({ example: 4 });

const year = z.literal(UCR_YEARS, { error: explainYear })
  .default(DEFAULT_UCR_YEAR)
  .describe("Registration year")
  .meta({ example: DEFAULT_UCR_YEAR });

export const ucrFeeOperation = calculationOperation({
  id: "ucrFee",
  method: "GET",
  path: "/api/v1/ucr-fee",
  summary: "Look up the UCR fee for a fleet size",
  description:
    "Bracket and fee of the Unified Carrier Registration for a number of commercial motor vehicles, from the official fee table. No public file shows whether a carrier has registered.",
  input: z.object({ vehicles, year }),
  parameters: {
    vehicles: { in: "query", integer: true, code: "invalid_vehicles" },
    year: { in: "query", integer: true, code: "invalid_year" },
  },
  output: UcrFee,
  errors: ["invalid_vehicles", "invalid_year"],
  run(input) {
    return feeOf(input);
  },
});

function explainVehicles({ input: value }: { input?: unknown }): string {
  if (value === undefined) return "Cannot read vehicles: it is missing";
  if (typeof value === "number" && value < 0) {
    return `Cannot use ${show(value)} vehicles: less than 0`;
  }
  return `Cannot parse vehicles ${show(value)}: not a whole number of at most 15 digits`;
}

function explainYear({ input: value }: { input?: unknown }): string {
  return `Cannot use year ${show(value)}: the years are ${UCR_YEARS.join(" and ")}`;
}
