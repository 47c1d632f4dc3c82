import assert from "node:assert/strict";
import { snapshot, snapshotRoot } from "./snapshot_root.ts";

async function filesOf(dir: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(dir)) names.push(name);
  return names.sort();
}

Deno.test("report prints the table and writes the page beside the pointer", async () => {
  await using place = await snapshotRoot();
  const before = await filesOf(`${place.root}/s/${place.id}`);
  const { code, out, err } = await snapshot("report", place.root);
  assert.equal(code, 0, err);
  assert.ok(out.startsWith(`Snapshot ${place.id}\nData of 2026-10-03`));
  assert.match(out, /Company census +3 +3 +0 +0 +0\.000%/);
  assert.equal(err, `Page with charts: ${place.root}/report.html\n`);
  const page = await Deno.readTextFile(`${place.root}/report.html`);
  assert.ok(page.includes(place.id));
  assert.deepEqual(await filesOf(`${place.root}/s/${place.id}`), before);
  assert.ok((await filesOf(place.root)).every((name) => !name.startsWith(".report")));
});

Deno.test("report --html writes to the given file, the same bytes again", async () => {
  await using place = await snapshotRoot();
  const path = `${place.dir}/page.html`;
  assert.equal((await snapshot("report", place.root, "--html", path)).code, 0);
  const first = await Deno.readTextFile(path);
  assert.equal((await snapshot("report", place.root, "--html", path)).code, 0);
  assert.equal(await Deno.readTextFile(path), first);
  assert.ok(!(await filesOf(place.root)).includes("report.html"));
});

Deno.test("report refuses a page that is not called one and a folder that is not there", async () => {
  await using place = await snapshotRoot();
  const pointer = await Deno.readTextFile(`${place.root}/current.json`);
  const named = await snapshot("report", place.root, "--html", `${place.root}/current.json`);
  assert.equal(named.code, 2);
  assert.match(named.err, /Give a file that ends in \.html/);
  assert.equal(await Deno.readTextFile(`${place.root}/current.json`), pointer);
  const nowhere = await snapshot("report", place.root, "--html", `${place.dir}/none/r.html`);
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.err, /its folder cannot be opened/);
  await Deno.mkdir(`${place.dir}/taken.html`);
  const taken = await snapshot("report", place.root, "--html", `${place.dir}/taken.html`);
  assert.equal(taken.code, 1);
  assert.match(taken.out, /Rows read and used/);
  assert.match(taken.err, /Cannot write .*taken\.html/);
  assert.deepEqual(await filesOf(place.dir), [
    "census.csv",
    "inspections.csv",
    "root",
    "taken.html",
  ]);
});

Deno.test("report refuses to write among the snapshots, also through a link", async () => {
  await using place = await snapshotRoot();
  const inside = `${place.root}/s/${place.id}`;
  await Deno.symlink(inside, `${place.dir}/link`);
  for (const folder of [`${place.root}/s`, inside, `${place.dir}/link`]) {
    const { code, out, err } = await snapshot("report", place.root, "--html", `${folder}/r.html`);
    assert.equal(code, 1);
    assert.equal(out, "");
    assert.match(err, /snapshots are never changed/);
  }
  assert.ok(!(await filesOf(inside)).includes("r.html"));
});

Deno.test("report notices a changed report and a folder without a snapshot", async () => {
  await using place = await snapshotRoot();
  const path = `${place.root}/s/${place.id}/report.json`;
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace('"rows":3', '"rows":4'));
  const changed = await snapshot("report", place.root);
  assert.equal(changed.code, 1);
  assert.match(changed.err, /report\.json".*SHA-256 is not the one in the manifest/);
  await Deno.remove(path);
  assert.match((await snapshot("report", place.root)).err, /Cannot find ".*report\.json"/);
  const nothing = await snapshot("report", place.dir);
  assert.equal(nothing.code, 1);
  assert.match(nothing.err, /Cannot find "current\.json"/);
});
