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

function parseNumber(text: string, what: string): number {
  if (!NUMBER_PATTERN.test(text)) throw new SyntaxError(explainNumber(text, what));
  const number = Number(text);
  if (number === 0) throw new RangeError(explainNumber(text, what));
  return number;
}

/** What is wrong with a value that should be a number; `what` names the number. */
export function explainNumber(value: unknown, what: string): string {
  if (value === undefined) return `Cannot read ${what}: it is missing`;
  const cannot = `Cannot parse ${what} ${show(value)}`;
  if (typeof value !== "string") return `${cannot}: not a string of digits`;
  if (value === "") return `${cannot}: it is empty`;
  const wrong = value.search(/[^0-9]/);
  if (wrong >= 0) return `${cannot}: not a digit at position ${wrong + 1}`;
  if (value.length > 8) return `${cannot}: ${value.length} digits, at most 8 allowed`;
  return `${cannot}: numbers start at 1`;
}
