import assert from "node:assert/strict";
import { DenoKv } from "../../../api/state/deno_kv.ts";
import { guardedKv, KvUnavailable } from "../../../api/state/kv.ts";
import { tempDir } from "../../pipeline/compile/files.ts";
import { TestClock } from "../../pipeline/snapshot/memory.ts";
import { FakeKv } from "./fake_kv.ts";

/** A store until the end of the test. */
function open(path = ":memory:") {
  const kv = new DenoKv(path);
  return Object.assign(kv, { [Symbol.asyncDispose]: () => kv.close() });
}

function set(key: string[], value: unknown) {
  return { key, value, expireIn: 60_000 };
}

Deno.test("DenoKv reads, lists and commits", async () => {
  await using kv = open();
  assert.deepEqual(await kv.get([["a"]]), [{ key: ["a"], value: null, versionstamp: null }]);
  const first = await kv.commit({
    checks: [{ key: ["a"], versionstamp: null }],
    writes: [set(["a"], 1), set(["l", "2"], "two"), set(["l", "1"], "one")],
  });
  assert.ok(first);
  assert.equal((await kv.get([["a"]]))[0].versionstamp, first);
  const late = { checks: [{ key: ["a"], versionstamp: null }], writes: [set(["a"], 2)] };
  assert.equal(await kv.commit(late), null);
  const listed = async (options: { limit?: number; after?: string[] }) =>
    (await kv.list(["l"], { limit: 9, ...options })).map(({ value }) => value);
  assert.deepEqual(await listed({}), ["one", "two"]);
  assert.deepEqual(await listed({ limit: 1 }), ["one"]);
  assert.deepEqual(await listed({ after: ["l", "0"] }), ["one", "two"]);
  assert.deepEqual(await listed({ after: ["l", "1"] }), ["two"]);
  assert.deepEqual(await listed({ after: ["l", "2"] }), []);
  await kv.commit({ checks: [], writes: [{ key: ["a"], delete: true }] });
  const values = (await kv.get([["a"], ["l", "2"]])).map(({ value }) => value);
  assert.deepEqual(values, [null, "two"]);
});

Deno.test("DenoKv reports a store that can't be opened, and opens it once it can", async () => {
  await using folder = await tempDir();
  await Deno.writeTextFile(`${folder.path}/later`, "a file is where the folder should be");
  await using kv = open(`${folder.path}/later/kv`);
  await assert.rejects(kv.get([["a"]]), { name: "KvUnavailable" });
  const commit = { checks: [], writes: [set(["a"], 1)] };
  await assert.rejects(kv.commit(commit), { name: "KvUnavailable" });
  await Deno.remove(`${folder.path}/later`);
  assert.equal((await kv.get([["a"]]))[0].value, null);
});

Deno.test("DenoKv.inPlace() rejects once the file was replaced or deleted, until the store is opened again", async () => {
  await using folder = await tempDir();
  const file = `${folder.path}/kv`;
  await using kv = open(file);
  await kv.inPlace();
  await kv.inPlace();
  await Deno.writeTextFile(`${file}2`, "another file");
  await Deno.rename(`${file}2`, file);
  await assert.rejects(kv.inPlace(), { name: "KvUnavailable", message: /another file/ });
  await Deno.remove(file);
  await assert.rejects(kv.inPlace(), { name: "KvUnavailable", message: /deleted/ });
  await kv.close();
  await kv.inPlace();
  // What has no file can't lose it, and a server isn't called.
  for (const path of [":memory:", "http://127.0.0.1:1", undefined]) {
    await new DenoKv(path).inPlace();
  }
});

const COUNTER = `
  import { DenoKv } from ${JSON.stringify(import.meta.resolve("../../../api/state/deno_kv.ts"))};
  const kv = new DenoKv(Deno.args[0]);
  for (let made = 0; made < 40;) {
    const [{ value, versionstamp }] = await kv.get([["count"]]);
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
  await using folder = await tempDir();
  const [script, file] = [`${folder.path}/count.ts`, `${folder.path}/kv`];
  await using kv = open(file);
  await kv.get([["count"]]);
  await Deno.writeTextFile(script, COUNTER);
  const args = ["run", "-A", "--unstable-kv", "--no-config", script, file];
  const count = () => new Deno.Command(Deno.execPath(), { args, stderr: "piped" }).output();
  for (const { success, stderr } of await Promise.all([count(), count(), count()])) {
    assert.ok(success, new TextDecoder().decode(stderr));
  }
  assert.equal((await kv.get([["count"]]))[0].value, 120);
});

Deno.test("DenoKv refuses exactly the commits whose checks fail, among many that are written together", async () => {
  await using kv = open();
  const commit = (key: string, versionstamp: string | null, value: unknown) =>
    kv.commit({ checks: [{ key: [key], versionstamp }], writes: [set([key], value)] });
  const first = await commit("taken", null, 0);
  const keys = Array.from({ length: 30 }, (_, i) => `k${i}`);
  const made = await Promise.all([
    ...keys.map((key) => commit(key, null, 1)),
    // The same key as the commit just before: only the first one succeeds.
    commit("k29", null, 2),
    commit("taken", null, 2),
    commit("taken", first, 3),
  ]);
  const refused = made.flatMap((versionstamp, i) => versionstamp === null ? [i] : []);
  assert.deepEqual(refused, [30, 31]);
  // Of two that are written together
  const two = [commit("alone", null, 1), commit("other", null, 1), commit("taken", null, 4)];
  assert.deepEqual((await Promise.all(two)).map((it) => it === null), [false, false, true]);
  const values = (await kv.get([["k29"], ["taken"]])).map(({ value }) => value);
  assert.deepEqual(values, [1, 3]);
});

Deno.test("DenoKv makes one of two waiting commits of several writes that depend on the same value", async () => {
  await using kv = open();
  const commit = (value: number, key = "a") =>
    kv.commit({
      checks: [{ key: [key], versionstamp: null }],
      writes: [set([key], value), set(["b"], value)],
    });
  // The first one does not wait.
  const made = await Promise.all([commit(0, "other"), commit(1), commit(2)]);
  assert.deepEqual(made.map((it) => it === null), [false, false, true]);
  assert.deepEqual((await kv.get([["a"], ["b"]])).map(({ value }) => value), [1, 1]);
});

const KEYS = [["a"]];

Deno.test("guardedKv() times out a call that does not end", async () => {
  const never = new FakeKv({ turn: () => new Promise(() => {}) });
  const kv = guardedKv(never, { clock: new TestClock(), timeout: 1 });
  await assert.rejects(kv.get(KEYS), { name: "KvUnavailable", message: /no answer in 1 ms/ });
});

Deno.test("guardedKv() does not call a store that failed a moment ago, then lets one call through", async () => {
  const clock = new TestClock();
  const said: string[] = [];
  const store = new FakeKv({ fault: () => "error" });
  const kv = guardedKv(store, { clock, log: (line) => said.push(line.split(":")[0]!) });
  await assert.rejects(kv.get(KEYS), new KvUnavailable("call 1 was chosen"));
  await assert.rejects(kv.list(["a"], { limit: 1 }), /failed a moment ago/);
  await assert.rejects(kv.commit({ checks: [], writes: [] }), /failed a moment ago/);
  assert.equal(store.calls.length, 1);
  clock.advance(3000);
  await Promise.all([0, 1].map(() => assert.rejects(kv.get(KEYS), KvUnavailable)));
  assert.equal(store.calls.length, 2, "only the probe reached the store");
  store.options = {};
  clock.advance(3000);
  for (let i = 0; i < 2; i++) await kv.get(KEYS);
  assert.equal(store.calls.length, 4);
  assert.deepEqual(said, ["The store fails", "The store works again"]);
});
