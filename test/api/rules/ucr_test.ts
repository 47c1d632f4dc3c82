import assert from "node:assert/strict";
import fc from "fast-check";
import { UcrFee } from "../../../api/rules/schemas.ts";
import {
  DEFAULT_UCR_YEAR,
  openUcrYears,
  UCR_TABLES,
  UCR_YEARS,
  ucrFee,
  ucrTableFor,
} from "../../../api/rules/ucr.ts";

Deno.test("ucrFee() answers every bracket of both years at its first and last vehicle", () => {
  const rows: [first: number, last: number, bracket: number, fee2026: number, fee2027: number][] = [
    [0, 2, 1, 46, 55],
    [3, 5, 2, 138, 167],
    [6, 20, 3, 276, 333],
    [21, 100, 4, 963, 1163],
    [101, 1000, 5, 4592, 5548],
    [1001, Number.MAX_SAFE_INTEGER, 6, 44836, 54165],
  ];
  for (const [first, last, bracket, fee2026, fee2027] of rows) {
    for (const vehicles of [first, last]) {
      const old = ucrFee({ vehicles, year: 2026 });
      const now = ucrFee({ vehicles, year: 2027 });
      assert.deepEqual([old.bracket, old.fee_usd], [bracket, fee2026], String(vehicles));
      assert.deepEqual([now.bracket, now.fee_usd], [bracket, fee2027], String(vehicles));
      assert.deepEqual(UcrFee.parse(now), now);
    }
  }
});

Deno.test("ucrFee() names the year's citation and takes the newest year when none is given", () => {
  assert.deepEqual(UCR_YEARS, [2026, 2027]);
  assert.equal(DEFAULT_UCR_YEAR, 2027);
  assert.equal(ucrFee({ vehicles: 4 }).year, 2027);
  assert.equal(ucrFee({ vehicles: 4, year: undefined }).fee_usd, 167);
  assert.match(ucrFee({ vehicles: 4 }).source, /49 CFR 367\.50; 91 FR 56063/);
  assert.match(ucrFee({ vehicles: 4, year: 2026 }).source, /49 CFR 367\.40.*89 FR 51266/);
});

Deno.test("ucrFee() agrees with the table it shows for any fleet", () => {
  fc.assert(fc.property(fc.nat(3000), fc.constantFrom(...UCR_YEARS), (vehicles, year) => {
    const fee = ucrFee({ vehicles, year });
    const lines = fee.brackets.filter((line) =>
      line.min_vehicles <= vehicles && vehicles <= (line.max_vehicles ?? Infinity)
    );
    assert.equal(lines.length, 1);
    assert.equal(lines[0]!.bracket, fee.bracket);
    assert.equal(lines[0]!.fee_usd, fee.fee_usd);
  }));
});

Deno.test("ucrFee() refuses fleets that are not counts and years without a table", () => {
  for (const vehicles of [-1, 1.5, NaN, Infinity, 2 ** 53]) {
    assert.throws(() => ucrFee({ vehicles }), RangeError, String(vehicles));
  }
  for (const year of [2025, 2028, 0, NaN]) {
    assert.throws(() => ucrFee({ vehicles: 1, year }), /the years are 2026 and 2027/, String(year));
  }
});

Deno.test("ucrFee() returns a copy that cannot change the table", () => {
  ucrFee({ vehicles: 1 }).brackets[0]!.fee_usd = 0;
  assert.equal(ucrFee({ vehicles: 1 }).brackets[0]!.fee_usd, 55);
});

Deno.test("UCR_TABLES have rising fees, brackets without a gap, dates and citations", () => {
  for (const { brackets, effectiveFrom, lastChecked, citation, url } of UCR_TABLES) {
    assert.equal(brackets[0]!.min_vehicles, 0);
    assert.equal(brackets.at(-1)!.max_vehicles, null);
    brackets.slice(1).forEach((line, i) => {
      assert.equal(line.min_vehicles, brackets[i]!.max_vehicles! + 1);
      assert.ok(line.fee_usd > brackets[i]!.fee_usd);
    });
    assert.match(effectiveFrom, /^\d{4}-\d\d-\d\d$/);
    assert.match(lastChecked, /^\d{4}-\d\d-\d\d$/);
    assert.match(citation, /CFR 367/);
    assert.ok(URL.canParse(url));
  }
});

Deno.test("openUcrYears() adds the next year from Oct 1", () => {
  assert.deepEqual(openUcrYears("2026-09-30"), [2026]);
  assert.deepEqual(openUcrYears("2026-10-01"), [2026, 2027]);
  assert.deepEqual(openUcrYears("2026-12-31"), [2026, 2027]);
  assert.deepEqual(openUcrYears("2027-01-01"), [2027]);
});

Deno.test("ucrTableFor() keeps a table in force until the next one, and there is none before the first", () => {
  assert.equal(ucrTableFor(2025), undefined);
  assert.equal(ucrTableFor(2026)?.year, 2026);
  assert.equal(ucrTableFor(2031)?.year, 2027);
});
