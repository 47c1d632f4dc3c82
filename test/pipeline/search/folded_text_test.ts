import assert from "node:assert/strict";
import fc from "fast-check";
import { fold } from "../../../pipeline/search/shared/tokenizer.ts";
import {
  FoldedText,
  LINE_FEED,
  TAB,
  wordHash,
} from "../../../pipeline/search/query/byte_tokenizer.ts";

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
  ),
  fc.string({ unit: "grapheme-ascii", maxLength: 6 }),
  fc.string({ unit: "grapheme", maxLength: 4 }),
);
const TEXT = fc.array(PIECE, { maxLength: 40 })
  .map((pieces) => pieces.join("").replace(/[\n\t]|\p{Cs}/gu, " "));

Deno.test("FoldedText has the words that fold() makes, whatever the text", () => {
  const text = new FoldedText();
  fc.assert(
    fc.property(TEXT, fc.constantFrom(TAB, LINE_FEED), (line, until) => {
      const before = "x\n";
      const bytes = new TextEncoder().encode(`${before}${line}${String.fromCharCode(until)}zz`);
      const next = text.read(bytes, before.length, until);
      assert.equal(next, bytes.length - 2);
      const words = fold(line);
      assert.equal(text.length, words.length, line);
      words.forEach((word, i) => {
        assert.ok(text.is(i, word), `${line}: ${word}`);
        assert.ok(!text.is(i, word + "x") && !text.is(i, "x" + word.slice(1) + "y"), line);
        assert.equal(text.hashes[i], wordHash(word));
        assert.equal(text.isRepeated(i), words.indexOf(word) < i);
      });
      assert.ok(text.spells(words.join("")), line);
      assert.ok(!text.spells(words.join("") + "a"), line);
      const leftOut = Uint8Array.from(words, (_, i) => i % 2);
      assert.ok(text.spells(words.filter((_, i) => i % 2 === 0).join(""), leftOut), line);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("FoldedText ends at the last byte when a damaged file lacks the end of a line", () => {
  const text = new FoldedText();
  for (const line of ["BLUE STAR", "CAFÉ", "a & b ".repeat(40), "x".repeat(5000)]) {
    const bytes = new TextEncoder().encode(line);
    assert.equal(text.read(bytes, 0, TAB), bytes.length + 1);
  }
});
