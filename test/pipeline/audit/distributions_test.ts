import assert from "node:assert/strict";
import fc from "fast-check";
import { arranged, type Distribution, fleetBand } from "../../../pipeline/audit/distributions.ts";

/** Checks the rows of counts that were found in any order. */
function checkRows(
  name: Parameters<typeof arranged>[0],
  counts: Distribution,
  rows: Distribution,
): void {
  const orders = fc.shuffledSubarray(counts, { minLength: counts.length });
  fc.assert(fc.property(orders, (found) => {
    assert.deepEqual(arranged(name, new Map(found)), rows);
  }));
}

Deno.test("arranged() has every listed label in the order of the list, with 0 where none was found", () => {
  checkRows("status", [["P", 5], ["A", 3]], [["A", 3], ["I", 0], ["P", 5]]);
});

Deno.test("arranged() sorts by label, or by count and label and keeps the most frequent", () => {
  checkRows("roles", [["S", 3], ["B", 1], ["C", 2]], [["B", 1], ["C", 2], ["S", 3]]);
  const forms = Array.from({ length: 12 }, (_, i): Distribution[number] => [
    `FORM ${10 + i}`,
    i < 4 ? 1 : 5,
  ]);
  checkRows("business_form", forms, [...forms.slice(4), ...forms.slice(0, 2)]);
});

Deno.test("fleetBand() has each fleet size in the band that contains it", () => {
  const bands = [undefined, 0, 1, 2, 5, 6, 20, 21, 100, 101, 1000, 1001, 90_000].map(fleetBand);
  assert.deepEqual(bands, [
    ...["not reported", "0", "1", "2-5", "2-5", "6-20", "6-20", "21-100", "21-100"],
    ...["101-1000", "101-1000", "1001+", "1001+"],
  ]);
});
