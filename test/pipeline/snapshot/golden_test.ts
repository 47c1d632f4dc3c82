/**
 * Compares the format byte for byte with a small snapshot in this folder, and with its records. When
 * the format is meant to change: `UPDATE_GOLDEN=1 deno task test test/pipeline/snapshot/golden_test.ts`,
 * then change FORMAT.md, and raise FORMAT if an old reader would not understand the new files. The CSV
 * files are what its two days are built from.
 */

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { build } from "../../../pipeline/compile/build.ts";
import { CLOCK, readCarriers, tempDir, tree } from "../compile/files.ts";

const GOLDEN = new URL("./golden/", import.meta.url).pathname;
const RECORDS = `${GOLDEN}records.json`;
const DOTS = [1, 99, 100, 101, 90_000_001];

Deno.test("build() writes the golden snapshot byte for byte", async () => {
  await using dir = await tempDir();
  const out = `${dir.path}/out`;
  for (const [census, dataDate] of [["census_before", "2026-10-02"], ["census", "2026-10-03"]]) {
    await build({
      census: `${GOLDEN}${census}.csv`,
      inspections: `${GOLDEN}inspections.csv`,
      out,
      dataDate: dataDate!,
      first: true,
      force: "Made up for a test",
      notice: "Made up for a test",
      clock: CLOCK,
    });
  }
  const made = await tree(out);
  if (Deno.env.has("UPDATE_GOLDEN")) {
    await Deno.remove(`${GOLDEN}s`, { recursive: true });
    for (const [path, hex] of made) {
      await Deno.mkdir(dirname(GOLDEN + path), { recursive: true });
      await Deno.writeFile(GOLDEN + path, Uint8Array.fromHex(hex));
    }
    const records = await readCarriers(GOLDEN, DOTS);
    const lines = records.map((record) => JSON.stringify(record)).join(",\n");
    await Deno.writeTextFile(RECORDS, `[\n${lines}\n]\n`);
  }
  const golden = await tree(GOLDEN);
  for (const [path, bytes] of made) assert.equal(bytes, golden.get(path), path);
  const kept = [...golden.keys()].filter((path) => !/^\/(\w+\.csv|records\.json)$/.test(path));
  assert.deepEqual([...made.keys()], kept);
});

Deno.test("SnapshotReader reads the golden snapshot as FORMAT.md describes it", async () => {
  const records = JSON.parse(await Deno.readTextFile(RECORDS));
  assert.deepEqual(await readCarriers(GOLDEN, DOTS), records);
});
