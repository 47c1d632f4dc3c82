/**
 * Input schemas of USDOT and docket numbers, one or many.
 *
 * @module
 */

import { z } from "zod";
import {
  DOCKET_LEAD,
  type DocketNumber,
  explainNumber,
  NUMBER_PATTERN,
  parseDocket,
  show,
} from "../../pipeline/fmcsa/number_text.ts";
import { asOfInput } from "./as_of.ts";
import { ServiceError } from "./errors.ts";

export { NUMBER_PATTERN, parseDot, parseMc, show } from "../../pipeline/fmcsa/number_text.ts";

/** Input schema of a USDOT number: a string in, a number out. */
export const dotInput = z.string({ error: explainDot })
  .regex(NUMBER_PATTERN, { error: explainDot, abort: true })
  .refine((text) => Number(text) !== 0, { error: explainDot })
  .describe("USDOT number: 1 to 8 digits, leading zeros allowed, not 0")
  .meta({ example: "295017" })
  .transform(Number);

function explainDot({ input }: { input?: unknown }): string {
  return explainNumber(input, "USDOT number");
}

/** The path that looks up a docket with its prefix. */
export const DOCKETS_PATH = "/api/v1/dockets/{docket}";

/** `FF-65448`, as in the path of a docket. */
export function docketText({ prefix, number }: DocketNumber): string {
  return `${prefix}-${number}`;
}

const DIGITS = "1 to 8 digits, leading zeros allowed, not 0";

/** Input schema of an MC number, with or without its prefix: a string in, a number out. */
export const mcInput = docketSchema({
  lead: String.raw`(?:[Mm][Cc][\s#:-]*)?`,
  description: `MC number, with or without MC: ${DIGITS}`,
  example: "143229",
}, ({ prefix, number }) => {
  if (prefix === null || prefix === "MC") return number;
  const path = DOCKETS_PATH.replace("{docket}", docketText({ prefix, number }));
  throw new RangeError(`Cannot look up ${prefix} ${number} as an MC number: use ${path}`);
});

/** Input schema of a docket number with its prefix. */
export const docketInput = docketSchema({
  lead: DOCKET_LEAD,
  description: `Docket number with its prefix, MC, MX or FF: ${DIGITS}`,
  example: "FF-300003",
}, ({ prefix, number }): DocketNumber => {
  if (prefix !== null) return { prefix, number };
  throw new SyntaxError(
    `Cannot look up docket ${number} without a prefix: send MC-${number}, MX-${number} or ` +
      `FF-${number}, which can be three companies`,
  );
});

/** Input schema of a docket number. Without a prefix, it is an MC number. */
export const anyDocketInput = docketSchema({
  lead: `(?:${DOCKET_LEAD})?`,
  description: `MC number, or a docket number with MC, MX or FF: ${DIGITS}`,
  example: "143229",
}, ({ prefix, number }): DocketNumber => ({ prefix: prefix ?? "MC", number }));

function docketSchema<T>(
  { lead, description, example }: { lead: string; description: string; example: string },
  accept: (read: ReturnType<typeof parseDocket>) => T,
) {
  return z.string({ error: ({ input }) => explainNumber(input, "MC number") })
    .describe(description)
    .meta({ example, pattern: String.raw`^${lead}\d{1,8}$` })
    .transform((text, context) => {
      try {
        return accept(parseDocket(text));
      } catch (error) {
        context.issues.push({ code: "custom", message: (error as Error).message, input: text });
        return z.NEVER;
      }
    });
}

/** The most numbers that any operation accepts: the limit of a job. */
export const MOST_DOTS = 5000;

const item = z.string({ error: explainItem })
  .regex(NUMBER_PATTERN, { error: explainItem })
  .describe("USDOT number: 1 to 8 digits, leading zeros allowed")
  .meta({ example: "286764" });

/** The body with 1 to `max` numbers: strings in, numbers out. 0 is accepted, to fail as an item. */
export function dotList(max: number, id?: string) {
  const dots = z.array(item, { error: ({ input }) => explainList(input) })
    .min(1, { error: () => "Cannot look up numbers: dots is empty" })
    .max(max, { error: ({ input }) => explainLength((input as unknown[]).length, max) })
    .describe(
      `1 to ${max} USDOT numbers; each is answered, in this order, even when repeated`,
    )
    .transform((texts) => texts.map(Number));
  const list = z.object({ dots, as_of: asOfInput }, {
    error: "Cannot read the body: not an object with dots",
  });
  return id === undefined ? list : list.meta({ id });
}

const anyLength = dotList(Infinity);

/** The numbers of a body, and the day it asks about, if any. */
export interface AskedNumbers {
  dots: readonly number[];
  asOf?: string | undefined;
}

/**
 * Reads the numbers of a body.
 *
 * @throws {ServiceError} `too_many_items`; else `invalid_body`, naming the first item that is wrong.
 */
export function readDots(body: unknown, max: number): AskedNumbers {
  const { dots } = Object(body) as { dots?: unknown };
  // Checked first, because validating a list that is far too long takes time.
  if (Array.isArray(dots) && dots.length > max) {
    throw new ServiceError("too_many_items", explainLength(dots.length, max));
  }
  const parsed = anyLength.safeParse(body);
  if (!parsed.success) throw new ServiceError("invalid_body", parsed.error.issues[0]!.message);
  const { dots: numbers, as_of: asOf } = parsed.data;
  return { dots: numbers, asOf };
}

function explainList(value: unknown): string {
  return value === undefined
    ? "Cannot read dots: it is missing"
    : "Cannot read dots: not an array of strings";
}

/** Refuses a list that is too long. */
export function explainLength(length: number, max: number): string {
  const cannot = `Cannot look up ${length} numbers at once: at most ${max}`;
  return max < MOST_DOTS ? `${cannot}; send up to ${MOST_DOTS} as a job` : cannot;
}

function explainItem(issue: { path?: PropertyKey[] | undefined; input?: unknown }): string {
  const { path = [], input } = issue;
  const cannot = `Cannot read dots[${String(path.at(-1))}]`;
  if (typeof input === "string") return `${cannot}: ${show(input)} is not 1 to 8 digits`;
  // An array or object is not shown, since it may be deeply nested.
  const what = typeof input === "object" && input !== null ? "it" : show(input);
  return `${cannot}: ${what} is not a string of 1 to 8 digits`;
}
