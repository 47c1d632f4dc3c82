/**
 * Where a carrier is.
 *
 * @module
 */

/** City and state, as far as the census has them; empty when it has neither. */
export function placeOf({ city, state }: { city: string; state: string }): string {
  return [city, state].filter((part) => part !== "").join(", ");
}
