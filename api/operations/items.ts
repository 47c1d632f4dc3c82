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
  /** Shards read at the same time, at most. @default {64} */
  concurrency?: number;
  /** Waits some milliseconds. @default a timer */
  sleep?: (ms: number) => Promise<void>;
  /** Waits until so many units of work may begin: reading a shard is one. @default at once */
  turn?: (units: number) => Promise<void>;
  /** Ends the work: its reason is thrown. */
  signal?: AbortSignal | undefined;
  /**
   * Lets the snapshot's error pass when the first reads fail and find no carrier at all, as they do
   * when the snapshot was removed: so a reader gets to look for another one.
   */
  relook?: boolean;
}

const FIRST_PAUSE_MS = 200;

/** Numbers of a slice of a stream, and slices that are read ahead of its reader. */
const SLICE = 32;
const AHEAD = 3;

/** Units of work that a slice is, once it is read: {@link ItemsContext.turn}. */
const SLICE_UNITS = 2;

/**
 * Looks numbers up in one snapshot, each 0 to 99,999,999. Equal numbers are looked up once, and numbers
 * of one shard share its read. What cannot be read is tried again, all of it after one pause that
 * doubles, and then fails as `upstream_unavailable`.
 *
 * @returns One item for each number, in the order asked.
 */
export async function findItems(dots: readonly number[], context: ItemsContext): Promise<Item[]> {
  const { snapshot, tries = 3, sleep = timer, signal, relook = false } = context;
  const { width } = snapshot.manifest.families.carriers;
  const done = new Map<number, Item>();
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
          done.set(outcome.dot, outcome.item);
        }
      },
    });
    if (unread.length === 0) break;
    if (relook && carriers === 0) throw unread[0]!.error;
    left = unread.map(({ dot }) => dot);
    if (attempt === tries) {
      for (const dot of left) done.set(dot, itemWithout(dot));
      break;
    }
    await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    signal?.throwIfAborted();
  }
  return dots.map((dot) => done.get(dot)!);
}

/** What a stream of items is made with. */
export interface StreamContext extends Omit<ItemsContext, "relook" | "snapshot"> {
  /** Null when it cannot be read: then no number can. */
  snapshot: Snapshot | null;
}

/**
 * The items of {@link findItems} in slices, a few of them ahead of the reader. After a slice of which nothing
 * could be read, numbers are tried once.
 */
export async function* streamItems(
  dots: readonly number[],
  context: StreamContext,
): AsyncGenerator<Item[], void, void> {
  const { snapshot, turn } = context;
  let { tries = 3 } = context;
  async function read(slice: readonly number[]): Promise<Item[]> {
    if (snapshot === null) return slice.map(itemWithout);
    const items = await findItems(slice, { ...context, snapshot, tries });
    if (!items.some(isRead)) tries = 1;
    return items;
  }
  const ahead: Promise<Item[]>[] = [];
  for (let at = 0; at < dots.length || ahead.length > 0;) {
    for (; at < dots.length && ahead.length < AHEAD; at += SLICE) {
      const reading = read(dots.slice(at, at + SLICE));
      reading.catch(() => {});
      ahead.push(reading);
    }
    const items = await ahead.shift()!;
    await turn?.(SLICE_UNITS);
    yield items;
  }
}

/** Whether the data said what became of a number: else asking again may. */
export function isRead(item: Item): boolean {
  return item.ok || item.error.code !== "upstream_unavailable";
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
  const { concurrency = 64, signal, turn, tell } = context;
  const left = groups.values();
  async function work(): Promise<void> {
    for (const group of left) {
      await turn?.(1);
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
