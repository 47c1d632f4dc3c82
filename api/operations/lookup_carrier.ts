/**
 * GET /api/v1/carriers/{dot}: one carrier with its compliance checks.
 *
 * @module
 */

import { z } from "zod";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import { formatForPeople } from "../rules/calendar.ts";
import { toCarrier } from "../rules/carrier.ts";
import { Carrier } from "../rules/schemas.ts";
import { ServiceError } from "./errors.ts";
import { dotInput } from "./numbers.ts";
import { lookupOperation, type OperationContext } from "./operation.ts";

/** Looks one carrier up by USDOT number. */
export const lookupCarrier = lookupOperation({
  id: "lookupCarrier",
  method: "GET",
  path: "/api/v1/carriers/{dot}",
  summary: "Look up one carrier",
  description:
    "Census data, six compliance checks and a 24-month inspection summary of one USDOT number, from one dated snapshot of FMCSA's public files.",
  input: z.object({ dot: dotInput }),
  parameters: { dot: { in: "path", code: "invalid_dot_number" } },
  output: Carrier,
  errors: ["invalid_dot_number", "not_found", "upstream_unavailable"],
  run({ dot }, context) {
    return readCarrier(dot, context);
  },
});

/**
 * The Carrier of a USDOT number, the same wherever it is asked for. Errors of the snapshot pass.
 *
 * @throws {ServiceError} `not_found`.
 */
export async function readCarrier(
  dot: number,
  { snapshot, today, baseUrl }: OperationContext & { snapshot: Snapshot },
): Promise<Carrier> {
  const record = await snapshot.carrier(dot);
  if (record === null) {
    throw new ServiceError(
      "not_found",
      `Cannot find USDOT number ${dot}: not in FMCSA's census of ${
        formatForPeople(snapshot.manifest.data_date)
      }`,
      { snapshotId: snapshot.id },
    );
  }
  return toCarrier(record, { today, baseUrl, snapshot });
}
