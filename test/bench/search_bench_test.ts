/** What the figures of the search bench mean: queries as their kinds say, peers that work, ranks and quantiles. */

import assert from "node:assert/strict";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import type { Engine } from "./search_engine.ts";
import { MiniSearchEngine } from "./search_minisearch.ts";
import { isTwin, makeQuery, type QueryKind } from "./search_queries.ts";
import { type EngineAnswer, figures, quantile, rankOf } from "./search_report.ts";
import type { BenchQuestion } from "./search_sample.ts";
import { SqliteEngine } from "./search_sqlite.ts";

function carrier(dot: number, name: string, more: Partial<CarrierRecord> = {}): CarrierRecord {
  return { dot, legal_name: name, status: "A", ...more };
}

Deno.test("makeQuery() writes what each kind says", () => {
  const record = carrier(286764, "SMITH & STEVENSON EXPRESS, INC.", {
    dba_name: "S&S EXPRESS",
    city: "EL PASO",
    state: "TX",
  });
  const query = (kind: QueryKind): string => makeQuery(kind, record, { seed: 1 })!.query;
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

Deno.test("isTwin() accepts a carrier of the same name in the place that the query names", () => {
  const record = carrier(10, "BLUE LINES LLC", { city: "EL PASO", state: "TX" });
  const item = (kind: QueryKind): NonNullable<ReturnType<typeof makeQuery>> =>
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

const QUESTIONS: BenchQuestion[] = [
  { kind: "exact", query: "blue lines", dot: 5, name: "blue lines", hits: [5, 9] },
  { kind: "exact", query: "red lines", dot: 6, name: "red lines", hits: [6] },
  { kind: "dot", query: "7", dot: 7, name: "x", hits: [7] },
  { kind: "dot", query: "8", dot: 8, name: "y", hits: [8] },
];

const ANSWERS: EngineAnswer[] = [
  { dots: [9, 5], ms: 1 },
  { dots: [1, 6], ms: 2 },
  { dots: [], ms: 30 },
  { dots: [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 8], ms: 4 },
];

Deno.test("rankOf() counts a twin and looks no further than ten", () => {
  assert.deepEqual(QUESTIONS.map((question, at) => rankOf(question, ANSWERS[at]!.dots)), [
    1,
    2,
    0,
    0,
  ]);
});

Deno.test("figures() takes means over all questions and milliseconds by rank", () => {
  const all = figures(QUESTIONS, ANSWERS);
  assert.deepEqual(all, {
    questions: 4,
    mrr: 0.375,
    successAt1: 0.25,
    zero: 0.25,
    p50: 2,
    p95: 30,
    max: 30,
  });
  const fetched = ANSWERS.map((answer, at) => ({
    ...answer,
    fetched: { files: at, bytes: 10 * at, trips: 2 },
  }));
  assert.deepEqual(figures(QUESTIONS, fetched).fetched, {
    files50: 1,
    files95: 3,
    bytes50: 10,
    bytes95: 30,
    trips95: 2,
  });
});

Deno.test("quantile() returns the nearest rank", () => {
  const hundred = Array.from({ length: 100 }, (_, at) => at + 1);
  assert.deepEqual([0, 0.5, 0.95, 1].map((share) => quantile(hundred, share)), [1, 50, 95, 100]);
  assert.equal(quantile([], 0.5), NaN);
});

const CARRIERS: CarrierRecord[] = [
  carrier(11, "BLUE EAGLE TRUCKING LLC", {
    status: "I",
    power_units: 900,
    city: "EL PASO",
    state: "TX",
  }),
  carrier(12, "BLUE EAGLE TRUCKING INC", { power_units: 3, city: "EL PASO", state: "TX" }),
  carrier(13, "BLUE EAGLE TRUCKING CO", { power_units: 80, city: "ENID EAST", state: "OK" }),
  carrier(14, "O'BRIEN & SONS FREIGHT", { dba_name: "SUMMIT COACH" }),
  carrier(15, "ZORVANI LOGISTICS LLC"),
];

async function* records(): AsyncGenerator<CarrierRecord> {
  yield* CARRIERS;
}

async function withEngines(work: (engine: Engine) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    const engines = [
      new SqliteEngine(`${dir}/a.db`, { rerank: false }),
      new SqliteEngine(`${dir}/b.db`, { rerank: true }),
      new MiniSearchEngine({ carriers: 5, size: 5, include: new Set() }),
    ];
    for (const engine of engines) {
      const { seconds, indexBytes } = await engine.prepare(records());
      assert.ok(seconds! > 0 && !Number.isNaN(indexBytes), engine.name);
      await work(engine);
    }
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("search() of every peer puts active before inactive and large before small when names are equal", async () => {
  await withEngines(async (engine) => {
    assert.deepEqual(await engine.search("blue eagle trucking", 10), [13, 12, 11], engine.name);
  });
});

Deno.test("search() of every peer finds a carrier by number, place, DBA, prefix and with a typo", async () => {
  await withEngines(async (engine) => {
    const first = async (query: string): Promise<number | undefined> =>
      (await engine.search(query, 1))[0];
    assert.equal(await first("12"), 12, engine.name);
    assert.equal(await first("blue eagle trucking texas"), 12, engine.name);
    assert.equal(await first("trucking oklahoma"), 13, engine.name);
    assert.equal(await first("summit coa"), 14, engine.name);
    assert.equal(await first("obrien and sons"), 14, engine.name);
    assert.equal(await first("zorvni logistics"), 15, engine.name);
  });
});

Deno.test("search() of every peer accepts operators and quotes in a query", async () => {
  await withEngines(async (engine) => {
    for (
      const query of ['"', "a AND", "NEAR(", "* OR -", "name:blue", "   ", "'; DROP TABLE words"]
    ) {
      assert.ok(Array.isArray(await engine.search(query, 10)), `${engine.name}: ${query}`);
    }
  });
});
