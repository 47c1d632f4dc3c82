import assert from "node:assert/strict";
import { openUcrYears, UCR_TABLES, ucrFee, ucrTableFor } from "../../../api/rules/ucr.ts";

Deno.test("UCR_TABLES have rising fees, brackets without gaps, dates and citations", () => {
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

Deno.test("a registration year opens on Oct 1, and the previous table applies until then", () => {
  const open = (today: string) => openUcrYears(today).join();
  assert.deepEqual(["2026-09-30", "2026-10-01", "2027-01-01"].map(open), [
    "2026",
    "2026,2027",
    "2027",
  ]);
  const tables = [2025, 2026, 2031].map((year) => ucrTableFor(year)?.year);
  assert.deepEqual(tables, [undefined, 2026, 2027]);
  // On a past day the tables in force on that day apply.
  const then = ["2024-07-16", "2026-09-30", "2026-10-01"].map((day) =>
    ucrTableFor(2027, day)?.year
  );
  assert.deepEqual(then, [undefined, 2026, 2027]);
});

Deno.test("a fee is that of the year asked for, by the number of vehicles", () => {
  const fees = [2026, 2027].map((year) =>
    [0, 2, 3, 1000, 1001].map((vehicles) => {
      const { bracket, fee_usd } = ucrFee({ vehicles, year });
      return `${bracket}: ${fee_usd}`;
    }).join(", ")
  );
  assert.deepEqual(fees, [
    "1: 46, 1: 46, 2: 138, 5: 4592, 6: 44836",
    "1: 55, 1: 55, 2: 167, 5: 5548, 6: 54165",
  ]);
});
