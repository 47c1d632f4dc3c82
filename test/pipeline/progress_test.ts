import assert from "node:assert/strict";
import { type ProgressOptions, startProgress } from "../../pipeline/progress.ts";

function record(options: Partial<ProgressOptions>) {
  const written: string[] = [];
  let time = 0;
  const progress = startProgress({
    label: "census",
    unit: "bytes",
    columns: undefined,
    write: (text) => written.push(text),
    now: () => time,
    ...options,
  });
  return { written, progress, at: (ms: number) => time = ms };
}

Deno.test("startProgress() writes a line per 5% when not on a terminal", () => {
  const { written, progress, at } = record({ total: 200_000_000 });
  progress.update(0);
  for (let i = 1; i <= 1000; i++) {
    at(i * 20);
    progress.update(i * 200_000);
  }
  progress.end();
  assert.equal(written.length, 20);
  assert.equal(written[0], "census: 5%, 10.0 of 200.0 MB, 10.0 MB/s, 19 s left\n");
  assert.equal(written[19], "census: 100%, 200.0 of 200.0 MB, 10.0 MB/s\n");
});

Deno.test("startProgress() redraws a terminal at most ten times a second and leaves the last line", () => {
  const { written, progress, at } = record({ total: 1_000_000, columns: 80 });
  for (let i = 0; i <= 1000; i++) {
    at(i);
    progress.update(i * 1000);
  }
  progress.end();
  assert.equal(written.length, 12);
  assert.match(written[5] ?? "", /^\rcensus \[#{10}-{10}\] 50% {2}0\.5 of 1\.0 MB/);
  assert.ok(written.slice(0, -1).every((text) => text.endsWith("\x1b[K")));
  assert.equal(written.at(-1), "\n");
});

Deno.test("startProgress() stays within the terminal's width", () => {
  for (const columns of [1, 20, 40, 60, 79, 200]) {
    const { written, progress, at } = record({ total: 3_000_000_000, columns });
    at(1000);
    progress.update(0);
    at(9000);
    progress.update(1_234_500_000);
    const text = (written.at(-1) ?? "").slice(1, -3);
    assert.ok(text.length < columns, text);
    if (columns > 50) assert.match(text, / left$/);
  }
});

Deno.test("startProgress() writes no log line for short work, and at most one a second", () => {
  const short = record({ total: 1000 });
  for (let i = 0; i <= 400; i++) {
    short.at(i);
    short.progress.update(i * 2.5);
  }
  short.progress.end();
  assert.deepEqual(short.written, []);
  const quick = record({ total: 1000 });
  for (let i = 0; i <= 2500; i++) {
    quick.at(i);
    quick.progress.update(i * 0.4);
  }
  quick.progress.end();
  assert.deepEqual(quick.written.map((line) => line.split(",")[0]), [
    "census: 40%",
    "census: 80%",
    "census: 100%",
  ]);
});
