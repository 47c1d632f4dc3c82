/**
 * GET /api/v1/mcs150-due-date: the schedule of a USDOT number, without any data.
 *
 * @module
 */

import { z } from "zod";
import { mcs150DueDate as dueDate } from "../rules/mcs150.ts";
import { Mcs150 } from "../rules/schemas.ts";
import { dotInput } from "./numbers.ts";
import { calculationOperation } from "./operation.ts";

/** Calculates when the biennial update of a USDOT number is due. */
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
    return dueDate(dot, today);
  },
});
