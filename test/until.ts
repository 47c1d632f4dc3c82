/**
 * Waits for another process, a timer or the network, and fails instead of waiting forever.
 *
 * @module
 */

import assert from "node:assert/strict";
import { sleep } from "../pipeline/retry.ts";

const PAUSE_MS = 10;

/** At least a minute, longer on a busy machine. */
const MAX_TRIES = 6_000;

/** Waits until a condition is true. @param what Describes the condition, in case it never is. */
export async function until(
  what: string | (() => string),
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let tries = 0; !await isTrue(); tries++) {
    if (tries === MAX_TRIES) assert.fail(`never: ${typeof what === "string" ? what : what()}`);
    await sleep(PAUSE_MS);
  }
}

/** Waits until a count stops changing, and returns it. */
export async function steady(count: () => number): Promise<number> {
  let [last, same] = [count(), 0];
  await until("the count stays", () => {
    const now = count();
    same = now === last ? same + 1 : 0;
    last = now;
    return same === 10;
  });
  return last;
}
