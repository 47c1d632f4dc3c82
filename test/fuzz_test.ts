import assert from "node:assert/strict";
import fc from "fast-check";
import { FUZZ_RUNS, FUZZ_SEED, seedsOf } from "./fuzz.ts";

function drawn(parameters?: { numRuns?: number; seed?: number }): number[] {
  const seen: number[] = [];
  fc.assert(fc.property(fc.integer(), (n) => void seen.push(n)), parameters);
  return seen;
}

Deno.test("a property uses the common seed, and FUZZ_RUNS multiplies its runs", () => {
  assert.equal(drawn().length, 100 * FUZZ_RUNS);
  assert.equal(drawn({ numRuns: 7 }).length, 7 * FUZZ_RUNS);
  assert.deepEqual(drawn(), drawn());
  assert.deepEqual(drawn({ seed: FUZZ_SEED + 1 }), drawn());
  assert.equal(seedsOf(3).length, 3 * FUZZ_RUNS);
});

Deno.test("a failing property prints the seed that replays it", () => {
  const never = fc.property(fc.nat(), () => false);
  assert.throws(() => fc.assert(never), new RegExp(`seed: ${FUZZ_SEED},`));
});
