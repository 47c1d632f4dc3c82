import assert from "node:assert/strict";
import vectors from "../../../pipeline/search/vectors.json" with { type: "json" };
import { NameFilter } from "../../../pipeline/search/shared/bloom_filter.ts";
import { hashSet, hashTerm, listKey, mixBits } from "../../../pipeline/search/shared/layout.ts";
import {
  contentWords,
  normalizePlace,
  STOP_WORDS,
  tokenize,
} from "../../../pipeline/search/shared/tokenizer.ts";

Deno.test("words, own words and places match the test vectors", () => {
  for (const { text, words, own_words } of vectors.names) {
    assert.deepEqual(tokenize(text), words, text);
    assert.deepEqual(contentWords(words), own_words, text);
  }
  for (const { text, place } of vectors.places) assert.equal(normalizePlace(text), place);
});

Deno.test("hashes and keys match the test vectors", () => {
  for (const { value, mixed } of vectors.mix) assert.equal(mixBits(value), mixed);
  for (const { term, a, b } of vectors.hashes) assert.deepEqual(hashTerm(term), { a, b });
  for (const { kind, words, buckets, sum, bucket, key } of vectors.lists) {
    assert.deepEqual(hashSet(words), sum);
    assert.deepEqual(listKey(kind, sum, buckets), { bucket, key });
  }
});

Deno.test("a name is in the filter when the bits of the test vectors are set, and not when one is missing", () => {
  for (const { words, buckets, groups, bits, group, set } of vectors.filter) {
    const name = listKey(1, hashSet(words), buckets);
    const filterOf = (those: readonly number[]): NameFilter => {
      const bytes = new Uint8Array(4 + 4 * groups + bits / 8);
      const view = new DataView(bytes.buffer);
      view.setUint32(0, groups, true);
      view.setUint32(4 + 4 * group, bits / 8, true);
      for (const bit of those) bytes[4 + 4 * groups + (bit >>> 3)]! |= 1 << (bit & 7);
      return new NameFilter(bytes);
    };
    assert.equal(filterOf(set).mayHave(name), true);
    for (const left of set) {
      assert.equal(filterOf(set.filter((bit) => bit !== left)).mayHave(name), false);
    }
  }
});

Deno.test("FORMAT.md lists the stop words", async () => {
  const text = await Deno.readTextFile(
    new URL("../../../pipeline/search/FORMAT.md", import.meta.url),
  );
  const [, listed = ""] = /initials \(`CV TRUCKING`\): `([^`]+)`/.exec(text.replace(/\s+/g, " "))!;
  const all = new Set(listed.split(" ")).union(new Set(["the", "and", "of"]));
  assert.deepEqual([...all].sort(), [...STOP_WORDS].sort());
});
