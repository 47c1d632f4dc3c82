import assert from "node:assert/strict";
import fc from "fast-check";
import {
  addDayChanges,
  countDay,
  dayReport,
  noDayChanges,
} from "../../../pipeline/audit/day_changes.ts";
import type { ChainedSnapshot } from "../../../pipeline/snapshot/chain.ts";
import { ABSENT, positionOf } from "../../../pipeline/snapshot/record/rows.ts";

/** A filed row with a number, a status and a fleet size, if it is reported. */
function row(dot: number, status: string, units?: number): unknown[] {
  const values: unknown[] = [dot];
  values[positionOf("status")] = status;
  values[positionOf("power_units")] = units ?? ABSENT;
  return values;
}

Deno.test("a day's report lists the 20 largest carriers that changed, whichever worker counted them", () => {
  const halves = [noDayChanges(), noDayChanges()];
  for (let i = 1; i <= 50; i++) {
    const [before, after] = [row(i, "A", i), row(i, i === 50 ? "I" : "A", i)];
    countDay(halves[i % 2]!, { before, after, members: ["phone"] });
  }
  countDay(halves[0]!, { before: null, after: row(60, "A", 1000), members: [] });
  countDay(halves[1]!, { before: row(61, "A", 900), after: null, members: [] });
  const tally = noDayChanges();
  for (const half of halves) addDayChanges(tally, half);
  const counts = { added: 1, changed: 50, removed: 1 };
  const chain = [
    { data_date: "2026-10-01" },
    { data_date: "2026-10-02", changes: { added: 4, changed: 5, removed: 6 } },
  ] as ChainedSnapshot[];
  const report = dayReport(tally, { counts, dataDate: "2026-10-03", chain });
  assert.deepEqual(report.largest.slice(0, 3), [
    [60, 1000, ["new"]],
    [61, 900, ["gone"]],
    [50, 50, ["phone"]],
  ]);
  assert.equal(report.largest.length, 20);
  assert.deepEqual(report.largest.at(-1), [33, 33, ["phone"]]);
  assert.deepEqual(report.members, [["phone", 50]]);
  assert.deepEqual(report.status, [["A I", 1], ["A gone", 1], ["new A", 1]]);
  assert.deepEqual(report.fleets, [["21-100", 30], ["6-20", 15], ["2-5", 4], ["101-1000", 2], [
    "1",
    1,
  ]]);
  // The first day of the chain has no changes.
  assert.deepEqual(report.days, [["2026-10-02", 4, 5, 6], ["2026-10-03", 1, 50, 1]]);
});

Deno.test("the largest carriers that changed are the same for any order and number of workers", () => {
  const fleets = fc.uniqueArray(fc.tuple(fc.nat(99), fc.nat(9)), {
    selector: ([dot]) => dot,
    minLength: 15,
    maxLength: 60,
    size: "max",
  });
  fc.assert(fc.property(fleets, fc.integer({ min: 1, max: 3 }), (fleets, workers) => {
    const tallies = Array.from({ length: workers }, noDayChanges);
    for (const [i, [dot, units]] of fleets.entries()) {
      const after = row(dot, "A", units);
      countDay(tallies[i % workers]!, { before: null, after, members: [] });
    }
    const total = noDayChanges();
    for (const tally of tallies) addDayChanges(total, tally);
    const largest = fleets.toSorted(([a, m], [b, n]) => n - m || a - b).slice(0, 20);
    assert.deepEqual(total.largest, largest.map(([dot, units]) => [dot, units, ["new"]]));
  }));
});

Deno.test("a day's report counts carriers by state, for the 30 states with the most", () => {
  const tally = noDayChanges();
  const count = (state: string | undefined) => {
    const after = row(1, "A", 5);
    if (state !== undefined) after[positionOf("state")] = state;
    countDay(tally, { before: null, after, members: [] });
  };
  for (const state of ["OH", "OH", "TX", ABSENT, undefined]) count(state);
  const states = () => {
    const counts = { added: 0, changed: 0, removed: 0 };
    return dayReport(tally, { counts, dataDate: "2026-10-03", chain: [] }).states;
  };
  assert.deepEqual(states(), [["OH", 2], ["not reported", 2], ["TX", 1]]);
  for (let i = 10; i < 50; i++) count(`${i}`);
  assert.equal(states().length, 30);
});

// The page listed it with 0 power units, which nobody had filed.
Deno.test("a carrier that reports no power units is not among the largest that changed", () => {
  const tally = noDayChanges();
  countDay(tally, { before: row(1, "A"), after: row(1, "I"), members: ["status"] });
  countDay(tally, { before: row(2, "A", 0), after: row(2, "I", 0), members: ["status"] });
  assert.deepEqual(tally.largest, [[2, 0, ["status"]]]);
});
