import assert from "node:assert/strict";
import fc from "fast-check";
import { SHAPE } from "../../../pipeline/search/index/build.ts";
import type { SearchShape } from "../../../pipeline/search/index/terms.ts";
import { contentWords, tokenize } from "../../../pipeline/search/shared/tokenizer.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import type { Snapshot } from "../../../pipeline/snapshot/reader.ts";
import { searchSnapshot } from "../../../pipeline/search/query/search.ts";
import { carrier, inspected, smallIndex, TINY } from "./small_index.ts";

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

const LEWIS = ["LEWIS", "KOVAL", "BYRD", "PENA", "DUNN", "HALE", "NASH", "WARE"];
const TRADES = ["FREIGHT", "TRUCKING", "LANDSCAPING"].flatMap((trade) =>
  ["SMITH", "BLUE RIDGE", "ORTEGA"].map((name) => `${name} ${trade} LLC`)
);

/** Records, and the USDOT numbers that a query must find first among them, in order. */
const RANKED: Record<string, {
  records: CarrierRecord[];
  found: Record<string, number[]>;
  shape?: SearchShape;
}> = {
  "a name narrowed by city and state": {
    records: [
      carrier(1, "SWIFT TRUCKING LLC", { city: "DALLAS", state: "TX", power_units: 900 }),
      carrier(2, "SWIFT TRUCKING LLC", { city: "PHOENIX", state: "AZ", power_units: 5 }),
      carrier(3, "PHOENIX TRUCKING INC", { city: "RENO", state: "NV", power_units: 2 }),
      carrier(4, "ARIZONA FREIGHT", { city: "ST LOUIS", state: "MO" }),
    ],
    found: {
      "swift trucking": [1],
      "swift phoenix": [2],
      "swift trucking az": [2],
      "swift trucking in phoenix, Arizona": [2],
      "phoenix trucking": [3],
      "arizona freight saint louis": [4],
      "nevada": [3],
    },
  },
  "the exact name, then active, then the larger fleet": {
    records: [
      carrier(1, "STAR EXPRESS INC", { status: "I", power_units: 900 }),
      carrier(2, "STAR EXPRESS LLC", { power_units: 1 }),
      carrier(3, "STAR EXPRESS LTD", { power_units: 7 }),
      carrier(4, "STAR EXPRESS FREIGHT LLC", { power_units: 9000 }),
      carrier(5, "OTHER CO", { dba_name: "STAR EXPRESS", power_units: 3 }),
    ],
    found: {
      "star express": [5, 3, 2, 1, 4],
      "star express inc": [1, 3, 5, 2, 4],
      "starexpress": [5, 3, 2, 1, 4],
      "llc": [4, 2],
    },
  },
  'a last "co" as company, then as Colorado': {
    records: [
      carrier(1, "GARCIA TRUCKING LLC", { state: "TX", power_units: 90 }),
      carrier(2, "GARCIA TRUCKING LLC", { state: "CO", city: "DENVER", power_units: 1 }),
      carrier(3, "GARCIA TRUCKING CO", { state: "TX", power_units: 5 }),
      carrier(4, "GARCIA FREIGHT LLC", { state: "CO", city: "DENVER", power_units: 99 }),
    ],
    found: { "garcia trucking co": [3, 2, 1], "garcia trucking colorado": [2, 1, 3] },
  },
  // Regression: a corrected name filled the results and hid the longer one with the words as typed.
  "longer names before a corrected one": {
    records: [
      carrier(1, "JERRI FLOORING LLC", { power_units: 50 }),
      carrier(2, "JERRY COOPER FLOORING LLC", { power_units: 1 }),
    ],
    found: { "jerry flooring": [2] },
  },
  // Regression: a completion of a common word replaced the city's list, so no carrier had both.
  "a common first word with its city": {
    records: [
      ...LEWIS.map((name, i) =>
        carrier(10 + i, `CARLOS ${name}`, { city: "RENO", power_units: 9 })
      ),
      carrier(1, "CARLOS L HORTON", { city: "TEXARKANA" }),
      carrier(2, "CARLOSS EXPRESS", { city: "ELKO" }),
    ],
    found: { "carlos texarkana": [1] },
    shape: TINY,
  },
  "abbreviations and other endings of common words": {
    records: TRADES.map((name, i) => carrier(i + 1, name)),
    found: { "smith frt": [1], "smith trkg": [4], "blue ridge trk": [5], "ortega landscape": [9] },
    shape: TINY,
  },
  "the shorter of two words with the same abbreviation": {
    records: ["SMITH TRANSPORTATION", "SMITH TRANSPORT", "LEE TRANSPORT", "LEE TRANSPORTATION"]
      .concat("TRANSPORT", "TRANSPORTATION").map((name, i) => carrier(i + 1, name)),
    found: { "smith trnsprt": [2, 1], "smith trnsprttn": [1] },
    shape: TINY,
  },
  'a city after "of" in the name before a carrier there': {
    records: [
      carrier(1, "ALLEN TRUCKING LLC", { city: "TORONTO", power_units: 9 }),
      carrier(2, "ALLEN TRUCKING OF TORONTO INC", { city: "ROCKFORD" }),
    ],
    found: { "alen trucking of toronto": [2, 1], "alen trucking toronto": [1, 2] },
  },
  // Regression: names with completions of the state left no room for those in the state.
  "a corrected name in its state": {
    records: [
      carrier(1, "THOMAS LOGISTICS LLC", { state: "CA" }),
      ...["CAIN", "CALVIN", "CAMPBELL", "CARLSON", "CARTER", "CASE", "CASTRO"].map((name, i) =>
        carrier(10 + i, `THOMAS ${name} LOGISTICS`, { state: "TX" })
      ),
      ...LEWIS.map((name, i) => carrier(20 + i, `${name} LOG LLC`, { state: "CA" })),
    ],
    found: { "thomas log ca": [1] },
    shape: TINY,
  },
  "initials that are left out, or stand for a legal form elsewhere": {
    records: [
      carrier(1, "MATTHEW B MONTGOMERY", { city: "BECKLEY" }),
      carrier(2, "MATTHEW CASTRO", { city: "MONTGOMERY", power_units: 9 }),
      carrier(3, "L E JENKINS HOT SHOT"),
      carrier(4, "JENKINS HOT SHOT LLC", { power_units: 9 }),
      carrier(5, "CV HAULING LLC"),
      carrier(6, "PC HAULING LLC", { power_units: 9 }),
      carrier(7, "HAULING SA DE CV", { power_units: 99 }),
      carrier(8, "AMOS S MARTINEZ", { power_units: 9 }),
      carrier(9, "AMOS S SMITH"),
    ],
    found: {
      "matthew montgomery": [1, 2],
      "l jenkins hot shot": [3, 4],
      "c.v. hauling": [5],
      "cv hauling llc": [5],
      "hauling sa de cv": [7],
      "haul ing": [7],
      "amos s": [8, 9],
    },
  },
  "each of two names filed as one": {
    records: [
      carrier(1, "YUSUF AND SONS TREE LLC DBA TORRES SONS DELIVERY"),
      ...["YUSUF SONS", "SONS TREE", "TORRES SONS", "SONS DELIVERY"].flatMap((name, i) =>
        LEWIS.map((word, k) =>
          carrier(10 * i + k + 10, `${name} ${word} GROUP`, { power_units: 9 })
        )
      ),
    ],
    found: { "yusuf & sons tree": [1], "torres sons delivery": [1] },
    shape: TINY,
  },
  // Regression: names without all the words, and words mistaken for another, filled the results.
  "longer names where shorter ones would fill the answer": {
    records: [
      carrier(1, "MIDLAND PAVING LLC", { city: "MIDLAND" }),
      carrier(2, "WALKER PAVING OF MIDLAND LLC"),
      carrier(3, "CLARK RECYCLING LLC", { city: "JACKSONVILLE", power_units: 99 }),
      carrier(4, "JASON CLARK", { city: "JACKSONVILLE" }),
      ...LEWIS.map((_, i) => carrier(10 + i, "PAVING CO", { power_units: 9 })),
      ...LEWIS.map((_, i) => carrier(20 + i, "JASON CLARK", { power_units: 9 })),
      ...LEWIS.map((_, i) => carrier(30 + i, "JACKSONVILLE FREIGHT")),
    ],
    found: { "paving midland": [1, 2], "clark jacksonville": [3, 4] },
    shape: { ...TINY, name: 9, head: 9 },
  },
  "both names before one with the same words": {
    records: [
      carrier(1, "ROGER SANCHEZ LOGISTICS LLC", { power_units: 9 }),
      carrier(2, "ROGER SANCHEZ", { dba_name: "SANCHEZ LOGISTICS INC" }),
    ],
    found: { "roger sanchez sanchez logistics": [2, 1], "roger sanchez logistics": [1, 2] },
  },
  "a plural, or a name and its initial": {
    records: [
      carrier(1, "BALWINDER S SINGH"),
      carrier(2, "BALWINDER SINGH"),
      carrier(3, "BALWINDER'S SINGH CARTAGE"),
    ],
    found: { "balwinders singh": [1, 2, 3] },
  },
  "the spelling that was typed before others of the same name": {
    records: [
      carrier(1, "K & J TRUCKING", { power_units: 90 }),
      carrier(2, "KJ TRUCKING", { power_units: 1 }),
      carrier(3, "A & R HAULING LLC", { power_units: 90 }),
      carrier(4, "A AND R HAULING LLC", { power_units: 1 }),
    ],
    found: {
      "kj trucking": [2, 1],
      "k & j trucking": [1, 2],
      "a and r hauling": [4, 3],
      "a & r hauling": [3, 4],
    },
  },
};

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
  ...LEWIS.flatMap((name, i) => [
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

Deno.test("CarrierSearch ranks a known carrier above namesakes that are inspected far less", async () => {
  const vector = Array.from({ length: 10 }, (_, i) => carrier(10 + i, "VECTOR TRANSPORT LLC"));
  await using index = await smallIndex([
    carrier(1, "VECTOR TRUCKING INC", inspected(47)),
    ...vector,
    carrier(2, "METEOR TRUCKING INC", inspected(48)),
    ...vector.map(({ dot }) => carrier(dot + 10, "METEOR TRANSPORT LLC")),
    carrier(3, "JADE TRUCKING INC", inspected(12)),
    carrier(30, "JADE TRANSPORT LLC"),
    carrier(4, "GARY HANCOCK CARRIERS LLC", inspected(40)),
    carrier(40, "GARY H HANCOCK", { power_units: 900 }),
    carrier(5, "E & R TRUCKING LLC", inspected(100)),
    carrier(50, "RIKA HAULING LLC", { dba_name: "ER TRUCKING" }),
    carrier(6, "HESS BROTHERS GROUP", inspected(3)),
    carrier(60, "HESS BROTHERS TRUCKING LP", { power_units: 900 }),
    carrier(7, "OLD FIELD FARMS LLC", { dba_name: "RAMIREZ FREIGHT LINES", ...inspected(300) }),
    carrier(70, "RAMIREZ FREIGHT LLC", { status: "I" }),
  ]);
  const first: Record<string, number> = {
    // The query has another trade word. That needs 9 more steps of inspections, plus 9 against ten carriers with
    // the typed name, or plus 1 against one.
    "vector transport": 10,
    "meteor transport": 2,
    "jade transport": 3,
    // With an initial that was not typed.
    "gary hancock": 4,
    // Of two names that match equally well, that of the more inspected carrier.
    "hess brothers": 6,
    // A DBA name with more words doesn't count.
    "ramirez freight": 70,
  };
  for (const [query, dot] of Object.entries(first)) {
    for (const limit of [1, 3, 25]) {
      const [hit] = await index.search.search(query, { limit });
      assert.equal(hit?.dot, dot, `${query}, ${limit} results`);
    }
  }
  // The same letters, split into other words.
  assert.equal((await index.search.search("ertrucking", { limit: 10 }))[0]?.dot, 5);
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

for (const [what, { records, found, shape = SHAPE }] of Object.entries(RANKED)) {
  Deno.test(`CarrierSearch finds ${what}`, async () => {
    await using index = await smallIndex(records, { shape });
    for (const [query, dots] of Object.entries(found)) {
      const first = await index.search.search(query, { limit: dots.length });
      assert.deepEqual(first.map(({ dot }) => dot), dots, query);
    }
  });
}

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
