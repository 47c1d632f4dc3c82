import assert from "node:assert/strict";
import { rowOf } from "../../../pipeline/snapshot/record/row_writer.ts";
import {
  type Snapshot,
  type SnapshotName,
  SnapshotReader,
  SnapshotUnavailable,
} from "../../../pipeline/snapshot/reader.ts";
import { FAULTS, gzipJson, jsonBytes, putSnapshot, readerOfFour, record, SHARD } from "./memory.ts";

async function nameOfCurrent(reader: SnapshotReader): Promise<SnapshotName> {
  return await reader.use(({ id, manifestSha256 }) => Promise.resolve({ id, manifestSha256 }));
}

Deno.test("useOf() reads the named snapshot after another became current, and its manifest once, without reading the pointer", async () => {
  const { objects, source, clock, reader, nameOf } = readerOfFour();
  const name = await nameOfCurrent(reader);
  const named = (dot: number, of = reader) =>
    of.useOf(name, async (snapshot) => [snapshot.id, (await snapshot.carrier(dot))?.legal_name]);
  await Promise.all([named(5), named(5)]);
  assert.equal(source.count("s/a/manifest.json"), 1);
  putSnapshot(objects, { id: "b", carriers: [record(5, { legal_name: "NEW" })] });
  clock.advance(60_000);
  assert.equal(await nameOf(5), "NEW");
  clock.advance(60_000);
  const other = new SnapshotReader(source);
  for (const one of [reader, other]) {
    for (const dot of [5, 250]) assert.deepEqual(await named(dot, one), ["a", `CARRIER ${dot}`]);
  }
  assert.deepEqual(["current.json", "s/a/manifest.json"].map((path) => source.count(path)), [2, 2]);
  assert.equal(await nameOf(5), "NEW");
});

Deno.test("useOf() evicts no shard that use() cached", async () => {
  const { source, reader, nameOf } = readerOfFour({ cacheBytes: 1_000 });
  const name = await nameOfCurrent(reader);
  await nameOf(5);
  const cached = reader.cached;
  await reader.useOf(name, async (snapshot) => {
    for (const dot of [7, 250, 99_999_999]) assert.equal((await snapshot.carrier(dot))?.dot, dot);
  });
  assert.deepEqual(reader.cached, cached);
  await nameOf(5);
  assert.equal(source.count(SHARD), 2);
});

Deno.test("useOf() throws SnapshotUnavailable for a manifest with another SHA-256, and does not cache it", async () => {
  const { objects, source, reader } = readerOfFour();
  const name = await nameOfCurrent(reader);
  const other = new SnapshotReader(source);
  const good = objects.get("s/a/manifest.json")!;
  const work = (snapshot: Snapshot) => snapshot.carrier(5);
  for (const bad of [good.slice(0, -1), jsonBytes({}), undefined]) {
    if (bad === undefined) objects.delete("s/a/manifest.json");
    else objects.set("s/a/manifest.json", bad);
    await assert.rejects(other.useOf(name, work), SnapshotUnavailable);
  }
  await assert.rejects(
    reader.useOf({ ...name, manifestSha256: "0".repeat(64) }, work),
    SnapshotUnavailable,
  );
  objects.set("s/a/manifest.json", good);
  assert.equal((await other.useOf(name, work))?.dot, 5);
});

Deno.test("useOf() throws SnapshotUnavailable when a shard cannot be read, though another snapshot exists", async () => {
  for (const fault of FAULTS.filter((name) => name !== "slow")) {
    const { objects, source, reader } = readerOfFour();
    const name = await nameOfCurrent(reader);
    putSnapshot(objects, { id: "b", carriers: [record(5, { legal_name: "NEW" })] });
    source.fault = (_, path) => path === SHARD ? fault : null;
    const work = (snapshot: Snapshot) => snapshot.carrier(5);
    await assert.rejects(reader.useOf(name, work), SnapshotUnavailable, fault);
    assert.equal(source.count("current.json"), 1);
    source.fault = () => null;
    assert.equal((await reader.useOf(name, work))?.legal_name, "CARRIER 5");
  }
});

Deno.test("SnapshotReader rejects a shard with any byte flipped", async () => {
  const good = readerOfFour().objects.get(SHARD)!;
  let refused = 0;
  // Bytes 4 to 9 of the gzip header are time, flags and system, which carry no data.
  for (let at = 10; at < good.length; at++) {
    const { objects, nameOf } = readerOfFour();
    const bad = good.slice();
    bad[at]! ^= 0x10;
    objects.set(SHARD, bad);
    const name = await nameOf(5).catch((error) => {
      assert.ok(error instanceof SnapshotUnavailable, `byte ${at}: ${error}`);
      refused++;
    });
    // A match at another distance within a run of absent members decompresses to the same text.
    if (name !== undefined) assert.equal(name, "CARRIER 5", `byte ${at}`);
  }
  assert.ok(refused >= good.length - 15, `${refused} of ${good.length}`);
});

Deno.test("SnapshotReader rejects shards with records of other shards", async () => {
  const five = record(5);
  const bad: unknown[] = [
    ...[{}, null, [[5]], [null], [five], [rowOf(record(105))], [rowOf(five), rowOf(five)]],
    ...[[rowOf(record(7)), rowOf(five)], [["5", ...rowOf(five).slice(1)]]],
    [rowOf({ ...five, status: "X" as "A" })],
  ];
  for (const value of bad) {
    const { objects, nameOf } = readerOfFour();
    objects.set(SHARD, gzipJson(value));
    await assert.rejects(nameOf(5), SnapshotUnavailable, JSON.stringify(value));
  }
  for (const value of [[], { MC: [] }, { MC: { 1: [5] } }, { MC: { 143229: [] } }, { MC: null }]) {
    const { objects, reader } = readerOfFour();
    objects.set("s/a/dockets/143.json.gz", gzipJson(value));
    await assert.rejects(
      reader.use((snapshot) => snapshot.docket("MC", 143229)),
      SnapshotUnavailable,
      JSON.stringify(value),
    );
  }
});
