import assert from "node:assert/strict";
import { startProgress } from "../../pipeline/progress.ts";

/** What is written for 1,000 MB, of which one comes every 0.1 s. */
function written(columns: number | undefined): string[] {
  const lines: string[] = [];
  let time = 0;
  const { update, end } = startProgress({
    label: "census",
    unit: "bytes",
    total: 1_000_000_000,
    columns,
    write: (text) => lines.push(text),
    now: () => time,
  });
  for (let i = 0; i <= 1_000; i++) {
    time = i * 100;
    update(i * 1_000_000);
  }
  end();
  return lines;
}

Deno.test("startProgress() writes a line every 30 s, and the last, when not on a terminal", () => {
  assert.deepEqual(written(undefined), [
    "census: 30%, 300.0 of 1,000.0 MB, 10.0 MB/s, 1 min 10 s left\n",
    "census: 60%, 600.0 of 1,000.0 MB, 10.0 MB/s, 40 s left\n",
    "census: 90%, 900.0 of 1,000.0 MB, 10.0 MB/s, 10 s left\n",
    "census: 100%, 1,000.0 of 1,000.0 MB, 10.0 MB/s\n",
  ]);
});

Deno.test("startProgress() redraws a line shorter than the terminal, and leaves it", () => {
  for (const columns of [1, 20, 80]) {
    const lines = written(columns);
    assert.equal(lines.length, 1_001);
    assert.equal(lines.pop(), "\n");
    for (const line of lines) assert.match(line, new RegExp(`^\\r.{0,${columns - 1}}\\x1b\\[K$`));
  }
  assert.match(written(80)[599]!, /^\rcensus: 60%, 600\.0 of 1,000\.0 MB, 10\.0 MB\/s, 40 s left/);
});
