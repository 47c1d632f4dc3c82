/** The publisher is killed with SIGKILL at each change of the disk while readers look on. */

import assert from "node:assert/strict";
import { folderStore } from "../../../pipeline/publish/folder_store.ts";
import { publish } from "../../../pipeline/publish/publish.ts";
import { parsePointer } from "../../../pipeline/snapshot/manifest.ts";
import { folderSource } from "../../../pipeline/snapshot/open_source.ts";
import { momentsOf, runKilled } from "../killed.ts";
import { tempDir } from "../compile/files.ts";
import {
  builtContent,
  contentOf,
  MovedClock,
  options,
  pollWhole,
  twoDays,
  writeRoot,
} from "./world.ts";

Deno.test("publish to a folder killed at changes of the disk from its first to its last: no reader sees a mixed snapshot, a rerun converges", async () => {
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
    clock.ahead = 61_000; // Past the lease of the dead
    const { pointer } = await publish(second.source, store, options({ clock }));
    assert.deepEqual([pointer.snapshot, pointer.sequence], [second.id, 2], `${at}`);
    assert.deepEqual(await contentOf(store), builtContent(first, second), `${at}`);
    await poll.stop();
    assert.ok(poll.seen.length <= 2, poll.seen.join());
  }
  assert.ok(changes > builtContent(second).size * 2, `${changes} changes`);
  assert.ok(moved >= 1, `${moved}`);
});
