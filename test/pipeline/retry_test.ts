import assert from "node:assert/strict";
import { backOff, retry, type RetryOptions, TransientError } from "../../pipeline/retry.ts";

/** Options that record the pauses instead of waiting. */
function options(waits: number[], more: Partial<RetryOptions> = {}): RetryOptions {
  return {
    tries: 3,
    isTransient: (error) => error instanceof TransientError,
    first: 1000,
    longest: 60_000,
    sleep: (ms) => Promise.resolve(void waits.push(ms)),
    ...more,
  };
}

Deno.test("backOff() doubles from a second to a minute and jitters by half", () => {
  const most = [1, 2, 3, 6, 7, 50].map((failures) => backOff(failures, 1));
  assert.deepEqual(most, [1000, 2000, 4000, 32_000, 60_000, 60_000]);
  assert.deepEqual([1, 7].map((failures) => backOff(failures, 0)), [500, 30_000]);
});

Deno.test("retry() repeats transient failures only, and waits as long as the server asks", async () => {
  const waits: number[] = [];
  const asked = (attempt: number): Promise<number> => {
    if (attempt < 3) throw new TransientError("busy", { waitMs: 7_000 });
    return Promise.resolve(attempt);
  };
  assert.equal(await retry(asked, options(waits)), 3);
  assert.deepEqual(waits, [7_000, 7_000]);
  const broken = (): Promise<never> => Promise.reject(new Error("broken"));
  await assert.rejects(retry(broken, options(waits)), /broken/);
  assert.equal(waits.length, 2);
});

Deno.test("retry() counts the failures since the last progress", async () => {
  const waits: number[] = [];
  const failures: number[] = [];
  let attempts = 0;
  const failing = (): Promise<never> => Promise.reject(new TransientError(`no ${++attempts}`));
  const progress: Partial<RetryOptions> = {
    hasProgress: () => attempts === 2,
    onRetry: (retried) => failures.push(retried.failures),
  };
  await assert.rejects(retry(failing, options(waits, progress)), /no 4/);
  assert.deepEqual(failures, [1, 1, 2]);
});
