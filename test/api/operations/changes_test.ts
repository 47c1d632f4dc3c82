/** The list of change files, which keep a copy of the data up to date. */

import assert from "node:assert/strict";
import { ChangeIndex } from "../../../api/operations/changes.ts";
import { folderStore } from "../../../pipeline/publish/folder_store.ts";
import { gc } from "../../../pipeline/publish/gc.ts";
import { rollback } from "../../../pipeline/publish/rollback.ts";
import { messageOf } from "../../../pipeline/text.ts";
import { TestClock } from "../../pipeline/snapshot/memory.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { sha256 as sha256Of } from "../../../pipeline/sha256.ts";
import { buildDay, type Census, withRevision } from "../../pipeline/compile/chains.ts";
import { tempDir } from "../../pipeline/compile/files.ts";
import { serviceOn } from "../discovery/contract.ts";
import { call } from "../http/service.ts";

async function indexOf(dir: string): Promise<ChangeIndex> {
  const { status, body, text } = await call(serviceOn(openSource(`${dir}/out`)), "/api/v1/changes");
  assert.equal(status, 200, text);
  return ChangeIndex.parse(body);
}

Deno.test("the list has the files of 7 and 31 days, and the snapshots to which each applies", async () => {
  await using temp = await tempDir();
  const dir = temp.path;
  const census: Census = new Map([[1, {}], [2, {}]]);
  const build = (day: string) => buildDay(dir, { day, census, export: true });
  const ids = [await build("2026-09-20")];
  assert.deepEqual((await indexOf(dir)).cumulative, []);
  census.set(1, { STATUS_CODE: "I" });
  ids.push(await withRevision("zip", () => build("2026-09-23")));
  census.set(1, { STATUS_CODE: "A" }).set(3, {});
  ids.push(await build("2026-09-28"), await build("2026-10-02"));
  const { cumulative, hash, carriers } = await indexOf(dir);
  // The next day has the previous value again.
  const common = { to: ids[3], added: 1, removed: 0, carriers, hash, uncompared: ["zip"] };
  const expected = [
    { from: ids[1], between: ["2026-09-23", "2026-10-02"], lines: 2, changed: 1 },
    {
      from: ids[0],
      between: ["2026-09-20", "2026-10-02"],
      lines: 2,
      changed: 1,
    },
  ].map((file) => ({ ...common, ...file }));
  assert.deepEqual(
    cumulative.map(({ path: _, bytes: __, sha256: ___, ...file }) => file),
    expected,
  );
  for (const { path, bytes, sha256 } of cumulative) {
    const file = await Deno.readFile(`${dir}/out/${path}`);
    assert.deepEqual([file.length, sha256Of(file)], [bytes, sha256]);
  }
});

// gc deletes files of several days with the export; a snapshot whose list would then be wrong must not become current.
Deno.test("after gc and a rollback of many days every file in the list exists", async () => {
  await using temp = await tempDir();
  const dir = temp.path;
  const census: Census = new Map([[1, {}], [2, {}]]);
  const ids: string[] = [];
  const clock = new TestClock();
  const store = folderStore(`${dir}/out`);
  for (
    const day of [
      "2026-09-01",
      "2026-09-03",
      "2026-09-05",
      "2026-09-14",
      "2026-09-16",
      "2026-09-18",
    ]
  ) {
    census.set(1, { STATUS_CODE: ids.length % 2 === 0 ? "I" : "A" });
    ids.push(await buildDay(dir, { day, census, export: true }));
    await Deno.utime(`${dir}/out/s/${ids.at(-1)}/manifest.json`, new Date(day), new Date(day));
  }
  clock.advance(Date.parse("2026-09-18T12:00:00Z") - clock.now());
  const here = { clock, owner: "a test" };
  const pointer = JSON.parse(await Deno.readTextFile(`${dir}/out/current.json`));
  pointer.keeps = { days: 400, month_ends: 0 };
  await Deno.writeTextFile(`${dir}/out/current.json`, JSON.stringify(pointer));
  await gc(store, here);
  const went: boolean[] = [];
  for (const to of ids.slice(0, -1).reverse()) {
    const error = await rollback(store, { ...here, to }).then(() => null, messageOf);
    went.push(error === null);
    if (error !== null) {
      assert.match(error, /without its search index and files of all carriers, which gc removed/);
      continue;
    }
    const { to: current, files, cumulative } = await indexOf(dir);
    assert.equal(current, to);
    for (const { path, bytes } of [...files, ...cumulative]) {
      assert.equal((await Deno.stat(`${dir}/out/${path}`)).size, bytes, path);
    }
  }
  assert.deepEqual(went, [true, true, true, false, false]);
});

Deno.test("the list has each retained day with its file, and the days on which a parser change makes a member incomparable", async () => {
  await using temp = await tempDir();
  const dir = temp.path;
  const census: Census = new Map([[1, {}], [2, {}]]);
  const ids = [await buildDay(dir, { day: "2026-09-29", census })];
  const alone = await indexOf(dir);
  assert.deepEqual([alone.to, alone.oldest, alone.files], [ids[0], ids[0], []]);

  census.set(1, { STATUS_CODE: "I" }).set(3, {});
  ids.push(await buildDay(dir, { day: "2026-09-30", census }));
  ids.push(await withRevision("zip", () => buildDay(dir, { day: "2026-10-02", census })));
  const { files, hash, ...index } = await indexOf(dir);
  assert.deepEqual([index.to, index.oldest, index.carriers], [ids[2], ids[0], 3]);
  assert.equal(index.root, undefined, "a folder has no address");
  assert.equal(index.members.indexOf("status"), 7);
  assert.deepEqual(
    files.map(({ from, to, between, lines, added, changed, carriers, uncompared }) => ({
      chain: [from, to],
      between,
      lines: [lines, added, changed],
      carriers,
      uncompared,
    })),
    [
      {
        chain: [ids[0], ids[1]],
        between: ["2026-09-29", "2026-09-30"],
        lines: [2, 1, 1],
        carriers: 3,
        uncompared: undefined,
      },
      {
        chain: [ids[1], ids[2]],
        between: ["2026-09-30", "2026-10-02"],
        lines: [0, 0, 0],
        carriers: 3,
        uncompared: ["zip"],
      },
    ],
  );
  assert.deepEqual(files.map((file) => file.hash), [hash, hash]);
  for (const { path, bytes } of files) {
    assert.equal((await Deno.stat(`${dir}/out/${path}`)).size, bytes);
  }

  const pointer = JSON.parse(await Deno.readTextFile(`${dir}/out/current.json`));
  const keeps = { days: 1, month_ends: 0 };
  await Deno.writeTextFile(`${dir}/out/current.json`, JSON.stringify({ ...pointer, keeps }));
  const short = await indexOf(dir);
  assert.deepEqual([short.oldest, short.files.length], [ids[1], 1], "others may be gone");
});
