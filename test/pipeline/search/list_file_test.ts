import assert from "node:assert/strict";
import fc from "fast-check";
import {
  encodeLists,
  type Entry,
  ListFile,
  RAW_HEAD,
} from "../../../pipeline/search/shared/lists_file.ts";
import { Ranker } from "../../../pipeline/search/query/ranker.ts";

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
    const file = new ListFile(encode(lists));
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
  const entry = { dot: 1, fleet: 3, name: "A", dba: "", city: "B" };
  const bytes = encode([{ key: 7, entries: [entry, entry] }]);
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => new ListFile(bytes.subarray(0, length)), TypeError, String(length));
  }
  assert.throws(() => new ListFile(Uint8Array.from([...bytes, 10])), TypeError);
});

interface TestEntry {
  dot: number;
  fleet: number;
  name: string;
  dba: string;
  city: string;
}

function encode(lists: readonly { key: number; entries: TestEntry[] }[]): Uint8Array {
  const raw: number[] = [];
  const offsets: number[] = [];
  const ranges = lists.map(({ key, entries }) => {
    const start = offsets.length;
    for (const { dot, fleet, name, dba, city } of entries) {
      const text = new TextEncoder().encode(`${name}\n${dba}\n${city}\tTX\n`);
      const head = new DataView(new ArrayBuffer(RAW_HEAD));
      head.setUint32(0, dot, true);
      head.setUint32(4, fleet, true);
      head.setUint16(16, text.length, true);
      offsets.push(raw.length);
      raw.push(...new Uint8Array(head.buffer), ...text);
    }
    return { key, start, end: offsets.length };
  });
  return encodeLists(ranges, { entries: Uint32Array.from(offsets), raw: Uint8Array.from(raw) });
}
