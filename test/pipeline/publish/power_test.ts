import assert from "node:assert/strict";
import { folderStore } from "../../../pipeline/publish/folder_store.ts";
import { publish } from "../../../pipeline/publish/publish.ts";
import { parsePointer } from "../../../pipeline/snapshot/manifest.ts";
import { verifySnapshot } from "../../../pipeline/publish/verify.ts";
import { adoptSnapshot } from "../../../pipeline/snapshot/writer.ts";
import { tempDir } from "../compile/files.ts";
import { PowerDisk } from "./power_disk.ts";
import { type Days, options, twoDays, writeRoot } from "./world.ts";

/** Checks that at each step the disk has the complete old or new snapshot, and the new one at the end. */
async function checkCuts(disk: PowerDisk, { first, second }: Days): Promise<void> {
  const cuts = disk.cutsOf();
  const seen = new Set<string>();
  for (const { what, source } of cuts) {
    const { snapshot, problems } = await verifySnapshot(source);
    assert.deepEqual(problems, [], what);
    seen.add(snapshot);
  }
  assert.deepEqual([...seen], [first.id, second.id]);
  for (const { source } of cuts.slice(-2)) {
    assert.equal(parsePointer(source.objects.get("current.json")!).snapshot, second.id);
  }
}

Deno.test("a power loss at any step of publish to a folder leaves the complete old or new snapshot", async () => {
  await using dir = await tempDir();
  const days = await twoDays();
  const root = `${dir.path}/public`;
  await publish(days.first.source, folderStore(root), options());
  using disk = await PowerDisk.of(root);
  await publish(days.second.source, folderStore(root), options());
  await checkCuts(disk, days);
});

Deno.test("a power loss at any step of adopting a build leaves the complete old or new snapshot", async () => {
  await using dir = await tempDir();
  const days = await twoDays();
  const { first, second } = days;
  const root = `${dir.path}/out`;
  await writeRoot(root, first);
  await writeRoot(`${root}/.build`, second);
  using disk = await PowerDisk.of(root, { unsynced: "/.build" });
  const entry = parsePointer(second.source.objects.get("current.json")!);
  const keeps = { days: 8, month_ends: 0 };
  const staged = `${root}/.build/s/${second.id}`;
  assert.ok(await adoptSnapshot(root, { staged, entry, over: first.id, keeps }));
  await checkCuts(disk, days);
});
