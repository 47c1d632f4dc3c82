import assert from "node:assert/strict";
import { type Answer, figures, quantile, rankOf, reportLines } from "./search_metrics.ts";
import type { Question } from "./search_pick.ts";

const QUESTIONS: Question[] = [
  { kind: "exact", query: "blue lines", dot: 5, name: "blue lines", hits: [5, 9] },
  { kind: "exact", query: "red lines", dot: 6, name: "red lines", hits: [6] },
  { kind: "dot", query: "7", dot: 7, name: "x", hits: [7] },
  { kind: "dot", query: "8", dot: 8, name: "y", hits: [8] },
];

const ANSWERS: Answer[] = [
  { dots: [9, 5], ms: 1 },
  { dots: [1, 6], ms: 2 },
  { dots: [], ms: 30 },
  { dots: [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 8], ms: 4 },
];

Deno.test("rankOf() counts a twin and looks no further than ten", () => {
  assert.deepEqual(QUESTIONS.map((question, at) => rankOf(question, ANSWERS[at]!.dots)), [
    1,
    2,
    0,
    0,
  ]);
});

Deno.test("figures() takes means over all questions and milliseconds by rank", () => {
  const all = figures(QUESTIONS, ANSWERS);
  assert.deepEqual(all, {
    questions: 4,
    mrr: 0.375,
    successAt1: 0.25,
    zero: 0.25,
    p50: 2,
    p95: 30,
    max: 30,
  });
  const fetched = ANSWERS.map((answer, at) => ({
    ...answer,
    fetched: { files: at, bytes: 10 * at, trips: 2 },
  }));
  assert.deepEqual(figures(QUESTIONS, fetched).fetched, {
    files50: 1,
    files95: 3,
    bytes50: 10,
    bytes95: 30,
    trips95: 2,
  });
});

Deno.test("quantile() gives the least value that the share does not exceed", () => {
  const hundred = Array.from({ length: 100 }, (_, at) => at + 1);
  assert.deepEqual([0, 0.5, 0.95, 1].map((share) => quantile(hundred, share)), [1, 50, 95, 100]);
  assert.equal(quantile([], 0.5), NaN);
});

Deno.test("reportLines() sets engines side by side with names above their columns", () => {
  const prepared = { seconds: 12.34, peakBytes: 2e6, indexBytes: 3e6 };
  const fetched = { files: 2, bytes: 4_000, trips: 1 };
  const lines = reportLines(QUESTIONS, [
    { name: "First", prepared, answers: ANSWERS, peakBytes: 5e6 },
    {
      name: "Second",
      prepared,
      answers: ANSWERS.map((each) => ({ ...each, fetched })),
      peakBytes: 5e6,
    },
  ]);
  const [names, header, exact] = lines as [string, string, string];
  assert.equal(names.indexOf("First"), header.indexOf("|") + 2);
  assert.equal(names.indexOf("Second"), header.lastIndexOf("|") + 2);
  assert.match(
    exact,
    /^exact +2 +\| +0\.750 +0\.500 +0\.0 +1\.00 +2\.00 +2\.00 +\|.* 2\/2 +4\/4 +1$/,
  );
  assert.match(lines.find((line) => line.startsWith("Second"))!, /3 +12\.3 +2 +5$/);
  assert.ok(!lines.some((line) => line.startsWith("prefix")));
});
