import assert from "node:assert/strict";
import type { ServiceError } from "../../../api/operations/errors.ts";
import {
  claimKey,
  type ClaimRecord,
  decide,
  doneWrite,
  fingerprintOf,
  Idempotency,
} from "../../../api/state/idempotency.ts";
import { KvUnavailable } from "../../../api/state/kv.ts";
import type { KvFault } from "./fake_kv.ts";
import { answer, DAY, IdempotencyWorld, LEASE, MortalKv, request } from "./idempotency_world.ts";

const never = (): Promise<never> => Promise.reject(new Error("worked twice"));

Deno.test("run() gives the same answer byte for byte to whoever sends the key again", async () => {
  // In the record, in one piece, and in more pieces than one commit takes.
  for (const length of [0, 16 * 1024, 20_000, 900_000]) {
    const world = new IdempotencyWorld();
    const first = await world.process().run(
      request("x"),
      () => Promise.resolve(answer("a", length)),
    );
    assert.deepEqual(first, { response: answer("a", length), replayed: false });
    for (const wait of [0, LEASE, DAY - LEASE - 1]) {
      world.clock.advance(wait);
      const again = await world.process().run(request("x"), never);
      assert.deepEqual(again, { response: answer("a", length), replayed: true });
    }
    world.clock.advance(1);
    const later = await world.process().run(request("y"), () => Promise.resolve(answer("b")));
    assert.deepEqual(later, { response: answer("b"), replayed: false });
  }
});

Deno.test("run() refuses a key with another body, and one that is at work", async () => {
  const world = new IdempotencyWorld();
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof answer>>();
  const running = world.process().run(request("x"), () => promise);
  while (world.kv.commits === 0) await new Promise((resolve) => setTimeout(resolve));
  const reused = { code: "idempotency_key_reused", status: 422 };
  world.clock.advance(100);
  await assert.rejects(world.process().run(request("y"), never), reused);
  await assert.rejects(world.process().run(request("x"), never), {
    code: "request_in_progress",
    status: 409,
    retryAfter: 30,
  });
  world.clock.advance(LEASE - 101);
  await assert.rejects(world.process().run(request("x"), never), { retryAfter: 1 });
  resolve(answer("a"));
  await running;
  await assert.rejects(world.process().run(request("y"), never), reused);
});

Deno.test("run() keeps clients, operations and keys apart, and none of them in clear", async () => {
  const world = new IdempotencyWorld();
  const requests = [
    request("x"),
    request("x", { client: "192.0.2.2" }),
    request("x", { operation: "jobs" }),
    { ...request("x"), key: "other" },
    // Put together without care these are the same.
    { client: "a", operation: "b", key: "c d", fingerprint: "x" },
    { client: "a", operation: "b c", key: "d", fingerprint: "x" },
  ];
  for (const [i, keyed] of requests.entries()) {
    const { response } = await world.process().run(keyed, () => Promise.resolve(answer(`${i}`)));
    assert.deepEqual(response, answer(`${i}`));
  }
  for (const key of world.kv.entries.keys()) {
    assert.match(key, /^\["idempotency","[0-9a-f]{64}"\]$/);
  }
});

Deno.test("run() frees the key when the work fails, and passes its error on", async () => {
  const world = new IdempotencyWorld();
  const failure = new Error("no data");
  await assert.rejects(world.process().run(request("x"), () => Promise.reject(failure)), failure);
  const thrown = (): never => {
    throw failure;
  };
  await assert.rejects(world.process().run(request("x"), thrown), failure);
  assert.equal(world.kv.entries.size, 0);
  const { replayed } = await world.process().run(request("y"), () => Promise.resolve(answer("a")));
  assert.equal(replayed, false);
});

Deno.test("run() ends work that takes too long before others take the key over", async () => {
  const world = new IdempotencyWorld();
  const control = new AbortController();
  const late = Promise.withResolvers<ReturnType<typeof answer>>();
  const running = world.process(world.kv, control.signal).run(request("x"), (signal) => {
    signal.addEventListener("abort", () => late.reject(new Error("too late to be heard")));
    setTimeout(() => control.abort());
    return late.promise;
  });
  await assert.rejects(running, { code: "upstream_unavailable", retryAfter: 10 });
  assert.equal(world.kv.entries.size, 0);
});

Deno.test("run() ends slow work by a timer of its own, which holds nothing up", async () => {
  const { kv, clock } = new IdempotencyWorld();
  const idempotency = new Idempotency({ kv, clock, newToken: () => "t" });
  let given: AbortSignal | undefined;
  await idempotency.run(request("x"), (signal) => {
    given = signal;
    return Promise.resolve(answer("a"));
  });
  assert.equal(given?.aborted, false);
});

Deno.test("run() takes a key over from a request that died, once its lease is over", async () => {
  const world = new IdempotencyWorld();
  const dying = new MortalKv(world.kv, { commit: 2, after: false });
  world.process(dying).run(request("x"), () => Promise.resolve(answer("dead")));
  await dying.died;
  world.clock.advance(LEASE - 1);
  await assert.rejects(world.process().run(request("x"), never), { code: "request_in_progress" });
  world.clock.advance(1);
  const { response, replayed } = await world.process().run(
    request("x"),
    () => Promise.resolve(answer("b")),
  );
  assert.deepEqual({ response, replayed }, { response: answer("b"), replayed: false });
});

Deno.test("run() gives the answer of the request that took its key over, never its own", async () => {
  for (const finished of [true, false]) {
    const world = new IdempotencyWorld();
    const slow = Promise.withResolvers<ReturnType<typeof answer>>();
    const first = world.process().run(request("x"), () => slow.promise);
    while (world.kv.commits === 0) await new Promise((resolve) => setTimeout(resolve));
    world.clock.advance(LEASE);
    const other = Promise.withResolvers<ReturnType<typeof answer>>();
    const second = world.process().run(request("x"), () => other.promise);
    while (world.kv.commits === 1) await new Promise((resolve) => setTimeout(resolve));
    if (finished) {
      other.resolve(answer("second", 200_000));
      await second;
    }
    slow.resolve(answer("first", 200_000));
    if (finished) {
      assert.deepEqual(await first, { response: answer("second", 200_000), replayed: true });
    } else {
      await assert.rejects(first, { code: "request_in_progress" });
      other.resolve(answer("second", 200_000));
      assert.deepEqual((await second).response, answer("second", 200_000));
    }
    const { response } = await world.process().run(request("x"), never);
    assert.deepEqual(response, answer("second", 200_000));
  }
});

Deno.test("run() does not wait for a claim that a clock put back has left in the future", async () => {
  const world = new IdempotencyWorld();
  const dying = new MortalKv(world.kv, { commit: 1, after: true });
  world.process(dying).run(request("x"), never);
  await dying.died;
  world.clock.advance(-3_600_000);
  const { response } = await world.process().run(request("x"), () => Promise.resolve(answer("a")));
  assert.deepEqual(response, answer("a"));
});

Deno.test("run() never answers wrong whichever call of the store fails, once or for good", async () => {
  for (const fault of ["error", "lost", "conflict"] satisfies KvFault[]) {
    for (const lasting of [false, true]) {
      let hit = true;
      for (let n = 1; hit; n++) {
        hit = false;
        const where = `${fault} ${lasting ? "from" : "at"} ${n}`;
        const world = new IdempotencyWorld({
          fault: ({ number }) => {
            if (lasting ? number < n : number !== n) return undefined;
            hit = true;
            return fault;
          },
        });
        let runs = 0;
        const work = () => Promise.resolve(answer(`run ${++runs}`, 900_000));
        const answers: Awaited<ReturnType<typeof send>>[] = [];
        const send = () => world.process().run(request("x"), work);
        const tryToSend = async (): Promise<void> => {
          try {
            answers.push(await send());
          } catch (error) {
            const known = error instanceof KvUnavailable ||
              (error as ServiceError).code === "request_in_progress";
            assert.ok(known, `${where}: ${error}`);
          }
        };
        await tryToSend();
        await tryToSend();
        world.clock.advance(LEASE);
        await tryToSend();
        if (lasting) world.kv.options = {};
        // Now the store is well and no claim is in the way: there is an answer.
        await tryToSend();
        world.clock.advance(LEASE);
        await tryToSend();
        assert.ok(answers.length > 0, where);
        for (const { response } of answers) assert.deepEqual(response, answers[0]!.response, where);
        for (const { replayed } of answers.slice(1)) assert.equal(replayed, true, where);
        // A store that is back knows of the answer even if the caller was not told.
        if (!lasting) assert.equal(answers.at(-1)!.replayed, true, where);
      }
    }
  }
});

Deno.test("fingerprintOf() is the same for the same numbers in the same order only", async () => {
  const all = await Promise.all([[1, 2], [2, 1], [12], [1], [1, 2, 2], [0]].map(fingerprintOf));
  assert.equal(new Set(all).size, all.length);
  assert.equal(await fingerprintOf([1, 2]), all[0]);
});

Deno.test("doneWrite() and decide() let a caller store a short answer in a commit of its own", async () => {
  const { kv, clock } = new IdempotencyWorld();
  const key = await claimKey("192.0.2.1", "jobs", "k");
  const about = { fingerprint: "x", now: clock.now() };
  const entry = await kv.get<ClaimRecord>(key);
  assert.equal(decide(entry, about), null);
  const write = doneWrite(key, { ...about, response: answer("a") });
  assert.notEqual(await kv.commit({ checks: [entry], writes: [write] }), null);
  const done = await kv.get<ClaimRecord>(key);
  assert.deepEqual(decide(done, about), answer("a"));
  assert.throws(() => decide(done, { ...about, fingerprint: "y" }), {
    code: "idempotency_key_reused",
  });
  assert.equal(decide(done, { fingerprint: "y", now: clock.now() + DAY }), null);
});
