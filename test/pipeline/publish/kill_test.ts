/** The publisher is killed with SIGKILL at each disk change while readers poll. */

import assert from "node:assert/strict";
import { folderStore } from "../../../pipeline/publish/folder_store.ts";
import { gc } from "../../../pipeline/publish/gc.ts";
import { publish } from "../../../pipeline/publish/publish.ts";
import { answeringFor, keptOf } from "../../../pipeline/snapshot/chain.ts";
import { parsePointer } from "../../../pipeline/snapshot/manifest.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { momentsOf, runKilled } from "../killed.ts";
import { tempDir } from "../compile/files.ts";
import {
  builtContent,
  chainObjects,
  contentOf,
  dayAfter,
  MovedClock,
  nameOn,
  options,
  pollWhole,
  twoDays,
  writeRoot,
} from "./world.ts";

Deno.test("publish to a folder killed at disk changes from its first to its last: no reader sees a mixed snapshot, a rerun converges", async () => {
  await using dir = await tempDir();
  const days = await twoDays("small");
  const { first, second } = days;
  await writeRoot(`${dir.path}/second`, second);
  const firstAt = async (target: string) => {
    const store = folderStore(target);
    await publish(first.source, store, options());
    return store;
  };
  const args = ["publish", `${dir.path}/second`];
  await firstAt(`${dir.path}/whole`);
  const changes = (await runKilled([...args, `${dir.path}/whole`]))!;
  let moved = 0;
  for (const at of momentsOf(changes)) {
    const target = `${dir.path}/public${at}`;
    const store = await firstAt(target);
    const poll = pollWhole(folderSource(target), days);
    assert.equal(await runKilled([...args, target], at), undefined);
    const { snapshot } = parsePointer((await store.get("current.json"))!.bytes);
    assert.ok([first.id, second.id].includes(snapshot), `${at}: ${snapshot}`);
    if (snapshot === second.id) moved++;
    const clock = new MovedClock();
    clock.ahead = 61_000; // Past the killed publisher's lease
    const { pointer } = await publish(second.source, store, options({ clock }));
    assert.deepEqual([pointer.snapshot, pointer.sequence], [second.id, 2], `${at}`);
    assert.deepEqual(await contentOf(store), builtContent(first, second), `${at}`);
    await poll.stop();
    assert.ok(poll.seen.length <= 2, poll.seen.join());
  }
  assert.ok(changes > builtContent(second).size * 2, `${changes} changes`);
  assert.ok(moved >= 1, `${moved}`);
});

Deno.test("gc of a folder killed at disk changes from its first to its last: each retained day answers, a rerun converges", async () => {
  await using dir = await tempDir();
  const { objects, chain, keeps } = chainObjects({ first: "2026-09-29", days: 16 });
  const kept = keptOf(chain, keeps);
  const stocked = async (root: string): Promise<void> => {
    await writeRoot(root, { source: { objects } });
    for (const path of objects.keys()) {
      const i = chain.findIndex(({ id }) => path.startsWith(`s/${id}/`));
      const published = Date.now() / 1000 - (chain.length - 1 - i) * 86_400;
      await Deno.utime(`${root}/${path}`, published, published);
    }
  };
  await stocked(`${dir.path}/whole`);
  const changes = (await runKilled(["gc", `${dir.path}/whole`]))!;
  for (const at of momentsOf(changes)) {
    const root = `${dir.path}/public${at}`;
    await stocked(root);
    assert.equal(await runKilled(["gc", root], at), undefined);
    const check = async (): Promise<void> => {
      const reader = new SnapshotReader(folderSource(root));
      for (let day = kept[0]!.data_date; day <= chain.at(-1)!.data_date; day = dayAfter(day)) {
        assert.equal(await nameOn(reader, day), answeringFor(day, kept)!.id, `${at}: ${day}`);
      }
    };
    await check();
    const clock = new MovedClock();
    clock.ahead = 61_000; // Past the killed publisher's lease
    const store = folderStore(root);
    await gc(store, { clock, owner: "a test" });
    await check();
    assert.deepEqual(await store.folders("s/"), kept.map(({ id }) => id), `${at}`);
  }
  assert.ok(changes > 30, `${changes} changes`);
});
