import assert from "node:assert/strict";
import { buildSample } from "../../../pipeline/sample/sample.ts";
import { SYSTEM_CLOCK } from "../../../pipeline/clock.ts";
import { buildSearchIndex } from "../../../pipeline/search/index/build.ts";
import { CarrierSearch } from "../../../pipeline/search/query/search.ts";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import { type Snapshot, SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";
import { askRealLife, INVENTED, REAL_LIFE } from "./real_life.ts";

Deno.test("CarrierSearch finds in the sample what people mean when they type as they do", async () => {
  const dir = await Deno.makeTempDir();
  try {
    await buildSample(dir);
    const reader = new SnapshotReader(openSource(dir), { clock: SYSTEM_CLOCK });
    await reader.use(async (snapshot) => {
      const records = carriers(snapshot);
      const { manifest } = await buildSearchIndex({ records, to: `${dir}/index` });
      const files = (path: string): Promise<Uint8Array<ArrayBuffer>> =>
        Deno.readFile(`${dir}/index/${path}`);
      const search = new CarrierSearch(files, manifest, { numbers: snapshot });
      const wrong = await askRealLife(async (query) =>
        (await search.search(query, { limit: 10 })).map(({ dot }) => dot)
      );
      assert.deepEqual(wrong, []);
    });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("REAL_LIFE keeps within what a search accepts", () => {
  assert.equal(new Set(REAL_LIFE.map(([query]) => query)).size, REAL_LIFE.length);
  for (const [query] of REAL_LIFE) {
    assert.ok(query.length >= 2 && query.length <= 200, query);
    assert.ok(query.trim().split(/\s+/).length <= 12, query);
  }
});

Deno.test("askRealLife() names every query that is answered otherwise", async () => {
  const expected = new Map(REAL_LIFE.map(([query, dot]) => [query, dot]));
  const right = (query: string): Promise<number[]> => {
    const dot = expected.get(query) ?? null;
    return Promise.resolve(dot === null ? [] : [dot, 5]);
  };
  assert.deepEqual(await askRealLife(right), []);
  const wrong = await askRealLife(async (query) => query === "qv417" ? [] : await right(query));
  assert.deepEqual(wrong, ['"qv417" (letters and number joined): null, expected 95000010']);
  assert.equal((await askRealLife(() => Promise.resolve([5]))).length, REAL_LIFE.length);
});

async function* carriers(snapshot: Snapshot): AsyncGenerator<CarrierRecord> {
  const { runs, width } = snapshot.manifest.families.carriers;
  for (const [first, last] of runs) {
    for (let dot = first * width; dot < (last + 1) * width; dot++) {
      const record = await snapshot.carrier(dot);
      if (record !== null) yield record;
    }
  }
  yield* INVENTED;
}
