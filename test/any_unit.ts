/**
 * Any code point for the texts of property tests.
 *
 * @module
 */

import fc from "fast-check";

/** The `unit` of a text of any code points. `"binary"` takes fast-check seconds to prepare. */
export const ANY_UNIT = fc.nat(0x10f7ff).map((n) =>
  // Half of a surrogate pair isn't one.
  String.fromCodePoint(n < 0xd800 ? n : n + 0x800)
);
