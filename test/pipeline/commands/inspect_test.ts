import assert from "node:assert/strict";
import { ends, snapshotRoot } from "./snapshot_root.ts";

const place = await snapshotRoot({ notice: "Sample \u001b[31mrows" });
const { dir, root, id } = place;

Deno.test.afterAll(async () => await place[Symbol.asyncDispose]());

Deno.test("show prints records as JSON objects in the order requested, and exits 1 when one is missing", async () => {
  const one = await ends(0, "show", root, "00286764");
  assert.equal(JSON.parse(one.out).legal_name, "GENERAL TRANSPORT INC");
  assert.match(one.out, /^\{\n {2}"dot": 286764,\n/);
  assert.equal(one.err, `Snapshot ${id}, data of 2026-10-03\nNotice: Sample \\u001b[31mrows\n`);
  const { out, err } = await ends(1, "show", root, "286764", "99999999", "254", "5");
  const dots = [...out.matchAll(/^ {2}"dot": (\d+),$/gm)].map(([, dot]) => dot);
  assert.deepEqual(dots, ["286764", "254"]);
  for (const dot of [99999999, 5]) {
    assert.match(err, new RegExp(`^USDOT number ${dot} is not in this snapshot$`, "m"));
  }
});

Deno.test("report prints the table and writes the page next to the pointer", async () => {
  const { out, err } = await ends(0, "report", root);
  assert.ok(out.startsWith(`Snapshot ${id}\nData of 2026-10-03`));
  assert.match(out, /Company census +3 +3 +0 +0 +0\.000%/);
  assert.equal(err, `Page with charts: ${root}/report.html\n`);
  const page = `${root}/report.html`;
  assert.ok((await Deno.readTextFile(page)).includes(id));
  await Deno.remove(page);
  // The table is printed although the page can't be written.
  await Deno.mkdir(page);
  const refused = await ends(1, "report", root);
  assert.equal(refused.out, out);
  assert.match(refused.err, /Cannot write .*report\.html/);
  await Deno.remove(page);
});

Deno.test("show, report and verify say what is wrong with an argument, a folder or an object", async () => {
  const path = `${root}/s/${id}/report.json`;
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace('"rows":3', '"rows":4'));
  const verified = await ends(1, "verify", root);
  assert.match(verified.out, /^Cannot use ".*report\.json" .*SHA-256.*\n$/);
  assert.match(verified.err, new RegExp(`^${id} is not valid: 1 problem \\(\\d+ objects`, "m"));
  await Deno.truncate(`${root}/s/${id}/carriers/2867.json.gz`, 30);
  const cases: [string[], number, RegExp][] = [
    [["show", "nowhere", "254", "12A"], 2, /Cannot parse USDOT number 12A: not a digit at posi/],
    [["show", root], 2, /missing required argument 'dot'/],
    [["show", dir, "254"], 1, /current\.json/],
    [["show", root, "254", "286764"], 1, /carriers\/2867\.json\.gz/],
    [["report", root], 1, /report\.json".*SHA-256 is not the one in the manifest/],
    [["report", dir], 1, /Cannot find "current\.json"/],
  ];
  for (const [args, expected, message] of cases) {
    const { out, err } = await ends(expected, ...args);
    assert.equal(out, "");
    assert.match(err, message);
  }
});
