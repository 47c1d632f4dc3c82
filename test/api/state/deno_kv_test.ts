import assert from "node:assert/strict";
import { DenoKv } from "../../../api/state/deno_kv.ts";

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
    await Deno.writeTextFile(`${folder}/later`, "a file stands where the folder should");
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
