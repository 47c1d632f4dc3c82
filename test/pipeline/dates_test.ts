import assert from "node:assert/strict";
import fc from "fast-check";
import {
  addDays,
  addMonths,
  ageInDays,
  civilDay,
  compactDay,
  DAY_MS,
  dayNumber,
  formatDate,
  isDate,
  isDayNumber,
  isoDay,
  lastDayOfMonth,
  parseDate,
  utcDate,
  windowStart,
} from "../../pipeline/dates.ts";
import { anyDay } from "../api/rules/arbitrary.ts";

Deno.test("days equal those of Temporal, every day from 1890 to 2110 and in year 1", () => {
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

Deno.test("formatDate() and parseDate() reject days that do not exist or are out of range", () => {
  for (const edge of ["0001-01-01", "9999-12-31"]) assert.equal(formatDate(parseDate(edge)), edge);
  for (const day of [parseDate("0001-01-01") - 1, parseDate("9999-12-31") + 1, NaN, Infinity]) {
    assert.throws(() => formatDate(day), RangeError);
    assert.ok(!isDayNumber(day));
  }
  for (const stored of ["2026-01-01", 0.5, null]) assert.ok(!isDayNumber(stored));
  const shapes = ["", "2026", "2026-1-1", "20260101", "2026-01-01T00", " 026-01-01", "2026/01/01"]
    .concat("-026-01-01", "２026-01-01", "2026-0a-01");
  const days = ["2026-00-10", "2026-13-01", "2026-01-00", "2026-02-29", "2100-02-29", "2026-04-31"];
  for (const text of [...shapes, ...days, "0000-01-01"]) {
    assert.throws(() => parseDate(text), SyntaxError, text);
    assert.ok(!isDate(text), text);
  }
  assert.throws(() => parseDate("x".repeat(1e6)), (error: Error) => error.message.length < 200);
});

Deno.test("ageInDays() is 0 for data dated in the future", () => {
  assert.equal(ageInDays("2026-02-27", "2026-03-02"), 3);
  assert.equal(ageInDays("2026-03-03", "2026-03-02"), 0);
});

Deno.test("adding days to YYYYMMDD gives the same day as Temporal", () => {
  fc.assert(fc.property(anyDay(), fc.integer({ min: -800, max: 800 }), (day, days) => {
    assert.ok(isDate(day));
    assert.equal(isoDay(compactDay(day)), day);
    const moved = Temporal.PlainDate.from(day).add({ days });
    assert.equal(isoDay(addDays(compactDay(day), days)), String(moved));
    assert.equal(utcDate((parseDate(day) + 1) * DAY_MS - 1), day);
  }));
});

Deno.test("the window of 24 months starts on the day after the same day two years earlier", () => {
  const cases: [last: number, first: number][] = [
    [20261003, 20241004],
    [20261231, 20250101],
    [20260228, 20240229],
    [20240229, 20220301],
    [20240228, 20220301],
  ];
  for (const [last, first] of cases) assert.equal(windowStart(last), first);
});
