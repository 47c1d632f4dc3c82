/** Tests of the search bench: the queries of each kind, what counts as a hit, and that the peers work. */

import assert from "node:assert/strict";
import type { CarrierRecord } from "../../pipeline/snapshot/record/record.ts";
import { type BenchCarrier, benchCarrier, type Engine } from "./search_engine.ts";
import { openMiniSearch } from "./search_minisearch.ts";
import { keysOf, KIND_NAMES, makeQuery } from "./search_queries.ts";
import { drawQuestions, rankOf } from "./search_sample.ts";
import { openSqlite } from "./search_sqlite.ts";

function carrier(dot: number, name: string, more: Partial<BenchCarrier> = {}): BenchCarrier {
  const { dba = "", city = "", state = "", active = true, units = 0, inspections = 0 } = more;
  const record = { dot, legal_name: name, dba_name: dba, city, state };
  return { ...benchCarrier(record as CarrierRecord), active, units, inspections };
}

Deno.test("makeQuery() writes a query of each kind", () => {
  const smith = carrier(286764, "SMITH & STEVENSON EXPRESS, INC.", {
    dba: "S&S EXPRESS",
    city: "EL PASO",
    state: "TX",
  });
  const typed: [kind: string, query: RegExp][] = [
    ["exact", /^SMITH & STEVENSON EXPRESS, INC\.$/],
    ["no_suffix", /^smith & stevenson express$/],
    ["dba", /^s&s express$/],
    ["name_city", /^smith & stevenson express el paso$/],
    ["city_name", /^el paso smith & stevenson express$/],
    ["name_state", /^smith & stevenson express (tx|texas)$/],
    ["reordered", /^(?!smith stevenson express)(?=.*smith)(?=.*stevenson)(?=.*express)/],
    ["dropped_word", /^\w+ \w+$/],
    ["prefix", /^smith & stevenson expr$/],
    ["name_dba", /^smith & stevenson express s&s express$/],
    ["first_word_city", /^smith el paso$/],
    ["abbreviated", /^smith & stevenson (exp|xpress)$/],
    ["and_sign", /^smith(&| | and )stevenson express$/],
    ["dba_city", /^s&s express el paso$/],
    ["dot", /^286764$/],
  ];
  for (const [kind, query] of typed) assert.match(makeQuery(kind, smith, 1)!.query, query, kind);
  assert.match(makeQuery("initials", carrier(1, "K & J TOWING"), 1)!.query, /^k.*j.* towing$/);
  for (const kind of KIND_NAMES) {
    assert.deepEqual(makeQuery(kind, smith, 1), makeQuery(kind, smith, 1));
  }
});

Deno.test("a carrier of the same name in the place that a query names is a hit", () => {
  const blue = carrier(10, "BLUE LINES LLC", { city: "EL PASO", state: "TX" });
  const isHit = (kind: string, other: BenchCarrier): boolean =>
    makeQuery(kind, blue, 1)!.keys.some((key) => keysOf(other).includes(key));
  const other = carrier(2, "BLUE LINES, INC.", { city: "EL PASO", state: "NM" });
  assert.equal(isHit("no_suffix", other), true);
  assert.equal(isHit("name_city", other), true);
  assert.equal(isHit("name_state", other), false);
  assert.equal(isHit("exact", other), false);
  assert.equal(isHit("exact", carrier(3, "Blue Lines L.L.C.")), true);
  assert.equal(isHit("exact", carrier(4, "X", { dba: "BLUE LINES LLC" })), true);
  assert.equal(isHit("dot", carrier(5, "BLUE LINES LLC")), false);
});

Deno.test("rankOf() counts a twin as a hit and looks no further than ten", () => {
  const question = {
    kind: "exact",
    query: "blue lines",
    dot: 5,
    keys: [],
    hits: [5, 9],
    fits: 0,
    meant: 0,
  };
  const ranks = [[9, 5], [1, 5], [], [1, 2, 3, 4, 6, 7, 8, 10, 11, 12, 5]];
  assert.deepEqual(ranks.map((dots) => rankOf(question, dots)), [1, 2, 0, 0]);
});

Deno.test("drawQuestions() draws known carriers by inspections, if most inspections meant by the query are theirs", async () => {
  const fleet: [dot: number, name: string, inspections: number][] = [
    [1, "ZORVANI TRANSPORT SERVICES LLC", 500],
    [2, "ZORVANI TRUCKING INC", 90],
    [3, "OAK HILL FREIGHT LINES", 40],
    [4, "OAK HILL TOURS LLC", 30],
    [5, "OAK GROVE PAVING CO", 30],
    [6, "J B DUNN TRANSPORT INC", 9],
    [7, "NEVER SEEN TRUCKING CO", 0],
  ];
  async function* known(): AsyncGenerator<BenchCarrier> {
    yield* fleet.map(([dot, name, inspections]) => carrier(dot, name, { inspections }));
  }
  const drawn = await drawQuestions(known, { perKind: 9, seed: 1, otherNames: false });
  const queriesOf = (kind: string): string[] =>
    drawn.filter((it) => it.kind === kind).map(({ query, hits }) => `${query} ${hits}`).sort();
  assert.deepEqual(queriesOf("known_first"), ["zorvani 1"]);
  assert.deepEqual(queriesOf("known_two"), [
    "jb dunn 6",
    "oak grove 5",
    "oak hill 3",
    "zorvani transport 1",
  ]);
  assert.deepEqual(queriesOf("known_joined"), [
    "jbdunn 6",
    "oakgrove 5",
    "oakhill 3",
    "zorvanitransport 1",
    "zorvanitrucking 2",
  ]);
  const trades = queriesOf("known_trade");
  assert.equal(trades.length, 3);
  assert.match(trades[0]!, /^j b dunn (trucking|transportation) 6$/);
});

const PASO = { city: "EL PASO", state: "TX" };
const CARRIERS: BenchCarrier[] = [
  carrier(11, "BLUE EAGLE TRUCKING LLC", { active: false, units: 900, ...PASO }),
  carrier(12, "BLUE EAGLE TRUCKING INC", { units: 3, ...PASO }),
  carrier(13, "BLUE EAGLE TRUCKING CO", { units: 80, city: "ENID EAST", state: "OK" }),
  carrier(14, "O'BRIEN & SONS FREIGHT", { dba: "SUMMIT COACH" }),
  carrier(15, "ZORVANI LOGISTICS LLC"),
];

async function* carriers(): AsyncGenerator<BenchCarrier> {
  yield* CARRIERS;
}

Deno.test("drawQuestions() adds twins", async () => {
  const drawn = await drawQuestions(carriers, { perKind: 9, seed: 1, otherNames: false });
  const exact = drawn.filter(({ kind, dot }) => kind === "no_suffix" && dot === 12);
  assert.deepEqual(exact.map(({ hits }) => hits), [[11, 12, 13]]);
});

Deno.test("peers find a carrier by number, place, DBA, prefix and with a typo, larger fleets first", async () => {
  const dir = await Deno.makeTempDir();
  const engines: Engine[] = [
    await openSqlite(`${dir}/a.db`, carriers),
    await openMiniSearch({ share: 1, answers: new Set() }, carriers),
  ];
  for (const engine of engines) {
    assert.deepEqual(await engine.search("blue eagle trucking", 10), [13, 12, 11], engine.name);
    const first = async (query: string): Promise<number | undefined> =>
      (await engine.search(query, 1))[0];
    assert.equal(await first("12"), 12, engine.name);
    assert.equal(await first("blue eagle trucking texas"), 12, engine.name);
    assert.equal(await first("trucking oklahoma"), 13, engine.name);
    assert.equal(await first("summit coa"), 14, engine.name);
    assert.equal(await first("obrien and sons"), 14, engine.name);
    assert.equal(await first("zorvni logistics"), 15, engine.name);
    for (const query of ['"', "a AND", "NEAR(", "* OR -", "name:blue", "   ", "'; DROP TABLE x"]) {
      assert.ok(Array.isArray(await engine.search(query, 10)), `${engine.name}: ${query}`);
    }
  }
  await Deno.remove(dir, { recursive: true });
});
