import assert from "node:assert/strict";
import fc from "fast-check";
import {
  BATCH_LIMITS,
  batchCarriers,
  BatchItem,
  findItems,
  streamItems,
} from "../../../api/operations/batch.ts";
import { lookupCarrier } from "../../../api/operations/lookup.ts";
import type { ManyContext } from "../../../api/operations/many.ts";
import { perform } from "../../../api/operations/operation.ts";
import { type Snapshot, SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import {
  FAULTS,
  MemorySource,
  type Objects,
  putSnapshot,
  type ReadFault,
  record,
  TestClock,
} from "../../pipeline/snapshot/memory.ts";

const DOTS = [5, 7, 105, 205, 305, 295017, 99_999_999];
const ANSWER = { today: "2026-10-05", baseUrl: "https://carriers.example" };

function world(dots: readonly number[] = DOTS) {
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers: dots.map((dot) => record(dot)) });
  const source = new MemorySource(objects);
  const reader = new SnapshotReader(source, { clock: new TestClock() });
  /** Milliseconds. */
  const pauses: number[] = [];
  const sleep = (ms: number): Promise<void> => Promise.resolve(void pauses.push(ms));
  const look = (dots: readonly number[], more: Partial<ManyContext> = {}): Promise<string[]> =>
    reader.use((snapshot) => textsOf(dots, { ...ANSWER, snapshot, sleep, ...more }));
  return { objects, source, reader, pauses, sleep, look };
}

/** The items of {@link findItems} as JSON. */
async function textsOf(dots: readonly number[], context: ManyContext): Promise<string[]> {
  return (await findItems(dots, context)).map((item) => JSON.stringify(item));
}

/** The item of a number whose shard can't be read. */
function unavailableItem(dot: number): string {
  const error = dot === 0
    ? { code: "invalid_dot_number", message: "Cannot parse USDOT number 0: numbers start at 1" }
    : {
      code: "upstream_unavailable",
      message: `Cannot read the data of USDOT number ${dot} at the moment; try again later`,
    };
  return JSON.stringify({ dot: String(dot), ok: false, error });
}

/** The item of a number, made by a single lookup. */
async function single(dot: number, reader: SnapshotReader): Promise<string> {
  const input = { dot: String(dot) };
  try {
    const { answer } = await perform(lookupCarrier, input, {
      ...ANSWER,
      reader,
      finish: (output) => `{"dot":"${dot}","ok":true,"carrier":${JSON.stringify(output)}}`,
    });
    return answer;
  } catch (error) {
    const { error: body } = (error as { body(): { error: unknown } }).body();
    return `{"dot":"${dot}","ok":false,"error":${JSON.stringify(body)}}`;
  }
}

Deno.test("findItems() returns for each number, in order, what a single lookup returns", async () => {
  const { reader, look } = world();
  const dots = fc.array(
    fc.oneof(fc.constantFrom(...DOTS, 0, 6, 104, 99_999_998), fc.nat(99_999_999)),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(dots, fc.integer({ min: 1, max: 5 }), async (dots, concurrency) => {
      const items = await look(dots, { concurrency });
      assert.deepEqual(items, await Promise.all(dots.map((dot) => single(dot, reader))));
      for (const item of items) BatchItem.parse(JSON.parse(item));
    }),
    { numRuns: 60 },
  );
});

Deno.test("findItems() reads each shard once, cached or not, and looks up equal numbers once", async () => {
  const { source } = world();
  const reader = new SnapshotReader(source, { clock: new TestClock(), cacheBytes: 0 });
  const looked: number[] = [];
  const dots = [7, 5, 6, 0, 7, 105, 5, 400];
  const items = await reader.use((snapshot) => {
    const { id, manifest } = snapshot;
    const find: Snapshot["find"] = (dot) => {
      looked.push(dot);
      return snapshot.find(dot);
    };
    return textsOf(dots, { ...ANSWER, snapshot: { id, manifest, find } as Snapshot });
  });
  assert.deepEqual(items.map((item) => Number(JSON.parse(item).dot)), dots);
  assert.deepEqual(looked.sort((a, b) => a - b), [5, 6, 7, 105, 400]);
  const shards = source.gets.filter((path) => path.includes("carriers/"));
  assert.deepEqual(shards.sort(), ["s/a/carriers/0.json.gz", "s/a/carriers/1.json.gz"]);
});

Deno.test("findItems() retries an unreadable shard after pauses that double, then fails only its numbers", async () => {
  const { source, pauses, look } = world();
  const path = "s/a/carriers/1.json.gz";
  source.fault = (_, got) => got === path && source.count(path) < 3 ? "error" : null;
  const items = await look([105, 5, 205]);
  assert.deepEqual(items.map((item) => JSON.parse(item).ok), [true, true, true]);
  assert.deepEqual(pauses.splice(0), [200, 400]);
  assert.deepEqual([source.count(path), source.count("s/a/carriers/0.json.gz")], [3, 1]);

  source.fault = (_, path) => path.endsWith("carriers/3.json.gz") ? "truncated" : null;
  const failed = await look([0, 305, 400], { tries: 2 });
  assert.deepEqual(pauses, [200]);
  assert.deepEqual(failed.slice(0, 2), [unavailableItem(0), unavailableItem(305)]);
  assert.equal(JSON.parse(failed[2]!).error.code, "not_found");
});

Deno.test("findItems() fails only the number whose record is invalid", async () => {
  const { objects, look } = world();
  const carriers = [record(5), record(6, { legal_name: 6 as never }), record(7)];
  putSnapshot(objects, { id: "a", carriers });
  const items = await look([5, 6, 7]);
  assert.deepEqual(items.map((item) => JSON.parse(item).ok), [true, false, true]);
});

Deno.test("findItems() ends with the signal's reason, during reads and during pauses", async () => {
  const { source, look } = world();
  const reason = new Error("enough");
  for (let stopAt = 0; stopAt <= 6; stopAt++) {
    const control = new AbortController();
    let steps = 0;
    const step = (): void => {
      if (steps++ === stopAt) control.abort(reason);
    };
    source.fault = (_, path) => {
      if (!path.includes("carriers/")) return null;
      step();
      return "error";
    };
    const sleep = (): Promise<void> => Promise.resolve(step());
    const looking = look([5, 105, 205], { signal: control.signal, concurrency: 2, sleep });
    await assert.rejects(looking, reason);
    assert.ok(steps <= stopAt + 2, `continued for ${steps - stopAt} steps`);
  }
});

Deno.test("findItems() loses and mixes up no item whichever read fails, once or permanently", async () => {
  const dots = [5, 0, 105, 7, 400, 205, 5];
  const { reader } = world();
  const expected = await Promise.all(dots.map((dot) => single(dot, reader)));
  for (const fault of FAULTS) {
    for (let n = 3;; n++) {
      const once = world();
      let hit = false;
      const at = (read: number): ReadFault | null => {
        if (read !== n) return null;
        hit = true;
        return fault;
      };
      // The first two reads are those of pointer and manifest.
      once.source.fault = at;
      assert.deepEqual(await once.look(dots), expected, `${fault} at ${n}`);
      if (!hit) break;
      const lasting = world();
      lasting.source.fault = (read) => read >= n ? fault : null;
      const items = await lasting.look(dots);
      for (const [i, item] of items.entries()) {
        assert.ok(item === expected[i] || item === unavailableItem(dots[i]!), `${fault} from ${n}`);
      }
    }
  }
});

Deno.test("streamItems() pauses for the first unreadable slices, and not for the later ones", async () => {
  const dots = Array.from({ length: 400 }, (_, i) => i * 100 + 1);
  const { source, reader, pauses, sleep } = world(dots);
  const snapshot = await reader.use((snapshot) => Promise.resolve(snapshot));
  source.fault = () => "missing";
  const finish = (item: BatchItem): string => JSON.stringify(item);
  const slices = streamItems(dots, { ...ANSWER, snapshot, finish, sleep });
  assert.deepEqual((await Array.fromAsync(slices)).flat(), dots.map(unavailableItem));
  const ahead = [...Array(5).fill(200), ...Array(5).fill(400)];
  assert.deepEqual(pauses.sort(), ahead, "those that were read ahead");
});

Deno.test("batchCarriers retries on the snapshot that replaced its own, and otherwise answers what it can", async () => {
  const { objects, source, reader, sleep } = world();
  await reader.use(() => Promise.resolve());
  source.fault = (_, path) => path.includes("carriers/") ? "missing" : null;
  const result = await reader.use((snapshot) => {
    const context: ManyContext = { ...ANSWER, snapshot, last: true, sleep };
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

Deno.test("a body of 100 numbers fits the batch size limit, white space included", () => {
  const longest = JSON.stringify({ dots: Array(BATCH_LIMITS.maxItems).fill("12345678") }, null, 4);
  assert.ok(longest.length < BATCH_LIMITS.maxBytes);
});
