import assert from "node:assert/strict";
import { snapshot, snapshotRoot } from "./snapshot_root.ts";

const place = await snapshotRoot();
const { dir, root, id } = place;

Deno.test.afterAll(async () => await place[Symbol.asyncDispose]());

async function filesOf(dir: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(dir), ({ name }) => name)).sort();
}

Deno.test("report prints the table and writes the page beside the pointer, or to --html, the same each time", async () => {
  const before = await filesOf(`${root}/s/${id}`);
  const { code, out, err } = await snapshot("report", root);
  assert.equal(code, 0, err);
  assert.ok(out.startsWith(`Snapshot ${id}\nData of 2026-10-03`));
  assert.match(out, /Company census +3 +3 +0 +0 +0\.000%/);
  assert.equal(err, `Page with charts: ${root}/report.html\n`);
  const page = await Deno.readTextFile(`${root}/report.html`);
  assert.ok(page.includes(id));
  await Deno.remove(`${root}/report.html`);
  assert.equal((await snapshot("report", root, "--html", `${dir}/page.html`)).code, 0);
  assert.equal(await Deno.readTextFile(`${dir}/page.html`), page);
  await Deno.remove(`${dir}/page.html`);
  assert.deepEqual(await filesOf(root), [".build.lock", "current.json", "s"]);
  assert.deepEqual(await filesOf(`${root}/s/${id}`), before);
});

Deno.test("report refuses to write where it must not, also through a link, and says why", async () => {
  const inside = `${root}/s/${id}`;
  await Deno.symlink(inside, `${dir}/link`);
  await Deno.mkdir(`${dir}/taken.html`);
  const before = await filesOf(inside);
  const cases: [string, number, RegExp][] = [
    [`${root}/current.json`, 2, /Give a file that ends in \.html/],
    [`${dir}/none/r.html`, 1, /its folder cannot be opened/],
    [`${dir}/taken.html`, 1, /Cannot write .*taken\.html/],
    [`${root}/s/r.html`, 1, /snapshots are never changed/],
    [`${inside}/r.html`, 1, /snapshots are never changed/],
    [`${dir}/link/r.html`, 1, /snapshots are never changed/],
  ];
  for (const [path, expected, message] of cases) {
    const { code, out, err } = await snapshot("report", root, "--html", path);
    assert.equal(code, expected, path);
    assert.match(err, message);
    // What can be known before is refused before; the rest is printed all the same.
    assert.equal(out === "", !path.endsWith("taken.html"), path);
  }
  assert.deepEqual(await filesOf(inside), before);
  const left = ["census.csv", "inspections.csv", "link", "root", "taken.html"];
  assert.deepEqual(await filesOf(dir), left);
});

Deno.test("report and verify notice a changed report and a folder without a snapshot", async () => {
  const path = `${root}/s/${id}/report.json`;
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace('"rows":3', '"rows":4'));
  const changed = await snapshot("report", root);
  assert.equal(changed.code, 1);
  assert.match(changed.err, /report\.json".*SHA-256 is not the one in the manifest/);
  const verified = await snapshot("verify", root);
  assert.equal(verified.code, 1);
  assert.match(verified.out, /^Cannot use ".*report\.json" .*SHA-256.*\n$/);
  assert.match(verified.err, new RegExp(`^${id} is not valid: 1 problem \\(\\d+ objects`, "m"));
  await Deno.remove(path);
  assert.match((await snapshot("report", root)).err, /Cannot find ".*report\.json"/);
  const nothing = await snapshot("report", dir);
  assert.equal(nothing.code, 1);
  assert.match(nothing.err, /Cannot find "current\.json"/);
});
