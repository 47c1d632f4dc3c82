import assert from "node:assert/strict";
import fc from "fast-check";
import { fold, foldPlace, significant } from "../../../pipeline/search/shared/tokenizer.ts";

Deno.test("fold() gives one spelling to what people write in many ways", () => {
  const same: [string, ...string[]][] = [
    ["a and b trucking", "A & B TRUCKING", "a AND b, trucking", "A&B Trucking", "A + B TRUCKING"],
    ["llc", "L L C", "L.L.C.", "llc"],
    ["obriens transport", "O'BRIEN'S TRANSPORT", "O’Brien’s  transport"],
    ["pena y munoz", "PEÑA Y MUÑOZ", "pena y munoz"],
    ["us xpress", "U.S. XPRESS", "US-XPRESS"],
    ["a1 towing", "A-1 TOWING", "A 1 TOWING", "A1 TOWING"],
    ["strasse", "STRASSE", "Straße"],
  ];
  for (const [words, ...texts] of same) {
    for (const text of texts) assert.equal(fold(text).join(" "), words, text);
  }
});

Deno.test("fold() gives no word when there is no letter and no digit", () => {
  for (const text of ["", "   ", "!!! ???", "'", "\u0000\u202e", "\ud800"]) {
    assert.deepEqual(fold(text), []);
  }
});

Deno.test("fold() finds its own words unchanged", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    const words = fold(text);
    for (const word of words) assert.deepEqual(fold(word), [word]);
    assert.ok(words.length <= 24);
  }));
});

Deno.test("significant() leaves noise out unless there is nothing else", () => {
  assert.deepEqual(significant(fold("The Smith & Smith Company, Inc.")), ["smith"]);
  assert.deepEqual(significant(fold("THE COMPANY INC")), ["the", "company", "inc"]);
});

Deno.test("foldPlace() spells out what is shortened", () => {
  assert.equal(foldPlace("ST. LOUIS"), foldPlace("Saint Louis"));
  assert.equal(foldPlace("FT WORTH"), "fort worth");
});
