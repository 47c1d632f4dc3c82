import assert from "node:assert/strict";
import fc from "fast-check";
import {
  addMonths,
  ageInDays,
  civilDay,
  dayNumber,
  formatDate,
  lastDayOfMonth,
  newYorkToday,
  nextNewYorkMidnight,
  parseDate,
} from "../../../api/rules/calendar.ts";
import { anyDay } from "./arbitrary.ts";

Deno.test("days are those of Temporal, every day from 1890 to 2110 and in year 1", () => {
  for (const [first, last] of [["1890-01-01", "2110-12-31"], ["0001-01-01", "0005-01-01"]]) {
    let date = Temporal.PlainDate.from(first!);
    const end = date.until(last!).days;
    const start = parseDate(first!);
    for (let day = start; day <= start + end; day++) {
      const text = date.toString();
      if (formatDate(day) !== text || parseDate(text) !== day) assert.fail(text);
      if (dayNumber(civilDay(day)) !== day) assert.fail(text);
      if (lastDayOfMonth(date.year, date.month) !== date.daysInMonth) assert.fail(text);
      date = date.add({ days: 1 });
    }
  }
  assert.equal(parseDate("1970-01-01"), 0);
  fc.assert(fc.property(anyDay(), fc.integer({ min: -60, max: 60 }), (day, months) => {
    const moved = Temporal.PlainDate.from(day).add({ months });
    assert.equal(formatDate(addMonths(parseDate(day), months)), String(moved));
  }));
});

Deno.test("formatDate() and parseDate() refuse days that do not exist or are beyond the years", () => {
  for (const edge of ["0001-01-01", "9999-12-31"]) assert.equal(formatDate(parseDate(edge)), edge);
  for (const day of [parseDate("0001-01-01") - 1, parseDate("9999-12-31") + 1, NaN, Infinity]) {
    assert.throws(() => formatDate(day), RangeError);
  }
  const shapes = ["", "2026", "2026-1-1", "20260101", "2026-01-01T00", " 026-01-01", "2026/01/01"]
    .concat("-026-01-01", "２026-01-01", "2026-0a-01");
  const days = ["2026-00-10", "2026-13-01", "2026-01-00", "2026-02-29", "2100-02-29", "2026-04-31"];
  for (const text of [...shapes, ...days, "0000-01-01"]) {
    assert.throws(() => parseDate(text), SyntaxError, text);
  }
  assert.throws(() => parseDate("x".repeat(1e6)), (error: Error) => error.message.length < 200);
});

Deno.test("ageInDays() is 0 for data of a day that has not begun", () => {
  assert.equal(ageInDays("2026-02-27", "2026-03-02"), 3);
  assert.equal(ageInDays("2026-03-03", "2026-03-02"), 0);
});

Deno.test("nextNewYorkMidnight() is the first instant of the next day", () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1970, 0, 2), max: Date.UTC(2060, 0, 1) }), (ms) => {
      const midnight = nextNewYorkMidnight(ms);
      const tomorrow = formatDate(parseDate(newYorkToday(ms)) + 1);
      assert.ok(midnight > ms);
      assert.equal(newYorkToday(midnight), tomorrow);
      assert.equal(newYorkToday(midnight - 1), newYorkToday(ms));
    }),
    { numRuns: 500 },
  );
  const [before, midnight] = ["2026-11-01T05:30:00Z", "2026-11-02T05:00Z"].map(Date.parse);
  assert.equal(nextNewYorkMidnight(before!), midnight);
  assert.throws(() => newYorkToday(NaN), RangeError);
});
