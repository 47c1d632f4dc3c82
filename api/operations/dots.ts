/**
 * The list of USDOT numbers that bulk operations are sent.
 *
 * @module
 */

import { z } from "zod";
import { type ErrorCode, ServiceError } from "./errors.ts";
import { NUMBER_PATTERN, show } from "./numbers.ts";

/** Numbers of the operation that takes the most: a job. */
export const MOST_DOTS = 5000;

/** Codes of the operations that take a list of numbers. */
export const BULK_ERRORS: readonly ErrorCode[] = [
  "invalid_body",
  "too_many_items",
  "payload_too_large",
  "unsupported_media_type",
  "idempotency_key_reused",
  "upstream_unavailable",
];

const item = z.string({ error: explainItem })
  .regex(NUMBER_PATTERN, { error: explainItem })
  .describe("USDOT number: 1 to 8 digits, leading zeros allowed")
  .meta({ example: "286764" });

/** The schema of a body with 1 to `max` numbers: strings in, numbers out. 0 passes, to fail as an item. */
export function dotList(max: number) {
  const dots = z.array(item, { error: ({ input }) => explainList(input) })
    .min(1, { error: () => "Cannot look up numbers: dots is empty" })
    .max(max, { error: ({ input }) => explainLength((input as unknown[]).length, max) })
    .describe(
      `1 to ${max} USDOT numbers; each is answered, in this order, also when it is repeated`,
    )
    .transform((texts) => texts.map(Number));
  return z.object({ dots }, { error: "Cannot read the body: not an object with dots" });
}

const anyLength = dotList(Infinity);

/**
 * Reads the numbers of a body.
 *
 * @throws {ServiceError} `too_many_items`; else `invalid_body`, naming the first item that is wrong.
 */
export function readDots(body: unknown, max: number): number[] {
  const { dots } = Object(body) as { dots?: unknown };
  // First, so that a list far too long costs nothing.
  if (Array.isArray(dots) && dots.length > max) {
    throw new ServiceError("too_many_items", explainLength(dots.length, max));
  }
  const parsed = anyLength.safeParse(body);
  if (!parsed.success) throw new ServiceError("invalid_body", parsed.error.issues[0]!.message);
  return parsed.data.dots;
}

function explainList(value: unknown): string {
  return value === undefined
    ? "Cannot read dots: it is missing"
    : "Cannot read dots: not an array of strings";
}

function explainLength(length: number, max: number): string {
  const cannot = `Cannot look up ${length} numbers at once: at most ${max}`;
  return max < MOST_DOTS ? `${cannot}; send up to ${MOST_DOTS} as a job` : cannot;
}

function explainItem(issue: { path?: PropertyKey[] | undefined; input?: unknown }): string {
  const { path = [], input } = issue;
  const cannot = `Cannot read dots[${String(path.at(-1))}]`;
  if (typeof input === "string") return `${cannot}: ${show(input)} is not 1 to 8 digits`;
  // Nothing of an array or object is shown: it may be deep.
  const what = typeof input === "object" && input !== null ? "it" : show(input);
  return `${cannot}: ${what} is not a string of 1 to 8 digits`;
}
