import assert from "node:assert/strict";
import fc from "fast-check";
import {
  HEDGE_BURST,
  HEDGE_SHARE,
  hedgedSource,
  resilientSource,
} from "../../../pipeline/snapshot/sources/resilient_source.ts";
import { type Source, SourceFailure } from "../../../pipeline/snapshot/source.ts";
import { VirtualTime } from "../virtual_time.ts";

/** The course of one request. */
interface Attempt {
  ms: number;
  outcome: "bytes" | "missing" | "transient" | "refused";
}

/** A request that was made. */
interface Made extends Attempt {
  path: string;
  begun: number;
  /** When the caller ended it. */
  state: "open" | "done" | "ended";
}

type Script = (path: string, attempt: number) => Attempt;

function bytesOf(path: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`bytes of ${path}`);
}

/** A source that answers by a script: for a path, and the number of the request for it, from 1. */
function scripted(script: Script) {
  const time = new VirtualTime();
  const made: Made[] = [];
  const madeFor = (path: string): Made[] => made.filter((one) => one.path === path);
  const inner: Source = {
    name: "scripted",
    async get(path, signal) {
      const number = madeFor(path).length + 1;
      const one: Made = { ...script(path, number), path, begun: time.now(), state: "open" };
      made.push(one);
      await time.sleep(one.ms, signal).finally(() => one.state = "ended");
      one.state = "done";
      if (one.outcome === "bytes") return bytesOf(path);
      if (one.outcome === "missing") return null;
      const transient = one.outcome === "transient";
      throw new SourceFailure(`${one.outcome} ${number}`, { transient });
    },
  };
  const logged: string[] = [];
  const timing = { clock: time, after: time.after };
  const hedged = hedgedSource(inner, timing);
  const resilient = resilientSource(inner, { ...timing, log: (line) => logged.push(line) });
  /** Advances time to the end of a read. Returns its outcome and time. */
  async function read(source: Source, path: string, signal?: AbortSignal) {
    const begun = time.now();
    const ending = source.get(path, signal).then(
      (bytes) => bytes === null ? "null" : new TextDecoder().decode(bytes),
      (error: Error) => error.message,
    ).then((text) => ({ ms: time.now() - begun, text }));
    await time.run();
    return await ending;
  }
  return {
    time,
    made,
    madeFor,
    logged,
    hedged,
    hedge: (path: string) => read(hedged, path),
    ask: async (path: string, signal?: AbortSignal) => (await read(resilient, path, signal)).text,
  };
}

/** Two attempts: their total time, the result, and how each ends. */
const READS: Record<string, [attempts: string, ms: number, text: string, states: string]> = {
  "one request when the answer comes in time": ["400 bytes", 400, "bytes of a", "done"],
  "a second request when it is slow": ["5000 bytes, 20 bytes", 520, "bytes of a", "ended done"],
  "a second after an error": ["10 transient, 10 bytes", 20, "bytes of a", "done done"],
  "no third request": ["10 transient, 10 transient", 20, "transient 2", "done done"],
  "a second one that wins": ["510 transient, 300 bytes", 800, "bytes of a", "done done"],
  "no second request for a missing object": ["10 missing", 10, "null", "done"],
  "no second request after a refusal": ["10 refused", 10, "refused 1", "done"],
};

Deno.test("hedgedSource() sends a second request only when it helps", async () => {
  for (const [what, [attempts, ms, text, states]] of Object.entries(READS)) {
    const script = attempts.split(", ").map((attempt) => attempt.split(" "))
      .map(([ms, outcome]) => ({ ms: Number(ms), outcome: outcome as Attempt["outcome"] }));
    const { made, hedge } = scripted((_, n) => script[n - 1]!);
    assert.deepEqual(await hedge("a"), { ms, text }, what);
    assert.equal(made.map(({ state }) => state).join(" "), states, what);
  }
});

Deno.test("hedgedSource() waits half a second at first, then as long as a recent slow read, at most a second", async () => {
  for (const [usual, expected] of [[100, 100], [4_000, 1_000], [1, 30]] as const) {
    const { madeFor, hedge } = scripted((path, n) => ({
      ms: path === "slow" && n === 1 ? 5_000 : usual,
      outcome: "bytes",
    }));
    const waits = async (path: string): Promise<number> => {
      await hedge(path);
      const [first, second] = madeFor(path);
      return second === undefined ? 0 : second.begun - first!.begun;
    };
    assert.equal(await waits("first"), usual > 500 ? 500 : 0);
    for (let i = 0; i < 40; i++) await hedge(`usual ${i}`);
    assert.equal(await waits("slow"), expected, `${usual}`);
  }
});

Deno.test("hedgedSource() sends an overloaded host few second requests", async () => {
  const { time, made, hedged } = scripted(() => ({ ms: 5_000, outcome: "bytes" }));
  const all = Array.from({ length: 1_000 }, (_, i) => hedged.get(String(i)));
  await time.run();
  await Promise.all(all);
  const extra = made.length - all.length;
  assert.ok(extra > 0 && extra <= HEDGE_BURST + all.length * HEDGE_SHARE, `${extra}`);
});

const attempts = fc.record({
  ms: fc.oneof(fc.nat(60), fc.nat(3_000)),
  outcome: fc.constantFrom("bytes", "bytes", "bytes", "missing", "transient", "refused"),
}) as fc.Arbitrary<Attempt>;

const reads = fc.array(
  fc.record({
    at: fc.nat(4_000),
    attempts: fc.tuple(attempts, attempts),
    /** When the caller aborts; null for never. */
    stop: fc.option(fc.nat(3_000), { freq: 5 }),
  }),
  { minLength: 1, maxLength: 60 },
);

Deno.test("hedgedSource() never returns another path's bytes, aborts losers and keeps its budget, whatever the timing", async () => {
  await fc.assert(
    fc.asyncProperty(reads, async (plan) => {
      const { time, made, madeFor, hedged } = scripted((path, n) =>
        plan[Number(path)]!.attempts[n - 1]!
      );
      await Promise.all([
        ...plan.map(async ({ at, stop, attempts: [first] }, i) => {
          await time.sleep(at);
          const path = String(i);
          const control = new AbortController();
          if (stop !== null) time.after(stop, () => control.abort(new Error("enough")));
          const result = await hedged.get(path, control.signal).then(
            (bytes) => ({ bytes }),
            (error: Error) => ({ error }),
          );
          const mine = madeFor(path);
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
      assert.ok(made.length - plan.length <= HEDGE_BURST + plan.length * HEDGE_SHARE);
    }),
    { numRuns: 300 },
  );
});

Deno.test("resilientSource() stops requests to a host that is down, probes it every 3 s and resumes when it answers", async () => {
  let outcome: Attempt["outcome"] = "transient";
  const { time, made, logged, ask } = scripted(() => ({ ms: 10, outcome }));
  for (let i = 0; i < 5; i++) assert.match(await ask(`a${i}`), /^transient/);
  const asked = made.length;
  assert.equal(await ask("b"), "Cannot read scripted/b: it failed a moment ago");
  assert.equal(made.length, asked);
  await time.run(time.now() + 3_000);
  // One of several concurrent requests is the probe.
  const all = await Promise.all(["c", "d", "e"].map((path) => ask(path)));
  assert.deepEqual(all.map((text) => /a moment ago/.test(text)), [false, true, true]);
  assert.match(await ask("c"), /a moment ago/);
  outcome = "bytes";
  await time.run(time.now() + 3_000);
  for (const path of ["d", "e"]) assert.equal(await ask(path), `bytes of ${path}`);
  assert.deepEqual(logged, [
    "5 reads of the snapshot failed in a row, the last: transient 2",
    "The snapshot can be read again",
  ]);
});

Deno.test("resilientSource() keeps using a host despite one broken object, refusals and aborted callers", async () => {
  const { made, logged, ask } = scripted((path) => ({
    ms: 10,
    outcome: path === "good" ? "bytes" : path === "forbidden" ? "refused" : "transient",
  }));
  for (let i = 0; i < 10; i++) {
    await ask("broken");
    await ask("broken");
    await ask(i % 2 === 0 ? "good" : "forbidden");
  }
  const gone = AbortSignal.abort(new Error("gone"));
  for (let i = 0; i < 10; i++) assert.equal(await ask("good", gone), "gone");
  assert.equal(await ask("good"), "bytes of good");
  assert.deepEqual(logged, []);
  assert.ok(made.length > 40);
});
