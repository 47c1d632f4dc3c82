import assert from "node:assert/strict";
import { KeyedHash } from "../../../api/state/keyed_hash.ts";
import { KvUnavailable, NO_END_MS, transact } from "../../../api/state/kv.ts";
import { FakeKv, withEachFault } from "./fake_kv.ts";

/** Adds 1 to a counter, with a token that tells this commit from others. */
function add(kv: FakeKv, token: string): Promise<number> {
  return transact({ kv }, [["count"]], ({ value }) => {
    const count = (value?.count ?? 0) + 1;
    const write = { key: ["count"], value: { count, token }, expireIn: 60_000 };
    return { result: count, writes: [write] };
  });
}

Deno.test("transact() changes the store once, whichever call fails and however its answer is lost", async () => {
  await withEachFault(async (kv, _, where) => {
    assert.equal(await add(kv, "one"), 1);
    assert.equal(await add(kv, "two"), 2, where);
  });
});

Deno.test("transact() removes once, whichever call fails, and commits nothing without writes", async () => {
  await withEachFault(async (kv, _, where) => {
    const key = ["count"];
    const remove = () =>
      transact(
        { kv },
        [key],
        ({ value }) =>
          value === null
            ? { result: "was absent" }
            : { result: "removed", writes: [{ key, delete: true }] },
      );
    await add(kv, "one");
    assert.equal(await remove(), "removed", where);
    const { commits } = kv;
    assert.equal(await remove(), "was absent", where);
    assert.equal(kv.commits, commits);
  });
});

Deno.test("transact() loses no change of many concurrent ones, and gives up on a store that keeps failing", async () => {
  const kv = new FakeKv();
  await Promise.all(Array.from({ length: 8 }, (_, i) => add(kv, String(i))));
  assert.equal(await add(kv, "last"), 9);
  kv.options.fault = () => "error";
  await assert.rejects(add(kv, "more"), KvUnavailable);
});

Deno.test("KeyedHash gives the same names in all processes on a store, once its secret can be read", async () => {
  const kv = new FakeKv();
  const nameOf = () => new KeyedHash(kv).of("client", "192.0.2.1");
  const names = await Promise.all(Array.from({ length: 5 }, nameOf));
  assert.equal(new Set(names).size, 1);
  assert.match(names[0]!, /^[0-9a-f]{32}$/);
  const centuryMs = Date.UTC(2100, 0) - Date.UTC(2000, 0);
  assert.ok(Math.abs(NO_END_MS / centuryMs - 1) < 0.01, "the secret is kept for a century");
  const hash = new KeyedHash(kv);
  kv.options.fault = () => "error";
  await assert.rejects(hash.of("client", "192.0.2.1"), KvUnavailable);
  delete kv.options.fault;
  assert.equal(await hash.of("client", "192.0.2.1"), names[0]);
  assert.notEqual(await hash.of("mailbox", "192.0.2.1"), names[0]);
  assert.notEqual(await hash.of("client", "192.0.2.1", ""), names[0]);
});
