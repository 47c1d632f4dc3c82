import assert from "node:assert/strict";
import fc from "fast-check";
import { distance, Keywords } from "../../../api/ask/near.ts";

const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 7 });

Deno.test("distance() counts each kind of edit once and is the same both ways", () => {
  assert.equal(distance("active", "actve"), 1);
  assert.equal(distance("active", "activve"), 1);
  assert.equal(distance("active", "adtive"), 1);
  assert.equal(distance("active", "acitve"), 1);
  assert.equal(distance("active", "inactive"), 2);
  fc.assert(fc.property(word, word, (a, b) => {
    assert.equal(distance(a, b), distance(b, a));
    assert.equal(distance(a, b) === 0, a === b);
    assert.ok(distance(a, b) <= Math.max(a.length, b.length));
    assert.ok(distance(a, b) >= Math.abs(a.length - b.length));
    const [full, bounded] = [distance(a, b), distance(a, b, { most: 2 })];
    assert.equal(bounded <= 2 ? bounded : 3, Math.min(full, 3));
  }));
});

Deno.test("nearest() forgives one edit, two in long words, and never a first letter", () => {
  const keywords = new Keywords(["active", "inactive", "insurance", "rate", "date", "mc"]);
  const cases: [typed: string, meant: string | undefined][] = [
    ["actve", "active"],
    ["inactve", "inactive"],
    ["insurence", "insurance"],
    ["insurrence", "insurance"],
    ["actv", undefined],
    ["ractive", undefined],
    ["rate", undefined],
    ["ratee", "rate"],
    ["mcc", undefined],
    ["", undefined],
  ];
  for (const [typed, meant] of cases) assert.equal(keywords.nearest(typed), meant, typed);
});
