import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeLists, encodeLists, RAW_HEAD } from "../../../pipeline/search/entry.ts";

const TEXT = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\n\t]|\p{Cs}/gu, " "));
const NUMBER = fc.nat({ max: 99_999_999 });
const ENTRY = fc.record({ dot: NUMBER, fleet: NUMBER, name: TEXT, dba: TEXT, city: TEXT });
const LISTS = fc.uniqueArray(
  fc.record({ key: fc.nat({ max: 2 ** 31 - 1 }), entries: fc.array(ENTRY) }),
  { selector: ({ key }) => key },
);

Deno.test("decodeLists() reads what encodeLists() wrote", () => {
  fc.assert(fc.property(LISTS, (lists) => {
    const decoded = decodeLists(encode(lists));
    assert.equal(decoded.size, lists.length);
    for (const { key, entries } of lists) {
      const expected = entries.map(({ dot, fleet, name, dba, city }) => ({
        dot,
        name,
        dba,
        city,
        state: "TX",
        powerUnits: Math.floor(fleet / 2) - 1,
        active: fleet % 2 === 1,
      }));
      assert.deepEqual(decoded.get(key), expected);
    }
  }));
});

Deno.test("decodeLists() refuses a file that was cut", () => {
  const entry = { dot: 1, fleet: 3, name: "A", dba: "", city: "B" };
  const bytes = encode([{ key: 7, entries: [entry, entry] }]);
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => decodeLists(bytes.subarray(0, length)), TypeError, String(length));
  }
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
