import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  ConditionFailed,
  objectHeaders,
  type Store,
  storeSource,
} from "../../../pipeline/publish/store.ts";
import { TARGETS } from "./world.ts";

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function put(store: Store, path: string, text: string): Promise<void> {
  return store.put(path, bytes(text));
}

async function textOf(store: Store, path: string): Promise<string | null> {
  const found = await store.get(path);
  return found === null ? null : new TextDecoder().decode(found.bytes);
}

async function paths(store: Store, prefix: string): Promise<string[]> {
  return (await Array.fromAsync(store.list(prefix))).map(({ path }) => path).sort();
}

for (const [name, open] of Object.entries(TARGETS)) {
  Deno.test(`Store (${name}) reads, lists and deletes what was put`, async () => {
    await using target = await open();
    const { store } = target;
    const shards = Array.from({ length: 11 }, (_, i) => `s/a/carriers/${i}.json.gz`);
    const all = [...shards, "s/a/manifest.json"];
    for (const reader of [store, storeSource(store)]) {
      assert.equal(await reader.get("s/a/manifest.json"), null);
    }
    await put(store, "s/a/manifest.json", "one");
    for (const path of [...all, "s/ab/x.json", "current.json"]) await put(store, path, path);
    assert.equal(await textOf(store, "s/a/manifest.json"), "s/a/manifest.json");
    await put(store, "current.json", "");
    assert.equal(await textOf(store, "current.json"), "");
    assert.deepEqual(await target.source.get("s/ab/x.json"), bytes("s/ab/x.json"));

    assert.deepEqual(await paths(store, "s/a/"), all.toSorted());
    assert.deepEqual(await paths(store, "s/a"), [...all, "s/ab/x.json"].sort());
    assert.deepEqual(await paths(store, "s/a/man"), ["s/a/manifest.json"]);
    assert.deepEqual(await paths(store, "s/ab/"), ["s/ab/x.json"]);
    assert.deepEqual(await paths(store, "s/none/"), []);
    await put(store, "s/no-folder.json", "x");
    assert.deepEqual(await store.folders("s/"), ["a", "ab"]);
    assert.deepEqual(await store.folders("none/"), []);
    for await (const object of store.list("s/ab/")) {
      assert.equal(object.bytes, "s/ab/x.json".length);
      assert.equal(await object.md5(), createHash("md5").update("s/ab/x.json").digest("hex"));
      assert.ok(Math.abs(object.modified - Date.now()) < 60_000);
    }

    await store.delete([...all, "s/a/none.gz"]);
    await store.delete([]);
    assert.deepEqual(await paths(store, "s/"), ["s/ab/x.json", "s/no-folder.json"]);
    assert.deepEqual(await store.folders("s/"), ["ab"]);
  });

  Deno.test(`Store (${name}) writes with a condition only if it holds`, async () => {
    await using target = await open();
    const { store } = target;
    const write = (text: string, ifMatch: string | null) =>
      store.put("current.json", bytes(text), { ifMatch });
    await assert.rejects(write("zero", '"00"'), ConditionFailed);
    await write("one", null);
    await assert.rejects(write("two", null), ConditionFailed);
    const { etag } = (await store.get("current.json"))!;
    await write("two", etag);
    await assert.rejects(write("three", etag), ConditionFailed);
    assert.equal(await textOf(store, "current.json"), "two");
  });

  Deno.test(`Store (${name}) writes nothing once it is interrupted`, async () => {
    await using target = await open();
    const { store } = target;
    const signal = AbortSignal.abort(new Error("Interrupted"));
    await assert.rejects(store.put("x.json", bytes("x"), { signal }), { message: "Interrupted" });
    assert.equal(await store.get("x.json"), null);
  });

  Deno.test(`Store (${name}) rejects paths outside its root`, async () => {
    await using target = await open();
    const { store } = target;
    for (const path of ["../x", "/x", "s//x", ".publish/lock", "a?b"]) {
      await assert.rejects(store.get(path), TypeError, path);
      await assert.rejects(put(store, path, "x"), TypeError, path);
      await assert.rejects(store.delete([path]), TypeError, path);
    }
  });
}

Deno.test("Store (folder) lets only one of many conditional writers through, and removes drafts of killed ones", async () => {
  await using target = await TARGETS.folder!();
  const { store } = target;
  const options = { ifMatch: null };
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => store.put("current.json", bytes(`${i}`), options)),
  );
  const won = results.flatMap(({ status }, i) => status === "fulfilled" ? [i] : []);
  assert.equal(won.length, 1);
  assert.equal(await textOf(store, "current.json"), `${won[0]}`);
  // A killed writer's draft is deleted by a later write, once it is old.
  const drafts = `${store.name}/.publish`;
  for (const name of ["old", "new"]) await Deno.writeTextFile(`${drafts}/${name}`, "half");
  // The lock stays however old it is: otherwise two writers could lock two files.
  for (const name of ["old", "lock"]) await Deno.utime(`${drafts}/${name}`, 0, 0);
  await assert.rejects(store.put("current.json", bytes("x"), options), ConditionFailed);
  const left = await Array.fromAsync(Deno.readDir(drafts), ({ name }) => name);
  assert.deepEqual(left.sort(), ["lock", "new"]);
  // A folder that can't be listed is not reported as empty.
  await assert.rejects(store.folders("current.json/"), Deno.errors.NotADirectory);
});

Deno.test("Store (folder) lists no hidden file, and leaves no empty folder or draft", async () => {
  await using target = await TARGETS.folder!();
  const { store } = target;
  for (const path of ["s/a/carriers/0.json.gz", "s/b/x.json"]) await put(store, path, "x");
  await Deno.writeTextFile(`${store.name}/s/b/.hidden`, "x");
  assert.deepEqual(await paths(store, "s/b/"), ["s/b/x.json"]);
  await store.delete(["s/a/carriers/0.json.gz"]);
  const names = async (dir: string) =>
    await Array.fromAsync(Deno.readDir(`${store.name}/${dir}`), ({ name }) => name);
  assert.deepEqual(await names("s"), ["b"]);
  // A folder has this name, so that the draft cannot take its place.
  await assert.rejects(put(store, "s/b", "x"));
  assert.deepEqual(await names(".publish"), []);
});

Deno.test("objectHeaders() sets a content type by the name, and caches only what is never written again", () => {
  const forever = "public, max-age=31536000, immutable";
  const headers: [path: string, type: string, caching: string][] = [
    ["s/a/carriers/0.json.gz", "application/gzip", forever],
    ["s/a/export/carriers.parquet", "application/vnd.apache.parquet", forever],
    ["s/a/SHA256SUMS", "text/plain; charset=utf-8", forever],
    ["s/a/manifest.json", "application/json", forever],
    ["current.json", "application/json", "public, max-age=60"],
    ["publish.lock", "application/json", "no-store"],
  ];
  for (const [path, type, caching] of headers) {
    assert.deepEqual(Object.values(objectHeaders(path)), [type, caching], path);
  }
});
