import assert from "node:assert/strict";
import fc from "fast-check";
import { Random } from "../synthetic/random.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import { fittingFew } from "./search_fit.ts";
import { findTwins, MOST_FITS, pickItems } from "./search_pick.ts";
import { isTwin, type Kind, KINDS, makeQuery } from "./search_queries.ts";
import { fold, significant, withoutSuffix } from "./search_text.ts";
import { withTypos } from "./search_typos.ts";

const NAMES = ["SMITH", "TRUCKING", "O'BRIEN", "&", "BLUE", "EXPRESS", "STEVENSON", "K", "LINES"];

function carrier(dot: number, name: string, more: Partial<CarrierRecord> = {}): CarrierRecord {
  return { dot, legal_name: name, status: "A", ...more };
}

function country(size: number): CarrierRecord[] {
  const random = new Random();
  return Array.from({ length: size }, (_, at) => {
    random.restart(3, at, 0);
    const word = (): string => NAMES[random.below(NAMES.length)]!;
    // Every third has a word that few have, so that it is known by a part of its name.
    const few = at % 3 === 0 ? `Q${String.fromCharCode(65 + at % 26, 65 + at % 19)}X` : word();
    return carrier(at + 1, `${word()} ${few} ${word()} LLC`, {
      dba_name: `${word()} ${word()}`,
      city: "EL PASO",
      state: random.chance(0.5) ? "TX" : "NM",
      status: random.chance(0.5) ? "A" : "I",
      power_units: random.below(50),
    });
  });
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

Deno.test("makeQuery() writes what each kind says when the carrier has it", () => {
  const record = carrier(286764, "SMITH & STEVENSON EXPRESS, INC.", {
    dba_name: "S&S EXPRESS",
    city: "EL PASO",
    state: "TX",
  });
  const query = (kind: Kind): string => makeQuery(kind, record, { seed: 1 })!.query;
  assert.equal(query("exact"), "SMITH & STEVENSON EXPRESS, INC.");
  assert.equal(query("no_suffix"), "smith & stevenson express");
  assert.equal(query("dba"), "s&s express");
  assert.equal(query("name_city"), "smith & stevenson express el paso");
  assert.match(query("name_state"), /^smith & stevenson express (tx|texas)$/);
  assert.deepEqual(query("reordered").split(" ").sort(), ["express", "smith", "stevenson"]);
  assert.notEqual(query("reordered"), "smith stevenson express");
  assert.equal(query("dropped_word").split(" ").length, 2);
  assert.equal(query("prefix"), "smith & stevenson expr");
  assert.notEqual(query("punctuation"), record.legal_name.toLowerCase());
  assert.equal(query("dot"), "286764");
});

Deno.test("makeQuery() makes nothing when the carrier lacks what the kind needs", () => {
  const bare = carrier(10, "AMY LEE");
  const none: Kind[] = [
    "no_suffix",
    "dba",
    "typo1",
    "typo2",
    "name_city",
    "name_state",
    "dropped_word",
    "prefix",
    "punctuation",
  ];
  for (const kind of none) assert.equal(makeQuery(kind, bare, { seed: 1 }), null, kind);
  for (const kind of KINDS) {
    assert.equal(
      makeQuery(kind, carrier(10, ""), { seed: 1 })?.query,
      kind === "dot" ? "10" : undefined,
    );
    assert.equal(
      makeQuery(kind, carrier(10, "A ".repeat(14)), { seed: 1 }) === null,
      kind !== "dot",
    );
  }
});

Deno.test("withTypos() makes as many slips as asked when there is room, in words of four letters or more", () => {
  const word = fc.string({ unit: fc.constantFrom(..."abcdef"), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 4 }),
      fc.constantFrom<1 | 2>(1, 2),
      fc.nat(),
      (words, count, seed) => {
        const random = new Random().restart(seed, 0, 0);
        const typed = withTypos(words, count, { random, may: (at) => at !== 3 });
        const open = words.slice(0, 3).filter(({ length }) => length >= 4);
        if (typed === null) {
          assert.ok(open.length < count && !open.some(({ length }) => length >= 8));
          return;
        }
        const distances = words.map((before, at) => distance(before, typed[at]!));
        words.forEach(({ length }, at) => {
          if (length < 4 || at === 3) assert.equal(distances[at], 0);
        });
        const hit = distances.filter((each) => each > 0);
        // Two slips in one word of like letters may come to less than two.
        if (count === 1 || hit.length === 2) assert.deepEqual(hit, Array(count).fill(1));
        else assert.ok(words.some(({ length }, at) => length >= 8 && distances[at]! <= 2));
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("isTwin() holds a carrier of the same name for a hit when it sits where the query says", () => {
  const record = carrier(10, "BLUE LINES LLC", { city: "EL PASO", state: "TX" });
  const item = (kind: Kind): NonNullable<ReturnType<typeof makeQuery>> =>
    makeQuery(kind, record, { seed: 1 })!;
  const other = carrier(2, "BLUE LINES, INC.", { city: "EL PASO", state: "NM" });
  assert.equal(isTwin(item("no_suffix"), other), true);
  assert.equal(isTwin(item("name_city"), other), true);
  assert.equal(isTwin(item("name_state"), other), false);
  assert.equal(isTwin(item("exact"), other), false);
  assert.equal(isTwin(item("exact"), carrier(3, "Blue Lines L.L.C.")), true);
  assert.equal(isTwin(item("exact"), carrier(4, "X", { dba_name: "BLUE LINES LLC" })), true);
  assert.equal(isTwin(item("dot"), carrier(5, "BLUE LINES LLC")), false);
  assert.equal(isTwin(item("dot"), record), true);
});

Deno.test("pickItems() draws the same queries when the carriers come in another order", async () => {
  const records = country(500);
  const options = { perKind: 6, seed: 7 };
  const items = await pickItems(() => each(records), options);
  assert.deepEqual(await pickItems(() => each(records.toReversed()), options), items);
  assert.notDeepEqual(await pickItems(() => each(records), { ...options, seed: 8 }), items);
  for (const kind of KINDS) {
    const dots = items.filter((item) => item.kind === kind).map(({ dot }) => dot);
    assert.equal(dots.length, 6, kind);
    assert.equal(new Set(dots).size, 6, kind);
  }
});

Deno.test("pickItems() asks by a name that lost a word only when few carriers have the words left", async () => {
  const records = country(500);
  const items = await pickItems(() => each(records), { perKind: 6, seed: 7 });
  for (const { kind, query } of items) {
    if (kind !== "dropped_word") continue;
    const words = fold(query).split(" ");
    const fits = records.filter(({ legal_name, dba_name }) =>
      [legal_name, dba_name!].some((name) => {
        const has = fold(name).split(" ");
        return words.every((word) => has.includes(word));
      })
    );
    assert.ok(fits.length >= 1 && fits.length <= MOST_FITS, `${query} fits ${fits.length}`);
  }
  // Without the narrowing the same draw has queries that more carriers fit.
  const all = records.flatMap((record) => makeQuery("dropped_word", record, { seed: 7 }) ?? []);
  const few = await fittingFew(all, { records: each(records), limit: MOST_FITS });
  assert.ok(few.size > 0 && few.size < all.length);
});

Deno.test("findTwins() lists every carrier that isTwin() accepts when it has read them all", async () => {
  const records = country(300);
  const items = await pickItems(() => each(records), { perKind: 4, seed: 1 });
  for (const question of await findTwins(items, each(records))) {
    const wanted = records.filter((record) => isTwin(question, record)).map(({ dot }) => dot);
    assert.deepEqual(question.hits, wanted);
    assert.ok(question.hits.includes(question.dot));
  }
});

Deno.test("fold() and withoutSuffix() read the ways of writing one name alike when only signs differ", () => {
  for (const name of ["Peña & Sons L.L.C.", "PENA AND SONS LLC", "pen\u0303a and son's, l l c"]) {
    assert.equal(fold(name), "pena and sons llc");
  }
  assert.equal(withoutSuffix("SMITH, JONES & DOE, INC."), "SMITH, JONES & DOE");
  assert.equal(withoutSuffix("ANDERSON CARTAGE CO INC"), "ANDERSON CARTAGE");
  assert.equal(withoutSuffix("CAMIONES PEÑA SA DE CV"), "CAMIONES PEÑA");
  assert.equal(withoutSuffix("L L C"), "L L C");
  assert.deepEqual(significant("the company"), ["the", "company"]);
});

/** Optimal string alignment: edits and transpositions of neighbours. */
function distance(a: string, b: string): number {
  const rows: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    rows.push([]);
    for (let j = 0; j <= b.length; j++) {
      const edit = i === 0 || j === 0 ? Math.max(i, j) : Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i]!.push(swapped ? Math.min(edit, rows[i - 2]![j - 2]! + 1) : edit);
    }
  }
  return rows[a.length]![b.length]!;
}
