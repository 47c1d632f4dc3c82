import assert from "node:assert/strict";
import { dataAge, mileageWords } from "../../../api/rules/words.ts";

Deno.test("mileageWords() names the year only where one is filed", () => {
  assert.equal(mileageWords({ miles: 5391856, year: 2025 }), "5,391,856 miles in 2025");
  assert.equal(mileageWords({ miles: 7, year: null }), "7 miles");
});

Deno.test("dataAge() describes data of the same day as today's, or as 0 days old on a past day", () => {
  const facts = { data_date: "2026-10-03" } as Parameters<typeof dataAge>[0];
  assert.equal(dataAge({ ...facts, age_days: 0 }), "Oct 3, 2026 (today's)");
  assert.equal(dataAge({ ...facts, age_days: 1 }), "Oct 3, 2026 (1 day old)");
  const past = { ...facts, age_days: 0, as_of: "2026-10-03" };
  assert.equal(dataAge(past), "Oct 3, 2026 (0 days old on Oct 3, 2026)");
});
