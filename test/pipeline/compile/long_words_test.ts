import assert from "node:assert/strict";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import { searchSnapshot } from "../../../pipeline/search/query/search.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { buildFiles, censusCsv, censusRow, CLOCK, tempDir } from "./files.ts";

Deno.test("build() takes words and fields of any length: search their beginning, and counts them", async () => {
  await using dir = await tempDir();
  const long = "A".repeat(300);
  const { report } = await buildFiles(dir.path, {
    census: censusCsv([
      censusRow(1, { LEGAL_NAME: `${long} TRUCKING`, DBA_NAME: "B ".repeat(300) }),
      censusRow(2, { PHY_CITY: "CITY ".repeat(60), PHY_STATE: long }),
      censusRow(3, { LEGAL_NAME: "字".repeat(6_000), DBA_NAME: "x\u0301".repeat(10_000) }),
      censusRow(4),
    ]),
  });
  const { problems } = report.census;
  assert.equal(problems.find(({ reason }) => reason === "long_word")?.count, 3);
  const reader = new SnapshotReader(openSource(`${dir.path}/out`), { clock: CLOCK });
  await reader.use(async (snapshot) => {
    assert.equal((await snapshot.carrier(1))?.legal_name, `${long} TRUCKING`);
    const found = await searchSnapshot(snapshot, `${long.slice(0, 190)} trucking`, { limit: 5 });
    assert.equal(found?.[0]?.dot, 1);
    assert.equal((await searchSnapshot(snapshot, "carrier 4", { limit: 5 }))?.[0]?.dot, 4);
  });
});
