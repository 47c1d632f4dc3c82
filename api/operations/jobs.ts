/**
 * POST /api/v1/jobs and GET /api/v1/jobs/{id}: up to 5,000 carriers looked up in the background.
 *
 * @module
 */

import { z } from "zod";
import { BULK_ERRORS, dotList, MOST_DOTS } from "./dots.ts";
import { Item } from "./items.ts";
import { storeOperation } from "./operation.ts";

/** What a body of a new job may hold. */
export const JOB_LIMITS = { maxItems: MOST_DOTS, maxBytes: 128 * 1024 };

/** A job as it is answered. */
export const Job = z.object({
  id: z.uuid().describe("Names the job"),
  status: z.enum(["queued", "running", "succeeded"])
    .describe("succeeded: every number has its item, though items may have failed"),
  total: z.int().positive().describe("Numbers asked for"),
  done: z.int().nonnegative().describe("Numbers whose items are stored"),
  created_at: z.iso.datetime().describe("When the job was accepted"),
  finished_at: z.iso.datetime().nullable().describe("When the last item was stored"),
  status_url: z.url().describe("Where to ask for the job"),
  snapshot: z.object({ id: z.string(), data_date: z.iso.date() })
    .describe("The snapshot that answers for all items, current or not when they are looked up"),
  results: z.array(Item).optional().describe(
    "One item for each number, in the order asked; once succeeded, for 1 hour",
  ),
}).meta({ id: "Job" });

/** Accepts a job. */
export const createJob = storeOperation({
  id: "createJob",
  method: "POST",
  path: "/api/v1/jobs",
  summary: "Look up 1 to 5,000 carriers in the background",
  description:
    "Accepts a list of USDOT numbers to be looked up in one dated snapshot, and answers at once with a job to ask for. Its results are kept for 1 hour after it has finished.",
  input: dotList(JOB_LIMITS.maxItems),
  parameters: {},
  output: Job,
  errors: BULK_ERRORS,
});

/** Tells how far a job is, and its results once it has succeeded. */
export const getJob = storeOperation({
  id: "getJob",
  method: "GET",
  path: "/api/v1/jobs/{id}",
  summary: "See how a job is doing, with its results in the end",
  description:
    "How far a job is; with its results once it has succeeded. Ask again after `Retry-After` seconds until then.",
  input: z.object({
    id: z.string().describe("The job's id")
      .meta({ format: "uuid", example: "8e03978e-40d5-43e8-bc93-6894a57f9324" }),
  }),
  parameters: { id: { in: "path", code: "job_not_found" } },
  output: Job,
  errors: ["job_not_found", "upstream_unavailable"],
});
