import assert from "node:assert/strict";
import fc from "fast-check";
import { listsOf } from "../../../pipeline/search/index/gather.ts";
import { FILE_BITS, POSTING_HEAD, RAW_AT } from "../../../pipeline/search/index/scatter.ts";

/** Few keys and ranks, so that lists are long and ranks are shared; keys of two kinds may be the same. */
const POSTING = fc.record({
  kind: fc.integer({ min: 1, max: 3 }),
  key: fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1),
  rank: fc.oneof(fc.nat(3), fc.maxSafeInteger().map((n) => Math.abs(n) % 2 ** 39)),
});
const CAPS = [0, 1000, 7, 30];

Deno.test("listsOf() groups by key, then kind, and ranks before it cuts, whatever the order", () => {
  const some = fc.array(POSTING, { maxLength: 200 });
  fc.assert(fc.property(some, fc.boolean(), (all, reversed) => {
    const rows = all.map((posting, i) => ({ ...posting, dot: i + 1 }));
    if (reversed) rows.reverse();
    const bytes = new Uint8Array(rows.length * POSTING_HEAD);
    const view = new DataView(bytes.buffer);
    rows.forEach(({ kind, key, dot, rank }, i) => {
      view.setUint32(i * POSTING_HEAD, kind * 2 ** FILE_BITS + 5, true);
      view.setUint32(i * POSTING_HEAD + 4, key, true);
      view.setUint32(i * POSTING_HEAD + RAW_AT, dot, true);
      view.setFloat64(i * POSTING_HEAD + RAW_AT + 8, rank, true);
    });
    const { lists, entries } = listsOf(rows.map((_, i) => i * POSTING_HEAD), { view, caps: CAPS });
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
