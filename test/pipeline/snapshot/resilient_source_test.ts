import assert from "node:assert/strict";
import fc from "fast-check";
import {
  HEDGE_BURST,
  HEDGE_SHARE,
  hedgedSource,
  resilientSource,
} from "../../../pipeline/snapshot/resilient_source.ts";
import { type Source, SourceFailure } from "../../../pipeline/snapshot/source.ts";
import { VirtualTime } from "../virtual_time.ts";

/** How one request goes. */
interface Attempt {
  ms: number;
  outcome: "bytes" | "missing" | "transient" | "refused";
}

/** A request that was made. */
interface Made extends Attempt {
  path: string;
  /** Milliseconds since the epoch. */
  begun: number;
  /** `ended` by the caller. */
  state: "open" | "done" | "ended";
}

/** The bytes of a path. */
function bytesOf(path: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`bytes of ${path}`);
}

/** Answers as the script says for a path and the number of the request for it, from 1. */
class ScriptedSource implements Source {
  readonly name = "scripted";
  readonly attempts: Made[] = [];

  constructor(
    readonly time: VirtualTime,
    readonly script: (path: string, attempt: number) => Attempt,
  ) {}

  async get(path: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
    const number = this.attempts.filter((made) => made.path === path).length + 1;
    const script = this.script(path, number);
    const made: Made = { ...script, path, begun: this.time.now(), state: "open" };
    this.attempts.push(made);
    try {
      await this.time.sleep(made.ms, signal);
      made.state = "done";
    } catch (error) {
      made.state = "ended";
      throw error;
    }
    if (made.outcome === "bytes") return bytesOf(path);
    if (made.outcome === "missing") return null;
    const transient = made.outcome === "transient";
    throw new SourceFailure(`${made.outcome} ${number}`, { transient });
  }
}

function hedged(script: (path: string, attempt: number) => Attempt) {
  const time = new VirtualTime();
  const inner = new ScriptedSource(time, script);
  return { time, inner, source: hedgedSource(inner, { clock: time, after: time.after }) };
}

/** Runs time to its end; returns how the read ended, and when. */
async function ended(
  time: VirtualTime,
  read: Promise<Uint8Array | null>,
): Promise<{ ms: number; text: string }> {
  const begun = time.now();
  const ending = read.then(
    (bytes) => bytes === null ? "null" : new TextDecoder().decode(bytes),
    (error: Error) => error.message,
  ).then((text) => ({ ms: time.now() - begun, text }));
  await time.run();
  return await ending;
}

/** What two attempts come to: how long it takes, what is returned, and how the attempts end. */
const READS: Record<string, [attempts: string, ms: number, text: string, states: string]> = {
  "one request when the answer comes in time": ["400 bytes", 400, "bytes of a", "done"],
  "a second request when it is slow": ["5000 bytes, 20 bytes", 520, "bytes of a", "ended done"],
  "a second after an error": ["10 transient, 10 bytes", 20, "bytes of a", "done done"],
  "no third request": ["10 transient, 10 transient", 20, "transient 2", "done done"],
  "a second one that wins": ["510 transient, 300 bytes", 800, "bytes of a", "done done"],
  "no second request for a missing object": ["10 missing", 10, "null", "done"],
  "no second request after a refusal": ["10 refused", 10, "refused 1", "done"],
};

Deno.test("hedgedSource() sends what helps and no more", async () => {
  for (const [what, [attempts, ms, text, states]] of Object.entries(READS)) {
    const script = attempts.split(", ").map((attempt) => attempt.split(" "))
      .map(([ms, outcome]) => ({ ms: Number(ms), outcome: outcome as Attempt["outcome"] }));
    const { time, inner, source } = hedged((_, n) => script[n - 1]!);
    assert.deepEqual(await ended(time, source.get("a")), { ms, text }, what);
    assert.equal(inner.attempts.map(({ state }) => state).join(" "), states, what);
  }
});

Deno.test("hedgedSource() learns from recent reads what is slow", async () => {
  const { time, inner, source } = hedged((path, n) => ({
    ms: path === "slow" && n === 1 ? 5_000 : 100,
    outcome: "bytes",
  }));
  for (let i = 0; i < 30; i++) await ended(time, source.get("usual"));
  assert.equal((await ended(time, source.get("slow"))).ms, 200);
  assert.equal(inner.attempts.length, 32);
});

Deno.test("hedgedSource() waits half a second at first, and never more than one second", async () => {
  const { time, inner, source } = hedged(() => ({ ms: 4_000, outcome: "bytes" }));
  const waits = new Set<number>();
  for (let i = 0; i < 40; i++) {
    await ended(time, source.get(String(i)));
    const [first, second] = inner.attempts.filter(({ path }) => path === String(i));
    if (second !== undefined) waits.add(second.begun - first!.begun);
  }
  assert.deepEqual(waits, new Set([500, 1_000]));
});

Deno.test("hedgedSource() sends an overloaded host few second requests", async () => {
  for (const outcome of ["transient", "bytes"] as const) {
    const { time, inner, source } = hedged(() => ({ ms: 5_000, outcome }));
    const reads = Array.from({ length: 1_000 }, () => source.get("a").catch(() => null));
    await time.run();
    await Promise.all(reads);
    const extra = inner.attempts.length - 1_000;
    assert.ok(extra > 0 && extra <= HEDGE_BURST + 1_000 * HEDGE_SHARE, `${extra}`);
  }
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

Deno.test("hedgedSource() never returns bytes of another path, aborts losers and keeps its budget, whatever happens when", async () => {
  await fc.assert(
    fc.asyncProperty(reads, async (plan) => {
      const { time, inner, source } = hedged((path, n) => plan[Number(path)]!.attempts[n - 1]!);
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

function resilient(script: (path: string, attempt: number) => Attempt) {
  const time = new VirtualTime();
  const inner = new ScriptedSource(time, script);
  const logged: string[] = [];
  const log = (line: string): void => void logged.push(line);
  const source = resilientSource(inner, { clock: time, after: time.after, log });
  async function read(path: string, signal?: AbortSignal): Promise<string> {
    const outcome = source.get(path, signal).then(
      (bytes) => bytes === null ? "null" : "bytes",
      (error: Error) => error.message,
    );
    await time.run();
    return await outcome;
  }
  return { time, inner, logged, read };
}

Deno.test("resilientSource() stops asking a host that is down, probes it every 3 s and resumes when it answers", async () => {
  let outcome: Attempt["outcome"] = "transient";
  const { time, inner, logged, read } = resilient(() => ({ ms: 10, outcome }));
  for (let i = 0; i < 5; i++) assert.match(await read(`a${i}`), /^transient/);
  const asked = inner.attempts.length;
  assert.equal(await read("b"), "Cannot read scripted/b: it failed a moment ago");
  assert.equal(inner.attempts.length, asked);
  await time.run(time.now() + 3_000);
  assert.match(await read("c"), /^transient/);
  assert.match(await read("c"), /a moment ago/);
  outcome = "bytes";
  await time.run(time.now() + 3_000);
  assert.equal(await read("d"), "bytes");
  assert.equal(await read("e"), "bytes");
  assert.deepEqual(logged, [
    "5 reads of the snapshot failed in a row, the last: transient 2",
    "The snapshot can be read again",
  ]);
});

Deno.test("resilientSource() probes with one read while others fail at once", async () => {
  const { time, inner, read } = resilient(() => ({ ms: 10, outcome: "transient" }));
  for (let i = 0; i < 5; i++) await read(`a${i}`);
  await time.run(time.now() + 3_000);
  const before = inner.attempts.length;
  const all = await Promise.all(["b", "c", "d"].map((path) => read(path)));
  assert.deepEqual(all.map((text) => /a moment ago/.test(text)), [false, true, true]);
  assert.deepEqual(new Set(inner.attempts.slice(before).map(({ path }) => path)), new Set(["b"]));
});

Deno.test("resilientSource() keeps asking a host despite one broken object, refusals and aborted callers", async () => {
  const { inner, logged, read } = resilient((path) => ({
    ms: 10,
    outcome: path === "good" ? "bytes" : path === "forbidden" ? "refused" : "transient",
  }));
  for (let i = 0; i < 10; i++) {
    await read("broken");
    await read("broken");
    await read(i % 2 === 0 ? "good" : "forbidden");
  }
  const gone = AbortSignal.abort(new Error("gone"));
  for (let i = 0; i < 10; i++) assert.equal(await read("good", gone), "gone");
  assert.equal(await read("good"), "bytes");
  assert.deepEqual(logged, []);
  assert.ok(inner.attempts.length > 40);
});
