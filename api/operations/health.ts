/**
 * GET /api/v1/health: which snapshot answers, how old it is, and what it contains.
 *
 * @module
 */

import { z } from "zod";
import { API_VERSION } from "./about.ts";
import { snapshotFacts } from "../rules/carrier.ts";
import { FRESH_DAYS, SnapshotFacts } from "../rules/schemas.ts";
import { lookupOperation } from "./operation.ts";

const count = z.int().nonnegative();

export const Health = z.object({
  version: z.string().describe("Version of the API"),
  snapshot: SnapshotFacts,
  age_days: count.describe("Days from the data date to today in New York"),
  stale: z.boolean().describe(`Whether the data is older than ${FRESH_DAYS} days`),
  notice: z.string().optional().describe(
    "Present when the data is not, or not only, FMCSA's",
  ),
  window: z.object({ from: z.iso.date(), to: z.iso.date() })
    .describe("Inspections counted, inclusive days"),
  counts: z.object({
    carriers: count,
    active: count,
    inactive: count,
    pending: count,
    dockets: count,
    inspections: count.describe("Inspections of the window that belong to a carrier"),
    carriers_inspected: count,
    orders: count.optional().describe("Out-of-service orders of carriers, if they are included"),
    left: count.optional().describe("Carriers that left the census in the last 24 months"),
  }).describe("What the snapshot contains"),
}).meta({ id: "Health" });

export type Health = z.infer<typeof Health>;

export const health = lookupOperation({
  id: "getHealth",
  method: "GET",
  path: "/api/v1/health",
  summary: "State of the service and its data",
  description:
    "Which dated snapshot answers, how old its data is, and what it contains. Returns 503 while no data can be read.",
  input: z.object({}),
  parameters: {},
  output: Health,
  errors: ["upstream_unavailable"],
  run(_, { snapshot, today }) {
    const { notice, window, counts } = snapshot.manifest;
    const facts = snapshotFacts(snapshot, { today });
    return Promise.resolve({
      version: API_VERSION,
      snapshot: facts,
      age_days: facts.age_days,
      stale: facts.stale,
      ...(notice === undefined ? {} : { notice }),
      window,
      counts,
    });
  },
});
