import assert from "node:assert/strict";
import fc from "fast-check";
import { SHAPE } from "../../../pipeline/search/index/build.ts";
import { contentWords, tokenize } from "../../../pipeline/search/shared/tokenizer.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import type { Snapshot } from "../../../pipeline/snapshot/reader.ts";
import { searchSnapshot } from "../../../pipeline/search/query/search.ts";
import { carrier, inspected, smallIndex, SURNAMES, TINY } from "./small_index.ts";

const WORDS =
  "blue ridge garcia trucking transport star eagle valley golden express freight swift povalkriban"
    .split(" ");
const CITIES = ["DALLAS", "PHOENIX", "SAINT LOUIS", "OAK GROVE"];
const NAME = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(" ").toUpperCase() + " LLC");
const RECORDS: fc.Arbitrary<CarrierRecord[]> = fc.uniqueArray(
  fc.record({
    dot: fc.integer({ min: 1, max: 9999 }),
    legal_name: NAME,
    city: fc.constantFrom(...CITIES),
    state: fc.constantFrom("TX", "AZ"),
    status: fc.constantFrom("A" as const, "I" as const),
    power_units: fc.nat({ max: 300 }),
  }),
  { selector: ({ dot }) => dot, minLength: 1, maxLength: 25 },
);

Deno.test("indexSpilled() writes the same bytes for the same records in any partitions", async () => {
  await fc.assert(
    fc.asyncProperty(RECORDS, fc.integer({ min: 1, max: 20 }), async (records, partition) => {
      records.sort((a, b) => a.dot - b.dot);
      await using one = await smallIndex(records, { shape: TINY });
      await using other = await smallIndex(records, { shape: TINY, partition });
      assert.deepEqual(await one.files(), await other.files());
      assert.deepEqual(one.built, other.built);
    }),
    { numRuns: 8 },
  );
});

Deno.test("CarrierSearch finds each name, also with a misspelled word, whatever the index's bounds", async () => {
  await fc.assert(
    fc.asyncProperty(RECORDS, fc.nat(), async (records, seed) => {
      await using index = await smallIndex(records, { shape: TINY });
      for (const { legal_name } of records) {
        const [first] = await index.search.search(legal_name, { limit: 1 });
        assert.equal(nameKey(first!.name), nameKey(legal_name));
        const words = contentWords(tokenize(legal_name));
        const at = seed % words.length;
        const word = words[at]!;
        const cut = seed % word.length;
        words[at] = word.slice(0, cut) + "q" + word.slice(cut + 1);
        const found = await index.search.search(words.join(" "), { limit: 10 });
        assert.ok(found.some(({ name }) => nameKey(name) === nameKey(legal_name)), words.join(" "));
      }
    }),
    { numRuns: 8 },
  );
});

/** Carriers that people look up by parts of their names, and others. */
const KNOWN: CarrierRecord[] = [
  carrier(1, "J B HUNT TRANSPORT INC", { city: "LOWELL", state: "AR", ...inspected(20_000) }),
  carrier(2, "FEDEX GROUND PACKAGE SYSTEM INC", inspected(9_000)),
  carrier(3, "FEDERAL EXPRESS CORPORATION", { dba_name: "FEDEX EXPRESS", ...inspected(12_000) }),
  carrier(4, "SWIFT TRANSPORTATION CO OF ARIZONA LLC", { city: "PHOENIX", ...inspected(26_000) }),
  carrier(5, "SWIFT TRUCKING LLC", { power_units: 900, ...inspected(3) }),
  carrier(6, "24/7 EXPRESS LLC"),
  carrier(7, "FOUR STAR TRUCKING"),
  carrier(8, "SCHNEIDER NATIONAL CARRIERS INC", inspected(15_000)),
  carrier(9, "SCHNEIDER LLC", { power_units: 900 }),
  carrier(10, "SNIDER FREIGHT LLC", { power_units: 900 }),
  carrier(11, "OLD PINE MOVERS LLC", { status: "I", ...inspected(5_000) }),
  carrier(12, "OLD PINE TOWING LLC", { power_units: 900 }),
  ...SURNAMES.flatMap((name, i) => [
    carrier(20 + i, `${name} HAULING LLC`, { city: "AKRON", state: "OH", power_units: i }),
    carrier(30 + i, `${name} OHIO LOGISTICS`, { city: "LOWELL", state: "AR", power_units: i }),
    carrier(40 + i, `${name} HAULING OF AKRON OHIO`, { city: "RENO", state: "OH" }),
    carrier(50 + i, `${name} NATIONAL EXPRESS`, { city: "RENO", state: "NV" }),
  ]),
  carrier(60, "AXIRON INC", { power_units: 900 }),
  carrier(61, "AKRO INC", { power_units: 900 }),
];

for (const [shape, sizes] of Object.entries({ SHAPE, TINY })) {
  Deno.test(`CarrierSearch finds known carriers by parts and other forms of their names, shape ${shape}`, async () => {
    await using index = await smallIndex(KNOWN, { shape: sizes });
    const first: Record<string, number> = {
      "jbhunt": 1,
      "jb hunt": 1,
      "swift": 4,
      "swift trucking": 4,
      "swift transport": 4,
      "swift trucking llc": 5,
      "fedex": 2,
      "twenty four seven express": 6,
      "twenty-four seven express": 6,
      "247 express": 6,
      "4 star trucking": 7,
      "schneider": 8,
      "schneider national": 8,
      "snider national": 8,
      "snyder national": 8,
      "snider freight": 10,
      "old pine": 12,
    };
    for (const [query, dot] of Object.entries(first)) {
      assert.equal((await index.search.search(query, { limit: 10 }))[0]?.dot, dot, query);
    }
    const both = (await index.search.search("fed ex", { limit: 3 })).map(({ dot }) => dot);
    assert.ok(both.includes(2) || both.includes(3), `fed ex: ${both}`);
  });

  Deno.test(`CarrierSearch reads a city as the place, also with its state in words, shape ${shape}`, async () => {
    await using index = await smallIndex(KNOWN, { shape: sizes });
    for (
      const [query, city] of [
        ["akron", "AKRON"],
        ["akron oh", "AKRON"],
        ["akron ohio", "AKRON"],
        ["lowell arkansas", "LOWELL"],
      ] as const
    ) {
      const found = await index.search.search(query, { limit: 3 });
      assert.deepEqual(found.map((hit) => hit.city), [city, city, city], query);
    }
  });
}

// Words that are spelled like the state took the turn of "crane", so no crane was found.
Deno.test("CarrierSearch finds a word of a name in a city whose state is written out", async () => {
  const names = [
    ...["COX", "WABAMA", "LONE LAND"].map((name) => `${name} CRANE`),
    ...["FREIGHT", "EXPRESS", "HAULING", "TRUCKING"].map((word) => `DES MOINES ${word}`),
  ];
  const elsewhere = [
    ...["IONA", "IOWAN", "IOWANA"].map((word) => `${word} CARTAGE`),
    ...Array.from({ length: 20 }, (_, i) => `ACME ${i} CRANE`),
  ];
  const records = [
    ...names.map((name) => ({ name, city: "DES MOINES", state: "IA" })),
    ...elsewhere.map((name) => ({ name, city: "RENO", state: "NV" })),
  ].map(({ name, ...place }, i) => carrier(i + 1, name, place));
  await using index = await smallIndex(records);
  for (const query of ["crane in Des Moines Iowa", "crane Des Moines IA"]) {
    const found = await index.search.search(query, { limit: 3 });
    assert.deepEqual(found.map(({ dot }) => dot).sort(), [1, 2, 3], query);
  }
});

Deno.test("CarrierSearch reports the words that a carrier has in no spelling", async () => {
  await using index = await smallIndex(KNOWN);
  for (
    const [query, dot, unmatched] of [
      ["swift xyzzyq", 5, ["xyzzyq"]],
      ["snidr freight", 10, []],
      ["jbhunt lowell", 1, []],
      ["swift trucking phoenix", 4, []],
      ["swift trucking in phoenix", 4, []],
    ] as const
  ) {
    const [first] = await index.search.search(query, { limit: 3 });
    assert.deepEqual([first?.dot, first?.unmatched], [dot, unmatched], query);
  }
});

Deno.test("searchSnapshot() reads an index of version 5, and none of an unknown version", async () => {
  await using index = await smallIndex(KNOWN);
  const files = await index.files();
  const search = (format: number) => {
    const manifest = { search: { ...index.built.manifest, format } };
    const snapshot = {
      manifest,
      read: (path: string) => Promise.resolve(files.get(path)),
      docket: () => Promise.resolve([]),
      carrier: () => Promise.resolve(null),
    };
    return searchSnapshot(snapshot as unknown as Snapshot, "snider freight", { limit: 1 });
  };
  assert.equal((await search(5))?.[0]?.dot, 10);
  assert.equal((await search(6))?.[0]?.dot, 10);
  assert.equal(await search(4), null);
  assert.equal(await search(7), null);
});

Deno.test("CarrierSearch finds a carrier by a query with several mistakes", async () => {
  const records = [
    carrier(1, "WILDCAT FREIGHT LLC", { city: "ALBUQUERQUE", state: "NM" }),
    carrier(2, "HARPER PROPANE INC", { dba_name: "ACORN MATERIALS", city: "LAS CRUCES" }),
    carrier(3, "TURNER HAULING LLC", { city: "KENT", state: "WA" }),
    carrier(4, "Y & P MASONRY", { city: "BOISE", state: "ID" }),
    ...Array.from({ length: 9 }, (_, i) => carrier(10 + i, `TURNER ${"ABCDEFGHI"[i]} FARMS`)),
  ];
  for (const shape of [SHAPE, TINY]) {
    await using index = await smallIndex(records, { shape });
    for (
      const [query, dot] of [
        ["wildcat freight albuqerqe", 1],
        ["wildcat freight group albuquerque", 1],
        ["wlidct freihgt", 1],
        ["wldcat frei", 1],
        ["harper propane acorn materials", 2],
        ["harper propane las cruce", 2],
        ["turner kent", 3],
        ["truner hualing wa", 3],
        ["y p", 4],
        ["wildcats freight nm", 1],
        ["wildcat freight albuq", 1],
        ["wild cat freight xyzzy", 1],
        ["harper propane acorn material", 2],
      ] as const
    ) {
      const [first] = await index.search.search(query, { limit: 3 });
      assert.equal(first?.dot, dot, query);
    }
  }
});

/** The same for names that differ only in their legal form. */
function nameKey(name: string): string {
  return contentWords(tokenize(name)).toSorted().join(" ");
}
