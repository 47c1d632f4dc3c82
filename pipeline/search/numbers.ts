/**
 * Numbers in a query: USDOT and docket numbers as people write them. Web APIs only.
 *
 * @module
 */

/** A number asked for. `prefix` is `USDOT`, or that of a docket. */
export interface NumberIntent {
  prefix: "USDOT" | "MC" | "MX" | "FF";
  number: number;
}

const NUMBER = /^\s*(?:(us\s*dot|dot|mc|mx|ff)\s*(?:no\.?|number|#)?)?[\s#:.-]*(\d{1,12})\s*$/i;

/**
 * What numbers a query may mean, best guess first: `MC-186800` is a docket, `286764` a USDOT number or
 * else an MC docket. None when the query is no number, or one of over 8 digits.
 */
export function numberIntents(query: string): NumberIntent[] {
  const match = NUMBER.exec(query);
  const number = Number(match?.[2] ?? 0);
  if (number < 1 || number > 99_999_999) return [];
  const prefix = match![1]?.toUpperCase();
  if (prefix === "MC" || prefix === "MX" || prefix === "FF") return [{ prefix, number }];
  const usdot: NumberIntent = { prefix: "USDOT", number };
  return prefix === undefined ? [usdot, { prefix: "MC", number }] : [usdot];
}
