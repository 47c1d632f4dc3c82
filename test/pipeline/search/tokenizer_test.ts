import assert from "node:assert/strict";
import fc from "fast-check";
import { ByteTokenizer, wordHash } from "../../../pipeline/search/query/byte_tokenizer.ts";
import {
  contentWords,
  normalizePlace,
  tokenize,
} from "../../../pipeline/search/shared/tokenizer.ts";

Deno.test("tokenize() returns the same words for the ways people write one name", () => {
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
    for (const text of texts) assert.equal(tokenize(text).join(" "), words, text);
  }
});

Deno.test("tokenize() returns no words when there is no letter and no digit", () => {
  for (const text of ["", "   ", "!!! ???", "'", "\u0000\u202e", "\ud800"]) {
    assert.deepEqual(tokenize(text), []);
  }
});

Deno.test("tokenize() returns its own words unchanged, 24 at most", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    const words = tokenize(text);
    for (const word of words) assert.deepEqual(tokenize(word), [word]);
    assert.ok(words.length <= 24);
  }));
});

Deno.test("contentWords() drops stop words, but keeps a leading legal form, and drops none when nothing else is left", () => {
  assert.deepEqual(contentWords(tokenize("The Smith & Smith Company, Inc.")), ["smith"]);
  assert.deepEqual(contentWords(tokenize("THE COMPANY INC")), ["the", "company", "inc"]);
  assert.deepEqual(contentWords(tokenize("C.V. TRUCKING SA DE CV")), ["cv", "trucking"]);
});

Deno.test("normalizePlace() spells out abbreviations", () => {
  assert.equal(normalizePlace("ST. LOUIS"), normalizePlace("Saint Louis"));
  assert.equal(normalizePlace("FT WORTH"), "fort worth");
});

const PIECE = fc.oneof(
  fc.constantFrom(
    "L",
    "L C",
    "a",
    "&",
    "+",
    "'",
    "`",
    "-",
    " ",
    "AND",
    "O'Brien",
    "é",
    "’",
    "ß",
    "7",
    "A B ".repeat(101),
    "x".repeat(201),
  ),
  fc.string({ unit: "grapheme-ascii", maxLength: 6 }),
  fc.string({ unit: "grapheme", maxLength: 4 }),
);
const TEXT = fc.array(PIECE, { maxLength: 40 })
  .map((pieces) => pieces.join("").replace(/[\n\t]|\p{Cs}/gu, " "));

Deno.test("ByteTokenizer returns the words of tokenize(), whatever the text", () => {
  const text = new ByteTokenizer();
  fc.assert(
    fc.property(TEXT, (line) => {
      const before = "x\n";
      const bytes = new TextEncoder().encode(`${before}${line}\nzz`);
      const next = text.read(bytes, before.length);
      assert.equal(next, bytes.length - 2);
      const words = tokenize(line);
      assert.equal(text.length, words.length, line);
      words.forEach((word, i) => {
        assert.ok(text.is(i, word), `${line}: ${word}`);
        assert.ok(!text.is(i, word + "x") && !text.is(i, "x" + word.slice(1) + "y"), line);
        assert.equal(text.hashes[i], wordHash(word));
        assert.equal(text.isRepeated(i), words.indexOf(word) < i);
      });
      const [letters, at] = [words.join(""), 3];
      assert.equal(text.endIn(`abc${letters}d`, { at, all: true }), at + letters.length, line);
      if (letters !== "") assert.ok(Number.isNaN(text.endIn(letters, { at: 1, all: true })), line);
      words.forEach((_, i) => text.stop[i] = i % 2);
      const kept = words.filter((_, i) => i % 2 === 0).join("");
      assert.equal(text.endIn(kept, {}), kept.length, line);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("ByteTokenizer stops at the last byte of a damaged file without a line feed", () => {
  const text = new ByteTokenizer();
  for (const line of ["BLUE STAR", "CAFÉ", "a & b ".repeat(40), "x".repeat(5000)]) {
    const bytes = new TextEncoder().encode(line);
    assert.equal(text.read(bytes, 0), bytes.length + 1);
  }
});
