import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeLists, encodeLists, type RawEntry } from "../../../pipeline/search/entry.ts";

const TEXT = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\n\t]|\p{Cs}/gu, " "));
const NUMBER = fc.nat({ max: 99_999_999 });
const ENTRY = fc.record({ dot: NUMBER, fleet: NUMBER, name: TEXT, dba: TEXT, city: TEXT });
const LISTS = fc.uniqueArray(
  fc.record({ key: fc.nat({ max: 2 ** 31 - 1 }), entries: fc.array(ENTRY) }),
  { selector: ({ key }) => key },
);

Deno.test("decodeLists() reads what encodeLists() wrote", () => {
  fc.assert(fc.property(LISTS, (lists) => {
    const raw = lists.map(({ key, entries }) => ({ key, entries: entries.map(toRaw) }));
    const decoded = decodeLists(encodeLists(raw));
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
  const entry = toRaw({ dot: 1, fleet: 3, name: "A", dba: "", city: "B" });
  const bytes = encodeLists([{ key: 7, entries: [entry, entry] }]);
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => decodeLists(bytes.subarray(0, length)), TypeError, String(length));
  }
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
