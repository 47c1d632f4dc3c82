/**
 * Every operation of the service, in the order to list them.
 *
 * @module
 */

import { changeIndex } from "./changes.ts";
import { health } from "./health.ts";
import { carrierHistory } from "./history.ts";
import { lookupCarrier, lookupDocket, lookupMc } from "./lookup.ts";
import { matchCarrier } from "./match.ts";
import { mcs150DueDate, ucrFeeOperation } from "./calculations.ts";
import { batchCarriers } from "./batch.ts";
import { carriersCsv } from "./carriers_csv.ts";
import { createJob, getJob } from "./jobs.ts";
import type { Operation } from "./operation.ts";
import { searchCarriers } from "./search.ts";

/** Operations that one call answers; routes, tools and descriptions are generated from this table. */
export const OPERATIONS: readonly Operation[] = [
  lookupCarrier,
  carrierHistory,
  searchCarriers,
  lookupMc,
  lookupDocket,
  mcs150DueDate,
  ucrFeeOperation,
  matchCarrier,
];

/** Operations about the service and its data as a whole: no tools, since no question about a carrier needs them. */
export const SERVICE_OPERATIONS: readonly Operation[] = [changeIndex, health];

/** Operations on many carriers: HTTP only, since they have a body, a key, a job or a file. */
export const BATCH_OPERATIONS = [batchCarriers, carriersCsv, createJob, getJob] as const;
