import assert from "node:assert/strict";
import fc from "fast-check";
import { Dictionary } from "../../../pipeline/search/query/dictionary.ts";
import { encodeTerms } from "../../../pipeline/search/shared/terms_file.ts";

const WORD = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), minLength: 1, maxLength: 9 });
const WORDS = fc.uniqueArray(WORD, { minLength: 1, maxLength: 60 });

function dictionaryOf(words: readonly string[], counts = words.map((_, i) => i + 1)): Dictionary {
  const sorted = words.toSorted();
  return new Dictionary(encodeTerms(sorted, Uint32Array.from(counts)), 5);
}

Deno.test("Dictionary finds each of its terms and no other", () => {
  fc.assert(fc.property(WORDS, WORD, (words, other) => {
    const dictionary = dictionaryOf(words);
    words.toSorted().forEach((word, id) => {
      assert.equal(dictionary.find(word), id);
      assert.equal(dictionary.term(id), word);
      assert.equal(dictionary.count(id), id + 1);
      assert.equal(dictionary.ordinal(id), id < 5 ? -1 : id - 5);
    });
    assert.equal(dictionary.find(other) >= 0, words.includes(other));
  }));
});

Deno.test("Dictionary.completions() are the most frequent terms that begin so", () => {
  fc.assert(fc.property(WORDS, WORD, (words, prefix) => {
    const sorted = words.toSorted();
    const expected = sorted.map((_, id) => id)
      .filter((id) => sorted[id]!.startsWith(prefix) && sorted[id] !== prefix)
      .sort((a, b) => b - a).slice(0, 4);
    assert.deepEqual(dictionaryOf(words).completions(prefix, 4), expected);
  }));
});

Deno.test("Dictionary.nearWords() are all terms that few edits make of a word", () => {
  fc.assert(
    fc.property(WORDS, WORD, fc.constantFrom(1, 2), (words, word, distance) => {
      const sorted = words.toSorted();
      const expected = sorted.flatMap((term, id) => {
        const edits = editDistance(word, term);
        return edits > 0 && edits <= distance ? [{ id, distance: edits }] : [];
      });
      assert.deepEqual(dictionaryOf(words).nearWords(word, distance), expected);
    }),
    { numRuns: 500 },
  );
});

Deno.test("Dictionary refuses bytes that are none", () => {
  const bytes = encodeTerms(["ab", "abc"], Uint32Array.of(1, 2));
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => new Dictionary(bytes.subarray(0, length), 5), TypeError);
  }
});

/** Insertions, deletions, substitutions and swaps of neighbours, by the textbook. */
function editDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  for (let j = 0; j <= b.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + same,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, rows[i - 2]![j - 2]! + 1);
      }
      rows[i]![j] = value;
    }
  }
  return rows[a.length]![b.length]!;
}
