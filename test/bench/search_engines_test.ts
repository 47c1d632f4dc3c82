import assert from "node:assert/strict";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import type { Engine } from "./search_engine.ts";
import { MiniSearchEngine } from "./search_minisearch.ts";
import { SqliteEngine } from "./search_sqlite.ts";

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
  carrier(15, "ZORVANI LOGISTICS LLC", {}),
];

function carrier(dot: number, name: string, more: Partial<CarrierRecord>): CarrierRecord {
  return { dot, legal_name: name, status: "A", ...more };
}

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

Deno.test("search() of every peer bears operators and quotes when a query has them", async () => {
  await withEngines(async (engine) => {
    for (
      const query of ['"', "a AND", "NEAR(", "* OR -", "name:blue", "   ", "'; DROP TABLE words"]
    ) {
      assert.ok(Array.isArray(await engine.search(query, 10)), `${engine.name}: ${query}`);
    }
  });
});

Deno.test("SqliteEngine.prepare() tells the figures of the build when the database was kept", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const built = await new SqliteEngine(`${dir}/a.db`, { rerank: true }).prepare(records());
    const none = (async function* (): AsyncGenerator<CarrierRecord> {})();
    const engine = new SqliteEngine(`${dir}/a.db`, { rerank: true });
    assert.deepEqual(await engine.prepare(none), built);
    assert.deepEqual(await engine.search("zorvani", 10), [15]);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
