import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeLists, type RawEntry } from "../../../pipeline/search/entry.ts";
import { type Entry, ListFile } from "../../../pipeline/search/list_file.ts";
import { Ranker } from "../../../pipeline/search/rank.ts";

const TEXT = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\n\t]|\p{Cs}/gu, " "));
const NUMBER = fc.nat({ max: 99_999_999 });
const ENTRY = fc.record({ dot: NUMBER, fleet: NUMBER, name: TEXT, dba: TEXT, city: TEXT });
const LISTS = fc.uniqueArray(
  fc.record({ key: fc.nat({ max: 2 ** 32 - 1 }), entries: fc.array(ENTRY) }),
  { selector: ({ key }) => key },
).map((lists) => lists.sort((a, b) => a.key - b.key));

Deno.test("ListFile reads what encodeLists() wrote, whichever list is asked for", () => {
  const ranker = new Ranker({ tokens: ["a"], words: ["a"], readings: [] }, {
    options: [],
    weigh: () => 1,
  });
  fc.assert(fc.property(LISTS, NUMBER, (lists, other) => {
    const raw = lists.map(({ key, entries }) => ({ key, entries: entries.map(toRaw) }));
    const file = new ListFile(encodeLists(raw));
    for (const { key, entries } of lists) {
      const expected = entries.map(({ dot, fleet, name, dba, city }): Entry => ({
        dot,
        name,
        dba,
        city,
        state: "TX",
        powerUnits: Math.floor(fleet / 2) - 1,
        active: fleet % 2 === 1,
      }));
      const { from, to, text } = file.list(key)!;
      let at = text;
      const read: Entry[] = [];
      for (let row = from; row < to; row++) {
        read.push(file.entry(row, at));
        at = ranker.read(file.bytes, at);
      }
      assert.deepEqual(read, expected);
    }
    const known = lists.some(({ key }) => key === other);
    assert.equal(file.list(other) !== undefined, known);
  }));
});

Deno.test("ListFile refuses a file that was cut, or that has text left over", () => {
  const entry = toRaw({ dot: 1, fleet: 3, name: "A", dba: "", city: "B" });
  const bytes = encodeLists([{ key: 7, entries: [entry, entry] }]);
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => new ListFile(bytes.subarray(0, length)), TypeError, String(length));
  }
  assert.throws(() => new ListFile(Uint8Array.from([...bytes, 10])), TypeError);
});

function toRaw({ dot, fleet, name, dba, city }: {
  dot: number;
  fleet: number;
  name: string;
  dba: string;
  city: string;
}): RawEntry {
  return { dot, fleet, text: new TextEncoder().encode(`${name}\n${dba}\n${city}\tTX`) };
}
