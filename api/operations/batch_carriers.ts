/**
 * POST /api/v1/carriers/batch: up to 100 carriers in one answer.
 *
 * @module
 */

import { z } from "zod";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import { snapshotFacts } from "../rules/carrier.ts";
import { SnapshotFacts } from "../rules/schemas.ts";
import { BULK_ERRORS, dotList } from "./dots.ts";
import { findItems, Item, type ItemsContext } from "./items.ts";
import { lookupOperation, type OperationContext } from "./operation.ts";

/** What a body of a batch may hold. */
export const BATCH_LIMITS = { maxItems: 100, maxBytes: 64 * 1024 };

/** Response of the batch lookup. */
export const BatchResult = z.object({
  count: z.int().nonnegative().describe("Numbers asked for").meta({ example: 2 }),
  found: z.int().nonnegative().describe("Numbers with a carrier").meta({ example: 1 }),
  results: z.array(Item).describe("One item for each number, in the order asked"),
  snapshot: SnapshotFacts.describe("The snapshot that answered for all of them"),
}).meta({ id: "BatchResult" });

/** The type of {@link BatchResult}. */
export type BatchResult = z.infer<typeof BatchResult>;

/** What a surface may add to a batch's context. */
export type BatchContext =
  & OperationContext
  & { snapshot: Snapshot }
  & Pick<ItemsContext, "sleep">;

/** Looks up to 100 carriers up. */
export const batchCarriers = lookupOperation({
  id: "batchCarriers",
  method: "POST",
  path: "/api/v1/carriers/batch",
  summary: `Look up 1 to ${BATCH_LIMITS.maxItems} carriers at once`,
  description:
    "Looks every USDOT number of the body up in one dated snapshot and answers one item for each, in the order asked. Each item succeeds or fails on its own: a number that is not in the census makes its item fail, not the answer.",
  input: dotList(BATCH_LIMITS.maxItems),
  parameters: {},
  partial: true,
  output: BatchResult,
  errors: BULK_ERRORS,
  async run({ dots }, { last = false, ...context }: BatchContext): Promise<BatchResult> {
    const results = await findItems(dots, { ...context, relook: !last });
    return {
      count: results.length,
      found: results.filter(({ ok }) => ok).length,
      results,
      snapshot: snapshotFacts(context.snapshot, context.today),
    };
  },
});
