/**
 * Parses the JSON documents of a snapshot, of the versions of the format that this code reads. Web APIs only.
 *
 * @module
 */

import type * as z from "zod/mini";

/** The version of the format this code writes. */
export const FORMAT = 3;

/** The versions it reads. It must read older ones, because a chain continues when the format changes. */
const READABLE_FORMATS: readonly unknown[] = [2, FORMAT];

/**
 * Parses a JSON document of a snapshot.
 *
 * @throws {SyntaxError} When the bytes are not JSON.
 * @throws {RangeError} When the format is not the one this code reads.
 * @throws {TypeError} When a member is missing or of another shape.
 */
export function parseDocument<T>(bytes: Uint8Array, what: string, schema: z.ZodMiniType<T>): T {
  let value: { format?: unknown } | null;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new SyntaxError(`Cannot parse "${what}": not JSON in UTF-8`, { cause: error });
  }
  if (!READABLE_FORMATS.includes(value?.format)) {
    const found = JSON.stringify(value?.format)?.slice(0, 20) ?? "none";
    const expected = READABLE_FORMATS.join(" or ");
    throw new RangeError(`Cannot read "${what}": it has format ${found}, expected ${expected}`);
  }
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data!;
  const member = error.issues[0]!.path.join(".");
  throw new TypeError(`Cannot read "${what}": member "${member}" is missing or malformed`);
}
