import assert from "node:assert/strict";
import { z } from "zod";
import {
  BATCH_LIMITS,
  batchCarriers,
  type BatchContext,
  BatchResult,
} from "../../../api/operations/batch_carriers.ts";
import { ERROR_STATUS } from "../../../api/operations/errors.ts";
import { perform } from "../../../api/operations/operation.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import {
  MemorySource,
  type Objects,
  putSnapshot,
  record,
  TestClock,
} from "../../pipeline/snapshot/memory.ts";

const ANSWER = { today: "2026-10-05", baseUrl: "https://carriers.example" };

function world(): { objects: Objects; source: MemorySource; reader: SnapshotReader } {
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [record(5), record(295017)] });
  const source = new MemorySource(objects);
  return { objects, source, reader: new SnapshotReader(source, { clock: new TestClock() }) };
}

Deno.test("batchCarriers answers an item for each number and counts those found", async () => {
  const { reader } = world();
  const { answer, snapshotId } = await perform(
    batchCarriers,
    { dots: ["00295017", "0", "6", "5", "5"] },
    { ...ANSWER, reader, finish: (output) => BatchResult.strict().parse(output) },
  );
  assert.equal(snapshotId, "a");
  assert.equal(answer.count, 5);
  assert.equal(answer.found, 3);
  assert.equal(answer.snapshot.id, "a");
  assert.equal(answer.snapshot.data_date, "2026-10-03");
  assert.deepEqual(answer.results.map(({ dot, ok }) => [dot, ok]), [
    ["295017", true],
    ["0", false],
    ["6", false],
    ["5", true],
    ["5", true],
  ]);
});

Deno.test("batchCarriers moves to the snapshot that replaced its own, and else answers what it can", async () => {
  const { objects, source, reader } = world();
  await reader.use(() => Promise.resolve());
  source.fault = (_, path) => path.includes("carriers/") ? "missing" : null;
  const result = await reader.use((snapshot) => {
    const sleep = (): Promise<void> => Promise.resolve();
    const context: BatchContext = { ...ANSWER, snapshot, last: true, sleep };
    return batchCarriers.run({ dots: [5, 0] }, context);
  });
  const codes = result.results.map((item) => item.ok ? "found" : item.error.code);
  assert.deepEqual(codes, ["upstream_unavailable", "invalid_dot_number"]);

  source.fault = () => null;
  for (const path of [...objects.keys()]) objects.delete(path);
  putSnapshot(objects, { id: "b", carriers: [record(5)] });
  const { snapshotId } = await perform(batchCarriers, { dots: ["5"] }, {
    ...ANSWER,
    reader,
    finish: (output) => output,
  });
  assert.equal(snapshotId, "b");
});

Deno.test("batchCarriers describes itself, its bounds and its errors", () => {
  const input = z.toJSONSchema(batchCarriers.input, { io: "input" });
  assert.deepEqual(Object.keys(input.properties!), ["dots"]);
  z.toJSONSchema(batchCarriers.output);
  for (const code of batchCarriers.errors) assert.ok(code in ERROR_STATUS);
  // The longest list that is valid fits, with white space to spare.
  const longest = JSON.stringify({ dots: Array(BATCH_LIMITS.maxItems).fill("12345678") }, null, 4);
  assert.ok(longest.length < BATCH_LIMITS.maxBytes);
});
