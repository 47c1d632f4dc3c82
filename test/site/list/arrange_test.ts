import assert from "node:assert/strict";
import fc from "fast-check";
import { arrange, PAGE_ROWS, queryOf, readArrangement, SORTS } from "../../../site/list/arrange.ts";
import { type ResultRow, type Verdict, VERDICTS } from "../../../site/list/result_row.ts";

function rows(count: number): ResultRow[] {
  const verdicts = Object.keys(VERDICTS) as Verdict[];
  return Array.from({ length: count }, (_, i) => ({
    row: i + 1,
    dot: String(1 + i * 7919 % 1000),
    verdict: verdicts[i % verdicts.length]!,
    name: `N${i * 31 % 17}`,
    place: "",
    reasons: "",
    due: `2026-0${1 + i % 9}-28`,
    facts: [],
  }));
}

Deno.test("an arrangement survives its address, and nonsense is not heeded", () => {
  const arrangement = fc.record({
    sort: fc.constantFrom(...SORTS),
    descending: fc.boolean(),
    show: fc.constantFrom("all" as const, "look" as const, ...Object.keys(VERDICTS) as Verdict[]),
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

Deno.test("arrange() shows every row once over the pages, in order", () => {
  const all = rows(PAGE_ROWS * 2 + 1);
  for (const sort of SORTS) {
    for (const descending of [false, true]) {
      const asked = { sort, descending, show: "all" as const };
      const pages = [1, 2, 3].map((page) => arrange(all, { ...asked, page }));
      assert.deepEqual(pages.map(({ shown, pages }) => [shown.length, pages]), [
        [PAGE_ROWS, 3],
        [PAGE_ROWS, 3],
        [1, 3],
      ]);
      const shown = pages.flatMap(({ shown }) => shown);
      assert.equal(new Set(shown).size, all.length, sort);
      if (sort === "dot") {
        const dots = shown.map(({ dot }) => Number(dot));
        assert.deepEqual(dots, dots.toSorted((a, b) => descending ? b - a : a - b));
      }
    }
  }
  assert.deepEqual(all.map(({ row }) => row), rows(PAGE_ROWS * 2 + 1).map(({ row }) => row));
});

Deno.test("arrange() puts what is not known last, in either direction", () => {
  const [first, second, third] = rows(3);
  const all = [{ ...first!, name: "" }, second!, third!];
  for (const descending of [false, true]) {
    const { shown } = arrange(all, { sort: "name", descending, show: "all", page: 1 });
    assert.equal(shown.at(-1)!.name, "");
  }
});

Deno.test("arrange() shows as needing a look all but those without an issue", () => {
  const asked = { sort: "row", descending: false, page: 1 } as const;
  const all = rows(60);
  const look = arrange(all, { ...asked, show: "look" });
  const clear = arrange(all, { ...asked, show: "clear" });
  assert.equal(look.count + clear.count, 60);
  assert.ok(look.shown.every(({ verdict }) => verdict !== "clear"));
  assert.deepEqual(arrange(all, { ...asked, show: "all", page: 9 }).shown, []);
});
