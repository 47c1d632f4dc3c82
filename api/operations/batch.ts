/**
 * POST /api/v1/carriers/batch: up to 100 carriers in one answer, and how batches and jobs look numbers
 * up, each succeeding or failing on its own.
 *
 * @module
 */

import { z } from "zod";
import { explainNumber } from "../../pipeline/fmcsa/number_text.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import { snapshotFacts } from "../rules/carrier.ts";
import { AsOf, Carrier, SnapshotFacts } from "../rules/schemas.ts";
import { BATCH_ERRORS, ErrorBody, ServiceError } from "./errors.ts";
import { readCarrier } from "./lookup.ts";
import { type ManyContext, readMany } from "./many.ts";
import { dotList } from "./numbers.ts";
import { lookupOperation } from "./operation.ts";

const dot = z.string().regex(/^(0|[1-9]\d{0,7})$/)
  .describe("The number asked for, without leading zeros")
  .meta({ example: "286764" });

export const BatchItem = z.discriminatedUnion("ok", [
  z.object({ dot, ok: z.literal(true), carrier: Carrier }).describe("A number that was found"),
  z.object({
    dot,
    ok: z.literal(false),
    error: ErrorBody.shape.error.describe(
      "`not_found`, `invalid_dot_number` for 0, or `upstream_unavailable`",
    ),
  }).describe("A number that was not"),
]).meta({ id: "BatchItem" });

export type BatchItem = z.infer<typeof BatchItem>;

/** Numbers per slice of a stream, and slices that are read ahead. */
const SLICE = 16;
const AHEAD = 5;

/**
 * Looks numbers up in one snapshot as {@link readMany} reads them, each 0 to 99,999,999. What cannot be
 * read fails as `upstream_unavailable`.
 *
 * @returns One item for each number, in the order asked.
 */
export async function findItems(
  dots: readonly number[],
  context: ManyContext,
): Promise<BatchItem[]> {
  const found = await readMany(dots, context, {
    read: (dot) => itemOf(dot, context),
    isFound: ({ ok }) => ok,
  });
  return dots.map((dot) => found.get(dot) ?? itemWithout(dot));
}

interface StreamContext<T> extends Omit<ManyContext, "relook" | "snapshot"> {
  /** Null when it cannot be read; then every item fails. */
  snapshot: Snapshot | null;
  /** Converts an item to what the stream yields. Items are read ahead, so the result should be small. */
  finish: (item: BatchItem) => T;
}

/**
 * The items of {@link findItems} in slices, a few of them read ahead. After a slice in which nothing could be
 * read, numbers are tried only once.
 */
export async function* streamItems<T>(
  dots: readonly number[],
  context: StreamContext<T>,
): AsyncGenerator<T[], void, void> {
  const { snapshot, pacer, finish } = context;
  let { tries = 3 } = context;
  async function read(slice: readonly number[]): Promise<T[]> {
    if (snapshot === null) return slice.map((dot) => finish(itemWithout(dot)));
    const items = await findItems(slice, { ...context, snapshot, tries });
    if (!items.some(isRead)) tries = 1;
    return items.map(finish);
  }
  const ahead: Promise<T[]>[] = [];
  for (let at = 0; at < dots.length || ahead.length > 0;) {
    for (; at < dots.length && ahead.length < AHEAD; at += SLICE) {
      const reading = read(dots.slice(at, at + SLICE));
      reading.catch(() => {});
      ahead.push(reading);
    }
    const items = await ahead.shift()!;
    // Writing them counts as work, too.
    await pacer?.run(() => Promise.resolve());
    yield items;
  }
}

/** Whether an item is final. An `upstream_unavailable` item may be found when it is read again. */
export function isRead(item: BatchItem): boolean {
  return item.ok || item.error.code !== "upstream_unavailable";
}

/** The item of a number. Rethrows errors of the snapshot. */
async function itemOf(dot: number, context: ManyContext): Promise<BatchItem> {
  if (dot === 0) return itemWithout(dot);
  try {
    const carrier = await readCarrier(dot, { ...context, brief: true });
    return { dot: String(dot), ok: true, carrier };
  } catch (error) {
    if (error instanceof ServiceError) return failed(dot, error);
    throw error;
  }
}

/** The item of a number that was not looked up: 0 is invalid, any other number may exist. */
function itemWithout(dot: number): BatchItem {
  const error = dot === 0
    ? new ServiceError("invalid_dot_number", explainNumber("0", "USDOT number"))
    : new ServiceError(
      "upstream_unavailable",
      `Cannot read the data of USDOT number ${dot} at the moment; try again later`,
    );
  return failed(dot, error);
}

function failed(dot: number, error: ServiceError): BatchItem {
  return { dot: String(dot), ok: false, ...error.body() };
}

export const BATCH_LIMITS = { maxItems: 100, maxBytes: 64 * 1024 };

export const BatchResult = z.object({
  as_of: AsOf,
  count: z.int().nonnegative().describe("Numbers asked for").meta({ example: 2 }),
  found: z.int().nonnegative().describe("Numbers with a carrier").meta({ example: 1 }),
  results: z.array(BatchItem).describe("One item for each number, in the order asked"),
  snapshot: SnapshotFacts.describe("The snapshot that answered for all of them"),
}).meta({ id: "BatchResult" });

export type BatchResult = z.infer<typeof BatchResult>;

export const batchCarriers = lookupOperation({
  id: "batchCarriers",
  method: "POST",
  path: "/api/v1/carriers/batch",
  summary: `Look up 1 to ${BATCH_LIMITS.maxItems} carriers at once`,
  description:
    "Looks up every USDOT number of the body in one dated snapshot and returns one item for each, in the order asked. The lists of inspections are left out: look up a single carrier for them. Each item succeeds or fails on its own: a number that is not in the census fails its item, not the request.",
  input: dotList(BATCH_LIMITS.maxItems, "DotList"),
  parameters: {},
  partial: true,
  output: BatchResult,
  errors: BATCH_ERRORS,
  async run({ dots }, { last = false, ...context }: ManyContext): Promise<BatchResult> {
    const results = await findItems(dots, { ...context, relook: !last });
    const { asOf } = context;
    return {
      ...(asOf !== undefined && { as_of: asOf }),
      count: results.length,
      found: results.filter(({ ok }) => ok).length,
      results,
      snapshot: snapshotFacts(context.snapshot, context),
    };
  },
});
