/**
 * Every operation of the service, in the order to list them.
 *
 * @module
 */

import { lookupCarrier } from "./lookup_carrier.ts";
import { lookupMc } from "./lookup_mc.ts";
import { mcs150DueDate } from "./mcs150_due_date.ts";
import type { Operation } from "./operation.ts";
import { searchCarriers } from "./search_carriers.ts";
import { ucrFee } from "./ucr_fee.ts";

/** The table that routes, tools and descriptions are made from. */
export const OPERATIONS: readonly Operation[] = [
  lookupCarrier,
  searchCarriers,
  lookupMc,
  mcs150DueDate,
  ucrFee,
];
