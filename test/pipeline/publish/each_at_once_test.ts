import assert from "node:assert/strict";
import { eachAtOnce } from "../../../pipeline/publish/each_at_once.ts";

const NEVER = new AbortController().signal;

Deno.test("eachAtOnce() does each item once, no more than so many at a time", async () => {
  const items = Array.from({ length: 50 }, (_, i) => i);
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await eachAtOnce(items, { atOnce: 4, signal: NEVER }, async (item) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    done.push(item);
  });
  assert.equal(most, 4);
  assert.deepEqual(done.sort((a, b) => a - b), items);
});

Deno.test("eachAtOnce() ends what runs, begins nothing more and throws the first failure", async () => {
  const begun: number[] = [];
  const stopped: number[] = [];
  await assert.rejects(
    eachAtOnce([0, 1, 2, 3, 4, 5], { atOnce: 3, signal: NEVER }, async (item, signal) => {
      begun.push(item);
      if (item === 1) throw new Error("first");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      stopped.push(item);
      throw new Error("second");
    }),
    /first/,
  );
  assert.deepEqual([begun, stopped], [[0, 1, 2], [0, 2]]);
});

Deno.test("eachAtOnce() throws why it was told to stop, also when nothing was begun", async () => {
  const signal = AbortSignal.abort(new Error("Interrupted"));
  await assert.rejects(eachAtOnce([1], { atOnce: 2, signal }, () => assert.fail()), /Interrupted/);
});
