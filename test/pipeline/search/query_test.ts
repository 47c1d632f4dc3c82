import assert from "node:assert/strict";
import fc from "fast-check";
import { numeralAt, spelledOut } from "../../../pipeline/search/query/numerals.ts";
import { numberIntents, queryProblem } from "../../../pipeline/search/query/query.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { carrier, type SmallIndex, smallIndex, TINY } from "./small_index.ts";

Deno.test("numberIntents() reads numbers as people write them", () => {
  const table: [string, string][] = [
    ["286764", "USDOT286764 MC286764"],
    ["00286764", "USDOT286764 MC286764"],
    ["usdot 286764", "USDOT286764"],
    ["USDOT# 286764", "USDOT286764"],
    ["US DOT: 286764", "USDOT286764"],
    ["MC 186800", "MC186800"],
    ["mc-186800", "MC186800"],
    ["MC#00186800", "MC186800"],
    ["ff 77", "FF77"],
    ["0", ""],
    ["123456789", ""],
    ["7 eleven", ""],
    ["mc donald", ""],
  ];
  for (const [query, expected] of table) {
    const intents = numberIntents(query).map(({ prefix, number }) => prefix + number);
    assert.equal(intents.join(" "), expected, query);
  }
});

Deno.test("queryProblem() refuses phone numbers, and no other numbers", () => {
  const phones = [
    "5551234567",
    "(555) 123-4567",
    "555-123-4567",
    "555.123.4567",
    "1-555-123-4567",
    "+1 (555) 123-4567",
    "555/123-4567",
  ];
  for (const query of phones) assert.match(queryProblem(query) ?? "", /^Phone numbers/, query);
  const others = [
    "286764",
    "00000286764",
    "MC-186800",
    "123456789",
    "123456789012",
    "5551234567 trucking",
    "555-123-4567 llc",
  ];
  for (const query of others) assert.equal(queryProblem(query), undefined, query);
});

Deno.test("numeralAt() reads what spelledOut() writes", () => {
  for (let number = 0; number < 100; number++) {
    const words = spelledOut(String(number))!;
    assert.deepEqual(numeralAt([...words, "express"], 0), { words, digits: String(number) });
  }
  assert.equal(numeralAt(["express", "four"], 0), undefined);
  assert.deepEqual(numeralAt(["twenty", "zero"], 0)?.digits, "20");
  for (const word of ["100", "4u", "four"]) assert.equal(spelledOut(word), undefined, word);
});

/**
 * The most files that a search reads: the dictionary and the filter; names as typed; names of known carriers;
 * corrected names; lists of parts; lists of terms.
 */
const MAX_FILES = 2 + 5 + 3 + (6 + 4) + 8 + 3;

const PARTS = [
  "BLUE",
  "STAR",
  "TRUCKING",
  "TRANSPORT",
  "SMITH",
  "GARCIA",
  "A",
  "B",
  "L L C",
  "SAINT",
];

function* records(): Generator<CarrierRecord> {
  for (let dot = 1; dot <= 300; dot++) {
    const pick = (step: number): string => PARTS[(dot * step + (dot >> 3)) % PARTS.length]!;
    yield carrier(dot, `${pick(1)} ${pick(3)} ${pick(7)}`, {
      city: `${pick(7)} CITY`,
      state: dot % 2 === 0 ? "TX" : "CA",
      power_units: dot,
    });
  }
}

async function ask(index: SmallIndex, query: string): Promise<number[]> {
  index.reads.files = 0;
  const found = await index.search.search(query, { limit: 7 });
  assert.ok(index.reads.files <= MAX_FILES, `${query}: ${index.reads.files} files`);
  assert.ok(found.length <= 7);
  const dots = found.map(({ dot }) => dot);
  assert.equal(new Set(dots).size, dots.length, query);
  return dots;
}

Deno.test("CarrierSearch reads a limited number of files, whatever the query, and rejects one too short or too long", async () => {
  await using index = await smallIndex(records(), { shape: TINY });
  for (
    const query of [
      "aa",
      "a b",
      "llc",
      "texas",
      "x".repeat(200),
      "a b c d e f g h i j k l",
      "blue star trucking transport smith garcia saint city texas ca tx llc",
      "st st st st st st st st st st st st",
      "trucking ".repeat(12),
      "transportation".repeat(14).slice(0, 200),
    ]
  ) await ask(index, query);
  const query = fc.array(
    fc.oneof(fc.constantFrom(...PARTS, "tx", "new", "york"), fc.string({ unit: "grapheme" })),
    { minLength: 1, maxLength: 12 },
  ).map((words) => words.join(" ")).filter((text) =>
    text.trim().length >= 2 && text.length <= 200 && text.trim().split(/\s+/).length <= 12
  );
  await fc.assert(
    fc.asyncProperty(query, async (text) => {
      await ask(index, text);
    }),
    { numRuns: 60 },
  );
  for (const query of ["", "a", "  a  ", "x".repeat(201), "w ".repeat(13)]) {
    await assert.rejects(index.search.search(query, { limit: 5 }), RangeError);
  }
  assert.deepEqual(await ask(index, "!!! ???"), []);
});

Deno.test("CarrierSearch finds hostile names by hostile queries", async () => {
  const texts = [
    "'; DROP TABLE CARRIERS; --",
    "<SCRIPT>ALERT(1)</SCRIPT>",
    "__proto__",
    "constructor hasOwnProperty",
    "\u202eGNIKCURT",
    "A\tB\nC TRUCKING",
    "💥 EMOJI 💥",
    "W".repeat(120),
    "İSTANBUL ÇELİK",
  ];
  const attacks = texts.map((text, i) => carrier(i + 1, text, { dba_name: text, city: text }));
  await using index = await smallIndex(attacks, { shape: TINY });
  for (const [i, text] of texts.entries()) {
    assert.equal((await ask(index, text))[0], i + 1, text);
  }
});

Deno.test("CarrierSearch loads its dictionary once for concurrent searches", async () => {
  await using index = await smallIndex(records(), { cacheBytes: 1 << 24 });
  await Promise.all(
    Array.from({ length: 9 }, () => index.search.search("blue star", { limit: 5 })),
  );
  const { files } = index.reads;
  await index.search.search("blue star", { limit: 5 });
  assert.equal(index.reads.files, files);
  assert.ok(files <= MAX_FILES);
});
