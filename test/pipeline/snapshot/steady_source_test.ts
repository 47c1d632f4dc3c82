import assert from "node:assert/strict";
import { steadySource } from "../../../pipeline/snapshot/resilient_source.ts";
import { VirtualTime } from "../virtual_time.ts";
import { type Attempt, ScriptedSource } from "./scripted_source.ts";

function setUp(script: (path: string, attempt: number) => Attempt) {
  const time = new VirtualTime();
  const inner = new ScriptedSource(time, script);
  const logged: string[] = [];
  const log = (line: string): void => void logged.push(line);
  const source = steadySource(inner, { clock: time, after: time.after, log });
  async function read(path: string, signal?: AbortSignal): Promise<string> {
    const told = source.get(path, signal).then(
      (bytes) => bytes === null ? "null" : "bytes",
      (error: Error) => error.message,
    );
    await time.run();
    return await told;
  }
  return { time, inner, logged, read };
}

Deno.test("steadySource() asks a host that is down no more, sees after it each 3 s, and goes on when it answers", async () => {
  let outcome: Attempt["outcome"] = "passing";
  const { time, inner, logged, read } = setUp(() => ({ ms: 10, outcome }));
  for (let i = 0; i < 5; i++) assert.match(await read(`a${i}`), /^passing/);
  const asked = inner.attempts.length;
  assert.equal(await read("b"), "Cannot read scripted/b: it failed a moment ago");
  assert.equal(inner.attempts.length, asked);
  await time.run(time.now() + 3_000);
  assert.match(await read("c"), /^passing/);
  assert.match(await read("c"), /a moment ago/);
  outcome = "bytes";
  await time.run(time.now() + 3_000);
  assert.equal(await read("d"), "bytes");
  assert.equal(await read("e"), "bytes");
  assert.deepEqual(logged, [
    "5 reads of the snapshot failed in a row, the last: passing 2",
    "The snapshot can be read again",
  ]);
});

Deno.test("steadySource() lets one read through to see, and the others fail at once", async () => {
  const { time, inner, read } = setUp(() => ({ ms: 10, outcome: "passing" }));
  for (let i = 0; i < 5; i++) await read(`a${i}`);
  await time.run(time.now() + 3_000);
  const before = inner.attempts.length;
  const all = await Promise.all(["b", "c", "d"].map((path) => read(path)));
  assert.deepEqual(all.map((text) => /a moment ago/.test(text)), [false, true, true]);
  assert.deepEqual(new Set(inner.attempts.slice(before).map(({ path }) => path)), new Set(["b"]));
});

Deno.test("steadySource() does not give up a host for one broken object, refusals or callers who left", async () => {
  const { inner, logged, read } = setUp((path) => ({
    ms: 10,
    outcome: path === "good" ? "bytes" : path === "forbidden" ? "refused" : "passing",
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
