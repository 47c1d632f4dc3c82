/**
 * A random code point, for the strings of property tests.
 *
 * @module
 */

import fc from "fast-check";

/** A `unit` for `fc.string()` with every code point. fast-check takes seconds to prepare its own, `"binary"`. */
export const ANY_UNIT = fc.nat(0x10f7ff).map((n) =>
  // Skips the surrogates, which are not characters by themselves.
  String.fromCodePoint(n < 0xd800 ? n : n + 0x800)
);
