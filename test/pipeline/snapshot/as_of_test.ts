import assert from "node:assert/strict";
import { NotKept, SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { MemorySource, type Objects, record, TestClock } from "./memory.ts";
import { putChain } from "./memory_chain.ts";

const DAYS = [
  { dataDate: "2026-10-03", carriers: [record(5), record(7)] },
  { dataDate: "2026-10-04", carriers: [record(5, { status: "I" }), record(9)] },
  { dataDate: "2026-10-04", carriers: [record(5), record(7, { phone: "3305550123" })] },
  { dataDate: "2026-10-07", carriers: [record(5), record(7), record(9)] },
];

function readerOfDays(more: Parameters<typeof putChain>[2] = {}) {
  const objects: Objects = new Map();
  const chain = putChain(objects, DAYS, more);
  const source = new MemorySource(objects);
  return { chain, source, reader: new SnapshotReader(source, { clock: new TestClock() }) };
}

Deno.test("useAsOf() reads the snapshot with the newest data date at or before the day", async () => {
  const { reader, chain } = readerOfDays();
  const idOn = (day: string) => reader.useAsOf(day, ({ id }) => Promise.resolve(id));
  assert.equal(await idOn("2026-10-03"), "2026-10-03-0");
  assert.equal(await idOn("2026-10-04"), "2026-10-04-2");
  assert.equal(await idOn("2026-10-06"), "2026-10-04-2");
  assert.equal(await idOn("2027-01-01"), "2026-10-07-3");
  await assert.rejects(
    idOn("2026-10-02"),
    (error) => error instanceof NotKept && error.first === "2026-10-03",
  );
  assert.deepEqual(await reader.useAsOf("2026-10-04", (one) => one.chain()), chain.slice(0, 3));
});

Deno.test("useAsOf() names the first day that the root retains", async () => {
  const { reader } = readerOfDays({ keeps: { days: 2, month_ends: 0 } });
  await assert.rejects(
    reader.useAsOf("2026-10-04", () => Promise.resolve()),
    (error) => error instanceof NotKept && error.first === "2026-10-07",
  );
});

Deno.test("a removed carrier has no record, and returns with the day it was last seen", async () => {
  const { reader } = readerOfDays();
  assert.deepEqual(
    await reader.useAsOf("2026-10-06", (one) => one.leftCarrier(9)),
    null,
    "the census that had it was corrected on the same day",
  );
  const nine = await reader.use((one) => one.carrier(9));
  assert.deepEqual(nine?.changes, [{ day: "2026-10-07", member: "dot" }]);
  const seven = await reader.use((one) => one.carrier(7));
  assert.deepEqual(seven?.changes, [
    { day: "2026-10-07", member: "phone", isHidden: true },
    { day: "2026-10-04", member: "phone", isHidden: true },
  ]);
});

Deno.test("50 different past days evict nothing of the current snapshot, and only a limited number stay cached", async () => {
  const objects: Objects = new Map();
  const days = Array.from({ length: 60 }, (_, i) => ({
    dataDate: new Date(Date.UTC(2026, 7, 1 + i)).toISOString().slice(0, 10),
    carriers: [record(5, { power_units: i }), record(250)],
  }));
  putChain(objects, days);
  const source = new MemorySource(objects);
  const reader = new SnapshotReader(source, { clock: new TestClock() });
  const current = days.at(-1)!;
  const shards = ["carriers/0.json.gz", "carriers/2.json.gz"]
    .map((path) => `s/${current.dataDate}-59/${path}`);
  const readCurrent = () =>
    reader.use(async (one) => [await one.carrier(5), await one.carrier(250)].map((it) => it?.dot));
  await readCurrent();
  const before = reader.cached;
  assert.equal(before.shards, 2);
  for (const round of [1, 2]) {
    for (const [i, { dataDate }] of days.slice(0, 50).entries()) {
      const units = await reader.useAsOf(
        dataDate,
        async (one) => (await one.carrier(5))!.power_units,
      );
      assert.equal(units, i, `round ${round}`);
      assert.deepEqual(await readCurrent(), [5, 250]);
    }
  }
  assert.deepEqual(reader.cached, before);
  for (const path of shards) assert.equal(source.count(path), 1);
  assert.equal(source.count(`s/${current.dataDate}-59/past.json`), 1);
  // The last 16 days are not read again, and the one before them is.
  const manifests = () => source.gets.filter((path) => path.endsWith("manifest.json")).length;
  const read = manifests();
  for (const { dataDate } of days.slice(34, 50)) {
    await reader.useAsOf(dataDate, (one) => one.carrier(5));
  }
  assert.equal(manifests(), read);
  await reader.useAsOf(days[33]!.dataDate, (one) => one.carrier(5));
  assert.equal(manifests(), read + 1);
});
