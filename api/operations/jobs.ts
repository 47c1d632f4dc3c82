/**
 * POST /api/v1/jobs and GET /api/v1/jobs/{id}: up to 5,000 carriers in one streamed answer.
 *
 * @module
 */

import { z } from "zod";
import { AsOf, SnapshotFacts } from "../rules/schemas.ts";
import { BatchItem } from "./batch.ts";
import { BATCH_ERRORS } from "./errors.ts";
import { dotList, MOST_DOTS } from "./numbers.ts";
import type { StoreOperation } from "./operation.ts";

export const JOB_LIMITS = { maxItems: MOST_DOTS, maxBytes: 128 * 1024 };

/** How long a job answers with its results after it was created, in milliseconds. */
export const RESULTS_MS = 3_600_000;

const Job = z.object({
  id: z.uuid().describe("Identifies the job"),
  status: z.enum(["queued", "running", "succeeded"])
    .describe("`queued` in the 202, `succeeded` at every later GET, though items may have failed"),
  as_of: AsOf,
  total: z.int().positive().describe("Numbers asked for"),
  done: z.int().nonnegative().describe("Numbers with an item: `total` once succeeded"),
  created_at: z.iso.datetime().describe("When the job was accepted"),
  finished_at: z.iso.datetime().nullable().describe(
    "Once succeeded, when its results could be read: at once, so the same as `created_at`",
  ),
  expires_at: z.iso.datetime().describe(
    "When the job is no longer there: 1 hour after `created_at`",
  ),
  status_url: z.url().describe("Where to get the results"),
  snapshot: SnapshotFacts.describe(
    "The snapshot that answers for all items, current or not when they are looked up",
  ),
  results: z.array(BatchItem).optional().describe(
    "Once succeeded, one item for each number, in the order asked. One with `upstream_unavailable` is retried at the next GET",
  ),
}).meta({ id: "Job" });

export type JobView = Omit<z.infer<typeof Job>, "results">;

export const createJob: StoreOperation = {
  reads: "store",
  id: "createJob",
  method: "POST",
  path: "/api/v1/jobs",
  summary: "Look up 1 to 5,000 carriers",
  description:
    "Accepts a list of USDOT numbers and immediately returns a job, which is bound to the current snapshot and day, or to those of its `as_of`. GET its `status_url` for the results, within 1 hour.",
  input: dotList(JOB_LIMITS.maxItems, "JobDotList"),
  parameters: {},
  output: Job,
  errors: BATCH_ERRORS,
};

export const getJob: StoreOperation = {
  reads: "store",
  id: "getJob",
  method: "GET",
  path: "/api/v1/jobs/{id}",
  summary: "Get the results of a job",
  description:
    "The job with its results, streamed while they are looked up. One client can read one job at a time: further requests wait up to 10 seconds, then get 503 with `Retry-After`.",
  input: z.object({
    id: z.string().describe("The job's id")
      .meta({ format: "uuid", example: "8e03978e-40d5-43e8-bc93-6894a57f9324" }),
  }),
  parameters: { id: { in: "path", code: "job_not_found" } },
  output: Job,
  errors: ["job_not_found", "upstream_unavailable"],
};
