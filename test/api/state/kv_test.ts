import assert from "node:assert/strict";
import { DenoKv } from "../../../api/state/deno_kv.ts";
import { GuardedKv, KvUnavailable } from "../../../api/state/kv.ts";
import { TestClock } from "../../pipeline/snapshot/memory.ts";
import { FakeKv } from "./fake_kv.ts";

Deno.test("DenoKv reads, lists and commits", async () => {
  const kv = new DenoKv(":memory:");
  try {
    assert.deepEqual(await kv.get(["a"]), { key: ["a"], value: null, versionstamp: null });
    const set = (key: string[], value: unknown) => ({ key, value, expireIn: 60_000 });
    const first = await kv.commit({
      checks: [{ key: ["a"], versionstamp: null }],
      writes: [set(["a"], 1), set(["l", "2"], "two"), set(["l", "1"], "one")],
    });
    assert.ok(first);
    assert.equal((await kv.get(["a"])).versionstamp, first);
    const late = { checks: [{ key: ["a"], versionstamp: null }], writes: [set(["a"], 2)] };
    assert.equal(await kv.commit(late), null);
    assert.deepEqual((await kv.list(["l"], { limit: 10 })).map(({ value }) => value), [
      "one",
      "two",
    ]);
    assert.equal((await kv.list(["l"], { limit: 1 })).length, 1);
    const after = async (...last: string[]) =>
      (await kv.list(["l"], { limit: 9, after: ["l", ...last] })).map(({ value }) => value);
    assert.deepEqual(await after("1"), ["two"]);
    assert.deepEqual(await after("0"), ["one", "two"]);
    assert.deepEqual(await after("2"), []);
    await kv.commit({ checks: [], writes: [{ key: ["a"], delete: true }] });
    assert.deepEqual((await kv.getMany([["a"], ["l", "2"]])).map(({ value }) => value), [
      null,
      "two",
    ]);
  } finally {
    await kv.close();
  }
});

Deno.test("DenoKv says so when the store cannot be opened, and opens it once it can", async () => {
  const folder = await Deno.makeTempDir();
  const kv = new DenoKv(`${folder}/later/kv`);
  try {
    await Deno.writeTextFile(`${folder}/later`, "a file is where the folder should be");
    await assert.rejects(kv.get(["a"]), { name: "KvUnavailable" });
    await Deno.remove(`${folder}/later`);
    assert.equal((await kv.get(["a"])).value, null);
  } finally {
    await kv.close();
    await Deno.remove(folder, { recursive: true });
  }
});

const COUNTER = `
  import { DenoKv } from ${JSON.stringify(import.meta.resolve("../../../api/state/deno_kv.ts"))};
  const kv = new DenoKv(Deno.args[0]);
  for (let made = 0; made < 40;) {
    const { value, versionstamp } = await kv.get(["count"]);
    const written = await kv.commit({
      checks: [{ key: ["count"], versionstamp }],
      writes: [{ key: ["count"], value: (value ?? 0) + 1, expireIn: 60_000 }],
    });
    if (written !== null) made++;
  }
  await kv.close();
`;

// Atomic commits of several processes on one file throw "database is locked" instead of waiting.
Deno.test("DenoKv loses no commit of three processes on one file", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/kv`;
  const kv = new DenoKv(file);
  try {
    await kv.get(["count"]);
    await Deno.writeTextFile(`${folder}/count.ts`, COUNTER);
    const runs = Array.from({ length: 3 }, () =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--unstable-kv", "--no-config", `${folder}/count.ts`, file],
        stderr: "piped",
      }).output());
    for (const { success, stderr } of await Promise.all(runs)) {
      assert.ok(success, new TextDecoder().decode(stderr));
    }
    assert.equal((await kv.get(["count"])).value, 120);
  } finally {
    await kv.close();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("DenoKv refuses exactly the commits whose checks fail, of many that are written together", async () => {
  const kv = new DenoKv(":memory:");
  try {
    const commit = (key: string, versionstamp: string | null, value: unknown) =>
      kv.commit({
        checks: [{ key: [key], versionstamp }],
        writes: [{ key: [key], value, expireIn: 60_000 }],
      });
    const first = await commit("taken", null, 0);
    const keys = Array.from({ length: 30 }, (_, i) => `k${i}`);
    const made = await Promise.all([
      ...keys.map((key) => commit(key, null, 1)),
      // Two on one key: only one of them is the first.
      commit("k7", null, 2),
      commit("taken", null, 2),
      commit("taken", first, 3),
    ]);
    const refused = made.flatMap((versionstamp, i) => versionstamp === null ? [i] : []);
    assert.deepEqual(refused, [30, 31]);
    assert.equal((await kv.get(["k7"])).value, 1);
    assert.equal((await kv.get(["taken"])).value, 3);
  } finally {
    await kv.close();
  }
});

const KEY = ["a"];

Deno.test("GuardedKv times out a call that does not end", async () => {
  const never = new FakeKv({ turn: () => new Promise(() => {}) });
  const kv = new GuardedKv(never, { clock: new TestClock(), timeout: 1 });
  await assert.rejects(kv.get(KEY), { name: "KvUnavailable", message: /no answer in 1 ms/ });
});

Deno.test("GuardedKv does not call a store that failed a moment ago, then lets one call through", async () => {
  const clock = new TestClock();
  const logged: string[] = [];
  let broken = true;
  const store = new FakeKv({ fault: () => broken ? "error" : undefined });
  const kv = new GuardedKv(store, { clock, log: (line) => logged.push(line) });
  await assert.rejects(kv.get(KEY), KvUnavailable);
  await assert.rejects(kv.list(KEY, { limit: 1 }), /failed a moment ago/);
  await assert.rejects(kv.commit({ checks: [], writes: [] }), /failed a moment ago/);
  assert.equal(store.calls.length, 1);

  clock.advance(3000);
  const [probe, other] = await Promise.allSettled([kv.get(KEY), kv.get(KEY)]);
  assert.deepEqual([probe.status, other.status], ["rejected", "rejected"]);
  assert.equal(store.calls.length, 2, "only the probe reached the store");

  broken = false;
  clock.advance(3000);
  await kv.getMany([KEY]);
  await kv.get(KEY);
  assert.equal(store.calls.length, 4);
  assert.deepEqual(logged.map((line) => line.split(":")[0]), [
    "The store fails",
    "The store works again",
  ]);
});
