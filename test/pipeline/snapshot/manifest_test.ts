import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { parsePast } from "../../../pipeline/snapshot/chain.ts";
import { parseManifest } from "../../../pipeline/snapshot/manifest.ts";
import { jsonBytes, type Objects, putSnapshot, record } from "./memory.ts";

const objects: Objects = new Map();
putSnapshot(objects, { id: "a", carriers: [record(7)] });
const MANIFEST = JSON.parse(new TextDecoder().decode(objects.get("s/a/manifest.json")));

const Count = z.int().nonnegative();
const Runs = z.array(z.tuple([Count, Count])).refine((runs) =>
  runs.every(([first, last], i) => first <= last && first > (runs[i - 1]?.[1] ?? -1))
);
const Past = z.array(
  z.tuple([
    z.iso.date(),
    z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/),
    z.string().regex(/^[0-9a-f]{64}$/),
  ]),
);

/** Whether a function returns without an error. */
function accepts(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    assert.ok(error instanceof TypeError, String(error));
    return false;
  }
}

const odd = fc.oneof(fc.constantFrom(null, -1, 0.5, "1", true, {}, [], 2 ** 53), fc.jsonValue());
const count = fc.oneof({ weight: 9, arbitrary: fc.nat(6) }, { weight: 1, arbitrary: odd });
const sha256 = "0".repeat(64);

Deno.test("runs, revisions and past.json, whose checks are handwritten, are accepted exactly where zod schemas accept them", () => {
  const run = fc.oneof({ weight: 9, arbitrary: fc.tuple(count, count) }, odd, fc.array(count));
  const sorted = fc.uniqueArray(fc.nat(99)).map((all) =>
    Array.from(
      { length: all.length >> 1 },
      (_, i) => all.toSorted((a, b) => a - b).slice(2 * i, 2 * i + 2),
    )
  );
  const seen = { true: 0, false: 0 };
  fc.assert(fc.property(fc.oneof(fc.array(run, { maxLength: 3 }), sorted, odd), (runs) => {
    const carriers = { ...MANIFEST.families.carriers, runs };
    const families = { ...MANIFEST.families, carriers };
    const bytes = jsonBytes({ ...MANIFEST, families });
    const { success } = Runs.safeParse(JSON.parse(JSON.stringify(runs)));
    assert.equal(accepts(() => parseManifest(bytes)), success);
    seen[`${success}`]++;
  }));
  assert.ok(seen.true > 9 && seen.false > 9, JSON.stringify(seen));
  fc.assert(fc.property(fc.oneof(fc.dictionary(fc.string(), count), odd), (revisions) => {
    const { success } = z.record(z.string(), Count).safeParse(
      JSON.parse(JSON.stringify(revisions)),
    );
    assert.equal(accepts(() => parseManifest(jsonBytes({ ...MANIFEST, revisions }))), success);
  }));
  const row = fc.oneof(
    fc.constantFrom(["2026-10-03", "a", sha256], ["2026-02-30", "a", sha256], [
      "2026-10-03",
      "/",
      sha256,
    ]),
    fc.constantFrom(["2026-10-03", "a"], ["2026-10-03", "a", "0"], ["2026-10-03", "a", sha256, 1]),
    odd,
  );
  fc.assert(fc.property(fc.oneof(fc.array(row, { maxLength: 2 }), odd), (snapshots) => {
    const { success } = Past.safeParse(JSON.parse(JSON.stringify(snapshots)));
    assert.equal(accepts(() => parsePast(jsonBytes({ format: 3, snapshots }))), success);
  }));
});
