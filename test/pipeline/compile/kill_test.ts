import assert from "node:assert/strict";
import { momentsOf, runKilled } from "../killed.ts";
import { buildFiles, censusCsv, censusRow, tempDir, tree } from "./files.ts";

Deno.test("build() killed at disk changes from its first to its last, and run again, makes the same snapshot", async () => {
  await using dir = await tempDir();
  const census = censusCsv([1, 2, 150, 90_000_001].map((dot) => censusRow(dot)));
  await buildFiles(dir.path, { census }, { out: `${dir.path}/expected` });
  const expected = await tree(`${dir.path}/expected`);
  const out = `${dir.path}/out`;
  const files = ["--census", `${dir.path}/census.csv`, "--inspections"];
  const args = ["build", ...files, `${dir.path}/inspections.csv`, "--data-date", "2026-10-03"];
  const changes = (await runKilled([...args, "--out", `${dir.path}/whole`, "--first"]))!;
  for (const at of momentsOf(changes)) {
    assert.equal(await runKilled([...args, "--out", out, "--first"], at), undefined);
    // Readers see the complete snapshot or none.
    const seen = await tree(out).catch(() => new Map());
    if (seen.has("/current.json")) {
      for (const [path, bytes] of expected) assert.equal(seen.get(path), bytes, `${at} ${path}`);
    }
    await buildFiles(dir.path, { census });
    assert.deepEqual(await tree(out), expected, `${at}`);
    await Deno.remove(out, { recursive: true });
  }
});
