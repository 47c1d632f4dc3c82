import fc from "fast-check";
import assert from "node:assert/strict";
import { arrange, PAGE_ROWS, queryOf, readArrangement, SORTS } from "../../../site/bulk/arrange.ts";
import { type Outcome, OUTCOMES, type ResultRow } from "../../../site/bulk/result.ts";

function rows(count: number): ResultRow[] {
  const outcomes = Object.keys(OUTCOMES) as Outcome[];
  return Array.from({ length: count }, (_, i) => ({
    row: i + 1,
    dot: String(1 + i * 7919 % 1000),
    readAs: "",
    outcome: outcomes[i % outcomes.length]!,
    facts: [{ tone: i % 2 === 0 ? "bad" : "warn", words: "" }],
    ownName: "",
    ownPlace: "",
    nameMatch: "unknown" as const,
    name: `N${i * 31 % 17}`,
    place: "",
    others: [],
    repeats: null,
    due: `2026-0${1 + i % 9}-28`,
    csv: "",
  }));
}

Deno.test("an arrangement survives its query, and nonsense is ignored", () => {
  const arrangement = fc.record({
    sort: fc.constantFrom(...SORTS),
    descending: fc.boolean(),
    show: fc.constantFrom("all" as const, ...Object.keys(OUTCOMES) as Outcome[]),
    page: fc.integer({ min: 1, max: 999 }),
  });
  fc.assert(fc.property(arrangement, (asked) => {
    assert.deepEqual(readArrangement(new URLSearchParams(queryOf(asked))), { ...asked });
  }));
  const plain = { sort: "row", descending: false, show: "all", page: 1 } as const;
  assert.equal(queryOf(plain), "");
  const nonsense = "sort=facts&dir=up&show=toString&page=-1";
  assert.deepEqual(readArrangement(new URLSearchParams(nonsense)), plain);
});

Deno.test("arrange() shows every row once over the pages, in order, with unknown values last", () => {
  const all = rows(PAGE_ROWS * 2 + 1);
  all[0] = { ...all[0]!, name: "" };
  for (const sort of SORTS) {
    for (const descending of [false, true]) {
      const asked = { sort, descending, show: "all" as const };
      const pages = [1, 2, 3].map((page) => arrange(all, { ...asked, page }));
      assert.deepEqual(pages.map(({ shown }) => shown.length), [PAGE_ROWS, PAGE_ROWS, 1]);
      assert.ok(pages.every(({ pages }) => pages === 3));
      const shown = pages.flatMap(({ shown }) => shown);
      assert.equal(new Set(shown).size, all.length, sort);
      if (sort === "name") assert.equal(shown.at(-1)!.name, "");
      if (sort !== "dot") continue;
      const dots = shown.map(({ dot }) => Number(dot));
      assert.deepEqual(dots, dots.toSorted((a, b) => descending ? b - a : a - b));
    }
  }
  assert.deepEqual(all.map(({ row }) => row), rows(PAGE_ROWS * 2 + 1).map(({ row }) => row));
});
