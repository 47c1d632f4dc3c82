import assert from "node:assert/strict";
import fc from "fast-check";
import { groupPostings } from "../../../pipeline/search/index/gather.ts";
import { FILE_BITS, POSTING_HEAD, RAW_AT } from "../../../pipeline/search/index/scatter.ts";
import { Dictionary } from "../../../pipeline/search/query/dictionary.ts";
import { Ranker } from "../../../pipeline/search/query/ranker.ts";
import {
  buildFilter,
  joinFilters,
  NameFilter,
} from "../../../pipeline/search/shared/bloom_filter.ts";
import {
  encodeLists,
  type ListEntry,
  ListFile,
  packSize,
  RAW_HEAD,
  RAW_RANK,
  RAW_SIZE,
} from "../../../pipeline/search/shared/lists_file.ts";
import { edits } from "../../../pipeline/spelling.ts";
import { encodePlaces, Places } from "../../../pipeline/search/shared/places_file.ts";
import { encodeTerms } from "../../../pipeline/search/shared/terms_file.ts";

const WORD = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), minLength: 1, maxLength: 9 });
const WORDS = fc.uniqueArray(WORD, { minLength: 1, maxLength: 60 });

const SIZES = { rare: 5, carriers: 100 };

function dictionaryOf(words: readonly string[], counts = words.map((_, i) => i + 1)): Dictionary {
  const sorted = words.toSorted();
  return new Dictionary(encodeTerms(sorted, Uint32Array.from(counts)), SIZES);
}

Deno.test("Dictionary has exactly its terms, and finds the frequent ones with a prefix and all similar to a word", () => {
  fc.assert(
    fc.property(WORDS, WORD, fc.constantFrom(1, 2), (words, word, distance) => {
      const dictionary = dictionaryOf(words);
      const sorted = words.toSorted();
      for (const [id, term] of sorted.entries()) {
        assert.equal(dictionary.count(term), id + 1);
        assert.equal(dictionary.ordinal(term), id < 5 ? -1 : id - 5);
      }
      assert.equal(dictionary.has(word), words.includes(word));
      const completions = sorted.filter((term) => term.startsWith(word) && term !== word);
      assert.deepEqual(dictionary.completions(word, 4), completions.toReversed().slice(0, 4));
      const near = sorted.map((term) => ({ term, distance: edits(word, term) }))
        .filter((near) => near.distance > 0 && near.distance <= distance);
      assert.deepEqual(dictionary.nearWords(word, distance), near);
    }),
    { numRuns: 500 },
  );
});

Deno.test("Dictionary finds words with up to two sounds spelled differently", () => {
  const words = ["fones", "phone", "phones", "quick", "schneider", "schnyder", "smith", "snider"];
  const dictionary = dictionaryOf(words);
  const alike = (word: string): string[] =>
    dictionary.soundAlikes(word).map(({ term, distance }) => `${term} ${distance}`).sort();
  assert.deepEqual(alike("snider"), ["schneider 2", "schnyder 2"]);
  assert.deepEqual(alike("snyder"), ["schneider 2", "schnyder 1", "snider 1"]);
  assert.deepEqual(alike("kwik"), ["quick 2"]);
  assert.deepEqual(alike("fone"), ["phone 1"]);
  assert.deepEqual(alike("trucking"), []);
});

const TEXT = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\n\t]|\p{Cs}/gu, " "));
const NUMBER = fc.nat({ max: 99_999_999 });
const SIZE = fc.record({
  units: fc.integer({ min: -1, max: 2 ** 20 }),
  active: fc.boolean(),
  step: fc.nat({ max: 127 }),
});
const ENTRY = fc.record({ dot: NUMBER, size: SIZE, name: TEXT, dba: TEXT, city: TEXT });
const LISTS = fc.uniqueArray(
  fc.record({ key: fc.nat({ max: 2 ** 32 - 1 }), entries: fc.array(ENTRY) }),
  { selector: ({ key }) => key },
).map((lists) => lists.sort((a, b) => a.key - b.key));

Deno.test("ListFile reads what encodeLists() wrote, whatever the lists", () => {
  fc.assert(fc.property(LISTS, NUMBER, (lists, other) => {
    const file = new ListFile(encode(lists));
    const cities = lists.flatMap(({ entries }) => entries.map(({ city }) => city));
    const places = new Places(encodePlaces(cities.map((city) => `${city}\tTX`)));
    const ranker = new Ranker({ text: "a", tokens: ["a"], words: ["a"], readings: [] }, {
      expansions: [],
      weights: [1],
      places,
    });
    for (const { key, entries } of lists) {
      const expected = entries.map(({ dot, size, name, dba, city }): ListEntry => ({
        dot,
        name,
        dba_name: dba,
        city,
        state: "TX",
        power_units: size.units,
        active: size.active,
      }));
      const { from, to, text } = file.list(key)!;
      let at = text;
      const read: ListEntry[] = [];
      for (let row = from; row < to; row++) {
        assert.equal(file.inspected(row), entries[row - from]!.size.step);
        read.push(file.entry(row, at, places));
        at = ranker.read(file.bytes, { at, place: file.place(row) });
      }
      assert.deepEqual(read, expected);
    }
    const known = lists.some(({ key }) => key === other);
    assert.equal(file.list(other) !== undefined, known);
  }));
});

Deno.test("Dictionary, ListFile and NameFilter reject a truncated file", () => {
  const size = { units: 0, active: true, step: 0 };
  const entry = { dot: 1, size, name: "A", dba: "", city: "B" };
  const lists = encode([{ key: 7, entries: [entry, entry] }]);
  const files: [Uint8Array, read: (bytes: Uint8Array) => unknown][] = [
    [encodeTerms(["ab", "abc"], Uint32Array.of(1, 2)), (it) => new Dictionary(it, SIZES)],
    [lists, (it) => new ListFile(it)],
    [joinFilters([buildFilter([{ bucket: 1, key: 2 }])]), (it) => new NameFilter(it)],
  ];
  for (const [bytes, read] of files) {
    for (let length = 0; length < bytes.length; length++) {
      assert.throws(() => read(bytes.subarray(0, length)), TypeError, String(length));
    }
    read(bytes);
  }
  assert.throws(() => new ListFile(Uint8Array.from([...lists, 10])), TypeError);
});

Deno.test("Places rejects a truncated file, and a number that it doesn't have", () => {
  const bytes = encodePlaces(["AKRON\tOH", "\t"]);
  const places = new Places(bytes);
  assert.deepEqual(places.get(0), { city: "AKRON", state: "OH", spelled: "akron", code: "oh" });
  assert.equal(places.get(1).city, "");
  assert.throws(() => places.get(2), TypeError);
  assert.throws(() => new Places(bytes.subarray(0, -1)), TypeError);
});

interface TestEntry {
  dot: number;
  size: { units: number; active: boolean; step: number };
  name: string;
  dba: string;
  city: string;
}

function encode(lists: readonly { key: number; entries: TestEntry[] }[]): Uint8Array {
  const raw: number[] = [];
  const offsets: number[] = [];
  const ranges = lists.map(({ key, entries }) => {
    const start = offsets.length;
    for (const { dot, size, name, dba } of entries) {
      const text = new TextEncoder().encode(`${name}\n${dba}\n`);
      const head = new DataView(new ArrayBuffer(RAW_HEAD));
      head.setUint32(0, dot, true);
      head.setUint32(4, packSize(size), true);
      head.setUint32(8, offsets.length, true);
      head.setUint16(RAW_SIZE, text.length, true);
      offsets.push(raw.length);
      raw.push(...new Uint8Array(head.buffer), ...text);
    }
    return { key, start, end: offsets.length };
  });
  return encodeLists(ranges, { entries: Uint32Array.from(offsets), raw: Uint8Array.from(raw) });
}

/** Few keys and ranks, so that lists are long and ranks are shared. Keys of two kinds may be equal. */
const POSTING = fc.record({
  kind: fc.integer({ min: 1, max: 3 }),
  key: fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1),
  rank: fc.oneof(fc.nat(3), fc.maxSafeInteger().map((n) => Math.abs(n) % 2 ** 39)),
});
const CAPS = [0, 1000, 2, 5];

Deno.test("groupPostings() groups by key, then kind, and ranks before it truncates", () => {
  const some = fc.array(POSTING, { maxLength: 200, size: "max" });
  fc.assert(fc.property(some, (all) => {
    const rows = all.map((posting, i) => ({ ...posting, dot: i + 1 }));
    const bytes = new Uint8Array(rows.length * POSTING_HEAD);
    const view = new DataView(bytes.buffer);
    rows.forEach(({ kind, key, dot, rank }, i) => {
      view.setUint32(i * POSTING_HEAD, kind * 2 ** FILE_BITS + 5, true);
      view.setUint32(i * POSTING_HEAD + 4, key, true);
      view.setUint32(i * POSTING_HEAD + RAW_AT, dot, true);
      view.setFloat64(i * POSTING_HEAD + RAW_AT + RAW_RANK, rank, true);
    });
    const { lists, entries } = groupPostings(rows.map((_, i) => i * POSTING_HEAD), {
      view,
      caps: CAPS,
    });
    const found = lists.map(({ kind, key, start, end }) => ({
      kind,
      key,
      dots: Array.from(entries.subarray(start, end), (at) => view.getUint32(at, true)),
    }));
    const groups = Map.groupBy(
      rows.toSorted((a, b) => a.key - b.key || a.kind - b.kind),
      ({ key, kind }) => `${key} ${kind}`,
    );
    const expected = [...groups.values()].map((group) => ({
      kind: group[0]!.kind,
      key: group[0]!.key,
      dots: group.sort((a, b) => b.rank - a.rank || a.dot - b.dot)
        .slice(0, CAPS[group[0]!.kind]).map(({ dot }) => dot),
    }));
    assert.deepEqual(found, expected);
  }));
});
