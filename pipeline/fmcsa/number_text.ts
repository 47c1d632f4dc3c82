/**
 * Parses USDOT and MC numbers as people write them, and explains what is wrong with the rest.
 *
 * @module
 */

/** A USDOT or MC number as it may be sent: 1 to 8 digits, leading zeros allowed. */
export const NUMBER_PATTERN = /^\d{1,8}$/;

const SHOWN = 24;

/**
 * Parses a USDOT number: `"00295017"` is 295017.
 *
 * @throws {SyntaxError} When the text is not 1 to 8 digits.
 * @throws {RangeError} When the number is 0.
 */
export function parseDot(text: string): number {
  return parseNumber(text, "USDOT number");
}

/** Parses an MC number; errors as {@link parseDot}. */
export function parseMc(text: string): number {
  return parseNumber(text, "MC number");
}

/** Kinds of dockets. The same number may be another company's under another prefix. */
export const DOCKET_PREFIXES = ["MC", "MX", "FF"] as const;

export interface DocketNumber {
  prefix: typeof DOCKET_PREFIXES[number];
  number: number;
}

/** What may stand before the digits of a docket number, as a regular expression without flags. */
export const DOCKET_LEAD = String.raw`(?:[Mm][CcXx]|[Ff]{2})[\s#:-]*`;

const LEAD = new RegExp(`^${DOCKET_LEAD}`);

/**
 * Parses a docket number such as `MC-143229`, `ff 65448` or `MX1`; errors as {@link parseDot}.
 *
 * @returns The prefix, null where the text has none.
 */
export function parseDocket(
  text: string,
): { prefix: DocketNumber["prefix"] | null; number: number } {
  const [lead = ""] = LEAD.exec(text) ?? [];
  const letters = lead.slice(0, 2).toUpperCase();
  const prefix = DOCKET_PREFIXES.find((known) => known === letters) ?? null;
  return { prefix, number: parseNumber(text, `${prefix ?? "MC"} number`, lead.length) };
}

/**
 * Shows a value that a caller sent, safely: short plain words as they are, all else quoted, cut and
 * with anything but printable ASCII escaped.
 */
export function show(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? String(value);
  if (text.length <= SHOWN && /^[A-Za-z0-9.-]+$/.test(text)) return text;
  const cut = text.length > SHOWN ? text.slice(0, SHOWN) + "..." : text;
  return JSON.stringify(cut).replace(
    /[^\x20-\x7e]/g,
    (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** @param at Where the digits begin. */
function parseNumber(text: string, what: string, at = 0): number {
  const digits = text.slice(at);
  if (!NUMBER_PATTERN.test(digits)) throw new SyntaxError(explainNumber(text, what, at));
  const number = Number(digits);
  if (number === 0) throw new RangeError(explainNumber(text, what, at));
  return number;
}

/** Says what is wrong with a value whose digits should start at `at`; `what` names the number. */
export function explainNumber(value: unknown, what: string, at = 0): string {
  if (value === undefined) return `Cannot read ${what}: it is missing`;
  const cannot = `Cannot parse ${what} ${show(value)}`;
  if (typeof value !== "string") return `${cannot}: not a string of digits`;
  const digits = value.slice(at);
  if (digits === "") return `${cannot}: ${at === 0 ? "it is empty" : "it has no digits"}`;
  const wrong = digits.search(/[^0-9]/);
  if (wrong >= 0) return `${cannot}: not a digit at position ${at + wrong + 1}`;
  if (digits.length > 8) return `${cannot}: ${digits.length} digits, at most 8 allowed`;
  return `${cannot}: numbers start at 1`;
}
