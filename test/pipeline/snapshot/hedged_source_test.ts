import assert from "node:assert/strict";
import fc from "fast-check";
import {
  HEDGE_BURST,
  HEDGE_SHARE,
  hedgedSource,
} from "../../../pipeline/snapshot/resilient_source.ts";
import { VirtualTime } from "../virtual_time.ts";
import { type Attempt, bytesOf, ScriptedSource } from "./scripted_source.ts";

function setUp(script: (path: string, attempt: number) => Attempt) {
  const time = new VirtualTime();
  const inner = new ScriptedSource(time, script);
  return { time, inner, source: hedgedSource(inner, { clock: time, after: time.after }) };
}

/** Runs time to its end and tells how the read ended, and when. */
async function ended(
  time: VirtualTime,
  read: Promise<Uint8Array | null>,
): Promise<{ ms: number; text: string }> {
  const begun = time.now();
  const told = read.then(
    (bytes) => bytes === null ? "null" : new TextDecoder().decode(bytes),
    (error: Error) => error.message,
  ).then((text) => ({ ms: time.now() - begun, text }));
  await time.run();
  return await told;
}

Deno.test("hedgedSource() asks once when the answer comes in time", async () => {
  const { time, inner, source } = setUp(() => ({ ms: 400, outcome: "bytes" }));
  assert.deepEqual(await ended(time, source.get("a")), { ms: 400, text: "bytes of a" });
  assert.equal(inner.attempts.length, 1);
});

Deno.test("hedgedSource() asks again when the first request is slow, and ends the one that loses", async () => {
  const { time, inner, source } = setUp((_, n) => ({ ms: n === 1 ? 5_000 : 20, outcome: "bytes" }));
  assert.deepEqual(await ended(time, source.get("a")), { ms: 520, text: "bytes of a" });
  assert.deepEqual(inner.attempts.map(({ state }) => state), ["ended", "done"]);
});

Deno.test("hedgedSource() lets a slow first request win when it comes before the second", async () => {
  const { time, inner, source } = setUp((_, n) => ({
    ms: n === 1 ? 600 : 5_000,
    outcome: "bytes",
  }));
  assert.deepEqual(await ended(time, source.get("a")), { ms: 600, text: "bytes of a" });
  assert.deepEqual(inner.attempts.map(({ state }) => state), ["done", "ended"]);
});

Deno.test("hedgedSource() asks again at once after a failure that may pass, and once only", async () => {
  const heals = setUp((_, n) => ({ ms: 10, outcome: n === 1 ? "passing" : "bytes" }));
  assert.deepEqual(await ended(heals.time, heals.source.get("a")), { ms: 20, text: "bytes of a" });
  const stays = setUp(() => ({ ms: 10, outcome: "passing" }));
  assert.deepEqual(await ended(stays.time, stays.source.get("a")), { ms: 20, text: "passing 2" });
  assert.equal(stays.inner.attempts.length, 2);
});

Deno.test("hedgedSource() waits for the second request when the first fails meanwhile", async () => {
  const { time, inner, source } = setUp((_, n) =>
    n === 1 ? { ms: 510, outcome: "passing" } : { ms: 300, outcome: "bytes" }
  );
  assert.deepEqual(await ended(time, source.get("a")), { ms: 800, text: "bytes of a" });
  assert.equal(inner.attempts.length, 2);
});

Deno.test("hedgedSource() takes a missing object and a refusal for the answers they are", async () => {
  for (const [outcome, text] of [["missing", "null"], ["refused", "refused 1"]] as const) {
    const { time, inner, source } = setUp(() => ({ ms: 10, outcome }));
    assert.deepEqual(await ended(time, source.get("a")), { ms: 10, text });
    assert.equal(inner.attempts.length, 1);
  }
});

Deno.test("hedgedSource() learns what is slow from the reads before", async () => {
  const { time, inner, source } = setUp((path, n) => ({
    ms: path === "slow" && n === 1 ? 5_000 : 100,
    outcome: "bytes",
  }));
  for (let i = 0; i < 30; i++) await ended(time, source.get("usual"));
  assert.equal((await ended(time, source.get("slow"))).ms, 200);
  assert.equal(inner.attempts.length, 32);
});

Deno.test("hedgedSource() waits half a second before it knows better, and never more than one", async () => {
  const { time, inner, source } = setUp(() => ({ ms: 4_000, outcome: "bytes" }));
  const waits = new Set<number>();
  for (let i = 0; i < 40; i++) {
    await ended(time, source.get(String(i)));
    const [first, second] = inner.attempts.filter(({ path }) => path === String(i));
    if (second !== undefined) waits.add(second.begun - first!.begun);
  }
  assert.deepEqual(waits, new Set([500, 1_000]));
});

Deno.test("hedgedSource() asks a host in need hardly more than once for each read", async () => {
  for (const outcome of ["passing", "bytes"] as const) {
    const { time, inner, source } = setUp(() => ({ ms: 5_000, outcome }));
    const reads = Array.from({ length: 1_000 }, () => source.get("a").catch(() => null));
    await time.run();
    await Promise.all(reads);
    assert.ok(inner.attempts.length <= 1_000 + HEDGE_BURST + 1_000 * HEDGE_SHARE);
    assert.ok(inner.attempts.length > 1_000);
  }
});

Deno.test("hedgedSource() ends both requests when the caller has enough", async () => {
  const { time, inner, source } = setUp(() => ({ ms: 60_000, outcome: "bytes" }));
  const control = new AbortController();
  time.after(700, () => control.abort(new Error("told to stop")));
  assert.deepEqual(await ended(time, source.get("a", control.signal)), {
    ms: 700,
    text: "told to stop",
  });
  assert.deepEqual(inner.attempts.map(({ state }) => state), ["ended", "ended"]);
});

const attempts = fc.record({
  ms: fc.oneof(fc.nat(60), fc.nat(3_000)),
  outcome: fc.constantFrom("bytes", "bytes", "bytes", "missing", "passing", "refused"),
}) as fc.Arbitrary<Attempt>;

const reads = fc.array(
  fc.record({
    at: fc.nat(4_000),
    attempts: fc.tuple(attempts, attempts),
    /** When the caller has enough; null for never. */
    stop: fc.option(fc.nat(3_000), { freq: 5 }),
  }),
  { minLength: 1, maxLength: 60 },
);

Deno.test("hedgedSource() gives no bytes of another path, ends losers, keeps to its budget, whatever comes when", async () => {
  await fc.assert(
    fc.asyncProperty(reads, async (plan) => {
      const { time, inner, source } = setUp((path, n) => plan[Number(path)]!.attempts[n - 1]!);
      await Promise.all([
        ...plan.map(async ({ at, stop, attempts: [first] }, i) => {
          await time.sleep(at);
          const path = String(i);
          const control = new AbortController();
          if (stop !== null) time.after(stop, () => control.abort(new Error("enough")));
          const result = await source.get(path, control.signal).then(
            (bytes) => ({ bytes }),
            (error: Error) => ({ error }),
          );
          const mine = inner.attempts.filter((attempt) => attempt.path === path);
          assert.ok(mine.length <= 2);
          assert.ok(mine.every(({ state }) => state !== "open"), "an attempt was left behind");
          const whole = mine.filter(({ state }) => state === "done").map(({ outcome }) => outcome);
          if ("bytes" in result) {
            assert.deepEqual(result.bytes, whole.includes("missing") ? null : bytesOf(path));
          } else {
            assert.deepEqual(whole.filter((outcome) => /bytes|missing/.test(outcome)), []);
            const good = first.outcome === "bytes" || first.outcome === "missing";
            assert.ok(!good || result.error.message === "enough", "a good first answer was lost");
          }
        }),
        time.run(),
      ]);
      assert.equal(time.waiting, 0, "a timer was left behind");
      const extra = inner.attempts.length - plan.length;
      assert.ok(extra <= HEDGE_BURST + plan.length * HEDGE_SHARE);
    }),
    { numRuns: 300 },
  );
});
