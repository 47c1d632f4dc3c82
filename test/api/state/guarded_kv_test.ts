import assert from "node:assert/strict";
import { GuardedKv } from "../../../api/state/guarded_kv.ts";
import { KvUnavailable } from "../../../api/state/kv.ts";
import { TestClock } from "../../pipeline/snapshot/memory.ts";
import { FakeKv } from "./fake_kv.ts";

const KEY = ["a"];

Deno.test("GuardedKv gives a call up that does not end in time", async () => {
  const never = new FakeKv({ turn: () => new Promise(() => {}) });
  const kv = new GuardedKv(never, { clock: new TestClock(), timeout: 1 });
  await assert.rejects(kv.get(KEY), { name: "KvUnavailable", message: /no answer in 1 ms/ });
  assert.equal(kv.failing, true);
});

Deno.test("GuardedKv does not call a store that failed a moment ago, then lets one call through", async () => {
  const clock = new TestClock();
  const logged: string[] = [];
  let broken = true;
  const store = new FakeKv({ fault: () => broken ? "error" : undefined });
  const kv = new GuardedKv(store, { clock, rest: 1000, log: (line) => logged.push(line) });
  await assert.rejects(kv.get(KEY), KvUnavailable);
  await assert.rejects(kv.list(KEY, { limit: 1 }), /failed a moment ago/);
  await assert.rejects(kv.commit({ checks: [], writes: [] }), /failed a moment ago/);
  assert.equal(store.calls.length, 1);

  clock.advance(1000);
  const [probe, other] = await Promise.allSettled([kv.get(KEY), kv.get(KEY)]);
  assert.deepEqual([probe.status, other.status], ["rejected", "rejected"]);
  assert.equal(store.calls.length, 2, "only the probe reached the store");

  broken = false;
  clock.advance(1000);
  await kv.getMany([KEY]);
  await kv.get(KEY);
  assert.equal(kv.failing, false);
  assert.equal(store.calls.length, 4);
  assert.deepEqual(logged.map((line) => line.split(":")[0]), [
    "The store fails",
    "The store answers again",
  ]);
});

Deno.test("GuardedKv lets a call through when the clock was put back", async () => {
  const clock = new TestClock();
  let broken = true;
  const kv = new GuardedKv(new FakeKv({ fault: () => broken ? "error" : undefined }), { clock });
  await assert.rejects(kv.get(KEY), KvUnavailable);
  broken = false;
  clock.advance(-60_000);
  await kv.get(KEY);
});
