/**
 * Every operation of the service, in the order to list them.
 *
 * @module
 */

import { health } from "./health.ts";
import { lookupCarrier } from "./lookup_carrier.ts";
import { lookupMc } from "./lookup_mc.ts";
import { matchCarrier } from "./match.ts";
import { mcs150DueDate } from "./mcs150_due_date.ts";
import { batchCarriers } from "./batch_carriers.ts";
import { createJob, getJob } from "./jobs.ts";
import type { Operation } from "./operation.ts";
import { searchCarriers } from "./search_carriers.ts";
import { ucrFee } from "./ucr_fee.ts";

/** Operations that one call answers: routes, tools and descriptions are made from this table. */
export const OPERATIONS: readonly Operation[] = [
  lookupCarrier,
  searchCarriers,
  lookupMc,
  mcs150DueDate,
  ucrFee,
  matchCarrier,
];

/** Operations that tell of the service: no tools, since no question about a carrier leads to them. */
export const SERVICE_OPERATIONS: readonly Operation[] = [health];

/** Operations on many carriers: HTTP only, since a body, a key or a job goes with them. */
export const BULK_OPERATIONS = [batchCarriers, createJob, getJob] as const;
