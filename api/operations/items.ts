/**
 * Many USDOT numbers looked up at once, each succeeding or failing on its own.
 *
 * @module
 */

import { z } from "zod";
import { sleep as timer } from "../../pipeline/clock.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import { Carrier } from "../rules/schemas.ts";
import { ErrorBody, ServiceError } from "./errors.ts";
import { readCarrier } from "./lookup_carrier.ts";
import { parseDot } from "./numbers.ts";
import type { OperationContext } from "./operation.ts";

const dot = z.string().regex(/^(0|[1-9]\d{0,7})$/)
  .describe("The number asked for, without leading zeros")
  .meta({ example: "286764" });

/** What became of one number. */
export const Item = z.discriminatedUnion("ok", [
  z.object({ dot, ok: z.literal(true), carrier: Carrier }).describe("A number that was found"),
  z.object({
    dot,
    ok: z.literal(false),
    error: ErrorBody.shape.error.describe(
      "`not_found`, `invalid_dot_number` for 0, or `upstream_unavailable`",
    ),
  }).describe("A number that was not"),
]).meta({ id: "BulkItem" });

/** The type of {@link Item}. */
export type Item = z.infer<typeof Item>;

/** What numbers are looked up with. */
export interface ItemsContext extends OperationContext {
  snapshot: Snapshot;
  /** Reads of a shard before its numbers are given up. @default {3} */
  tries?: number;
  /** Shards read at the same time, at most. @default {32} */
  concurrency?: number;
  /** Waits some milliseconds. @default a timer */
  sleep?: (ms: number) => Promise<void>;
  /** Ends the work: its reason is thrown. */
  signal?: AbortSignal | undefined;
  /**
   * Lets the snapshot's error pass when the first reads fail and find no carrier at all, as they do
   * when the snapshot was removed: so a reader gets to look for another one.
   */
  relook?: boolean;
}

const FIRST_PAUSE_MS = 200;

/**
 * Looks numbers up in one snapshot, each 0 to 99,999,999. Equal numbers are looked up once, and numbers
 * of one shard share its read. What cannot be read is tried again, all of it after one pause that
 * doubles, and then fails as `upstream_unavailable`.
 *
 * @returns One item for each number, in the order asked.
 */
export function findItems(dots: readonly number[], context: ItemsContext): Promise<Item[]> {
  return lookUp(dots, { ...context, finish: (item) => item });
}

/** Does what {@link findItems} does, and gives the JSON text of each item. */
export function lookUpItems(dots: readonly number[], context: ItemsContext): Promise<string[]> {
  return lookUp(dots, { ...context, finish: (item) => JSON.stringify(item) });
}

/** The JSON text of the item of a number that could not be looked up. */
export function unavailableItem(dot: number): string {
  return JSON.stringify(itemWithout(dot));
}

interface Finishing<T> extends ItemsContext {
  finish: (item: Item) => T;
}

async function lookUp<T>(dots: readonly number[], context: Finishing<T>): Promise<T[]> {
  const { snapshot, tries = 3, sleep = timer, signal, relook = false, finish } = context;
  const { width } = snapshot.manifest.families.carriers;
  const done = new Map<number, T>();
  let left = [...new Set(dots)];
  let carriers = 0;
  for (let attempt = 1;; attempt++) {
    const groups = Map.groupBy(left, (dot) => Math.floor(dot / width));
    const unread: Unread[] = [];
    await readGroups([...groups.values()], {
      ...context,
      tell(outcome) {
        if ("error" in outcome) unread.push(outcome);
        else {
          if (outcome.item.ok) carriers++;
          done.set(outcome.dot, finish(outcome.item));
        }
      },
    });
    if (unread.length === 0) break;
    if (relook && carriers === 0) throw unread[0]!.error;
    left = unread.map(({ dot }) => dot);
    if (attempt === tries) {
      for (const dot of left) done.set(dot, finish(itemWithout(dot)));
      break;
    }
    await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    signal?.throwIfAborted();
  }
  return dots.map((dot) => done.get(dot)!);
}

interface Unread {
  dot: number;
  error: unknown;
}

type Outcome = { dot: number; item: Item } | Unread;

async function readGroups(
  groups: number[][],
  context: ItemsContext & { tell: (outcome: Outcome) => void },
): Promise<void> {
  const { concurrency = 32, signal, tell } = context;
  const left = groups.values();
  async function work(): Promise<void> {
    for (const group of left) {
      // At the same time, so that they share one read even of a shard that is not held afterwards.
      for (const outcome of await Promise.all(group.map((dot) => read(dot, context)))) {
        tell(outcome);
      }
      signal?.throwIfAborted();
    }
  }
  signal?.throwIfAborted();
  await Promise.all(Array.from({ length: Math.min(concurrency, groups.length) }, work));
}

async function read(dot: number, context: ItemsContext): Promise<Outcome> {
  if (dot === 0) return { dot, item: itemWithout(dot) };
  try {
    const carrier = await readCarrier(dot, context);
    return { dot, item: { dot: String(dot), ok: true, carrier } };
  } catch (error) {
    return error instanceof ServiceError ? { dot, item: failed(dot, error) } : { dot, error };
  }
}

/** The item of a number without a lookup: 0 is no number at all, any other may have been there. */
function itemWithout(dot: number): Item {
  try {
    parseDot(String(dot));
  } catch (error) {
    return failed(dot, new ServiceError("invalid_dot_number", (error as RangeError).message));
  }
  const message = `Cannot read the data of USDOT number ${dot} at the moment; try again later`;
  return failed(dot, new ServiceError("upstream_unavailable", message));
}

function failed(dot: number, error: ServiceError): Item {
  return { dot: String(dot), ok: false, ...error.body() };
}
