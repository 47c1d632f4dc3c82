import assert from "node:assert/strict";
import { parseManifest } from "../../../pipeline/snapshot/manifest.ts";
import { FORMAT } from "../../../pipeline/snapshot/documents.ts";
import { rowOf } from "../../../pipeline/snapshot/record/row_writer.ts";
import { carrierText } from "../../../pipeline/snapshot/record/shards.ts";
import { SnapshotReader, SnapshotUnavailable } from "../../../pipeline/snapshot/reader.ts";
import { folderSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { searchSnapshot } from "../../../pipeline/search/query/search.ts";
import { builtSample } from "../sample/built_sample.ts";
import {
  FAULTS,
  jsonBytes,
  MemorySource,
  type Objects,
  putSnapshot,
  readerOfFour,
  record,
  SHARD,
} from "./memory.ts";
import { VirtualTime } from "../virtual_time.ts";

const LASTING = FAULTS.filter((fault) => fault !== "slow");

Deno.test("SnapshotReader finds carriers by number, and none between and beyond them", async () => {
  const { reader, source, nameOf } = readerOfFour();
  await reader.use(async (snapshot) => {
    assert.equal(snapshot.id, "a");
    for (const dot of [5, 7, 250, 99_999_999]) {
      assert.equal((await snapshot.carrier(dot))?.dot, dot);
    }
    for (const dot of [4, 6, 8, 249, 251, 99_999_998]) {
      assert.equal(await snapshot.carrier(dot), null);
    }
  });
  // A number outside the runs needs no fetch.
  const before = source.gets.length;
  assert.equal(await nameOf(123_456), undefined);
  assert.equal(source.gets.length, before);
});

Deno.test("SnapshotReader returns docket holders in order, by prefix, in a list that the caller may modify", async () => {
  const { reader } = readerOfFour();
  await reader.use(async (snapshot) => {
    for (let i = 0; i < 2; i++) {
      const holders = await snapshot.docket("MC", 143229);
      assert.deepEqual(holders, [7, 5]);
      holders.pop();
    }
    assert.deepEqual(await snapshot.docket("FF", 143229), [250]);
    assert.deepEqual(await snapshot.docket("MC", 143230), []);
    assert.deepEqual(await snapshot.docket("MC", 9_999_999), []);
    for (const prefix of ["MX", "constructor", "__proto__", "toString", ""]) {
      assert.deepEqual(await snapshot.docket(prefix, 143229), []);
    }
  });
});

Deno.test("SnapshotReader shares one fetch between concurrent requests for a shard", async () => {
  const { source, nameOf } = readerOfFour();
  await Promise.all(Array.from({ length: 50 }, (_, i) => nameOf(i % 2 === 0 ? 5 : 7)));
  assert.deepEqual(source.gets, ["current.json", "s/a/manifest.json", SHARD]);
});

Deno.test("SnapshotReader keeps its cache below the bound and evicts the least recently used shard", async () => {
  const objects: Objects = new Map();
  const carriers = Array.from({ length: 50 }, (_, i) => record(i * 100 + 1));
  putSnapshot(objects, { id: "a", carriers });
  const source = new MemorySource(objects);
  const cacheBytes = carrierText([rowOf(carriers[49]!)]).length * 3 * 10;
  const reader = new SnapshotReader(source, { cacheBytes });
  const read = (n: number) => reader.use((snapshot) => snapshot.carrier(n * 100 + 1));
  for (let n = 0; n < 50; n++) {
    await read(n);
    await read(0);
    assert.ok(reader.cached.bytes <= cacheBytes);
  }
  assert.ok(reader.cached.shards >= 9);
  await read(1);
  const counts = [0, 1].map((n) => source.count(`s/a/carriers/${n}.json.gz`));
  assert.deepEqual(counts, [1, 2]);
  const small = readerOfFour({ cacheBytes: 10 });
  assert.equal(await small.nameOf(5), "CARRIER 5");
  assert.deepEqual(small.reader.cached, { bytes: 0, shards: 0 });
});

Deno.test("SnapshotReader reads the pointer again after 60 s and not earlier, once for all requests", async () => {
  const { objects, source, clock, nameOf } = readerOfFour();
  await nameOf(5);
  putSnapshot(objects, { id: "b", carriers: [record(5, { legal_name: "NEW" })] });
  clock.advance(59_999);
  assert.equal(await nameOf(5), "CARRIER 5");
  assert.equal(source.count("current.json"), 1);
  clock.advance(1);
  assert.deepEqual(await Promise.all([nameOf(5), nameOf(5)]), ["NEW", "NEW"]);
  assert.equal(source.count("current.json"), 2);
  assert.equal(source.count("s/b/manifest.json"), 1);
  clock.advance(-3_600_000); // The clock moves backward
  for (let i = 0; i < 2; i++) await nameOf(5);
  assert.equal(source.count("current.json"), 3);
  assert.equal(source.count("s/b/manifest.json"), 1);
});

Deno.test("SnapshotReader stays on the complete old snapshot while the pointer or the next manifest cannot be read", async () => {
  for (const fault of LASTING) {
    for (const path of ["current.json", "s/b/manifest.json"]) {
      const reported: unknown[] = [];
      const { objects, source, clock, nameOf } = readerOfFour({
        onStale: (error) => reported.push(error),
      });
      await nameOf(5);
      putSnapshot(objects, { id: "b", carriers: [record(5, { legal_name: "NEW" })] });
      source.fault = (_, asked) => asked === path ? fault : null;
      clock.advance(60_000);
      assert.equal(await nameOf(5), "CARRIER 5", `${path} ${fault}`);
      assert.equal(await nameOf(250), "CARRIER 250");
      assert.equal(source.count("current.json"), 2);
      assert.equal(reported.length, 1);
      source.fault = () => null;
      clock.advance(60_000);
      assert.equal(await nameOf(5), "NEW");
    }
  }
});

Deno.test("SnapshotReader answers from the old snapshot after 2 s when the pointer hangs", async () => {
  const time = new VirtualTime();
  const { source, nameOf } = readerOfFour({ clock: time, after: time.after });
  await nameOf(5);
  const { get } = source;
  source.get = (path) => path === "current.json" ? new Promise(() => {}) : get.call(source, path);
  await time.run(time.now() + 60_000);
  const begun = time.now();
  const [name] = await Promise.all([nameOf(5), time.run()]);
  assert.deepEqual([name, time.now() - begun], ["CARRIER 5", 2_000]);
});

Deno.test("SnapshotReader rejects a manifest that does not match the pointer, and a malformed pointer", async () => {
  const { objects, nameOf } = readerOfFour();
  const manifest = objects.get("s/a/manifest.json")!;
  const at = new TextDecoder().decode(manifest).indexOf('"carriers":4') + 11;
  manifest[at] = "5".charCodeAt(0);
  await assert.rejects(nameOf(5), { name: "SnapshotUnavailable", message: /SHA-256/ });
  const ids = ["../a", "a/b", "", ".", "..", "a?b", 5, null];
  const cases: [members: Record<string, unknown>[], message: RegExp][] = [
    [[{ format: FORMAT + 1, snapshot: 5 }], /"current\.json": it has format 4, expected 2 or 3/],
    [ids.map((snapshot) => ({ snapshot })), /"snapshot" is missing or malformed/],
    [[-1, 1.5, "2", null].map((sequence) => ({ sequence })), /"sequence" is missing or malformed/],
  ];
  for (const [members, message] of cases) {
    for (const member of members) {
      const { objects, source, nameOf } = readerOfFour();
      const pointer = JSON.parse(new TextDecoder().decode(objects.get("current.json")));
      objects.set("current.json", jsonBytes({ ...pointer, ...member }));
      await assert.rejects(nameOf(5), message);
      assert.deepEqual(source.gets, ["current.json"]);
    }
  }
});

Deno.test("parseManifest() rejects runs of shards that overlap, descend or begin below 0", () => {
  const { objects } = readerOfFour();
  const manifest = JSON.parse(new TextDecoder().decode(objects.get("s/a/manifest.json")));
  for (const runs of [[[1, 0]], [[0, 2], [2, 3]], [[5, 6], [1, 2]], [[-1, 0]], [[0]], [0], null]) {
    manifest.families.carriers.runs = runs;
    const member = /"families\.carriers\.runs[.\d]*" is missing or malformed/;
    assert.throws(() => parseManifest(jsonBytes(manifest)), member, JSON.stringify(runs));
  }
});

Deno.test("use() runs again on the new snapshot when a shard was deleted with the old one", async () => {
  const { objects, source, nameOf } = readerOfFour();
  await nameOf(250);
  for (const path of [...objects.keys()]) if (path.startsWith("s/a/")) objects.delete(path);
  putSnapshot(objects, { id: "b", carriers: [record(5, { legal_name: "NEW" })] });
  assert.deepEqual(await Promise.all([nameOf(5), nameOf(5), nameOf(7)]), ["NEW", "NEW", undefined]);
  assert.equal(source.count("current.json"), 2);
});

Deno.test("use() throws SnapshotUnavailable after one more read of the pointer when a shard cannot be read", async () => {
  for (const fault of LASTING) {
    const { source, nameOf } = readerOfFour();
    await nameOf(250);
    source.fault = (_, path) => path === SHARD ? fault : null;
    await assert.rejects(nameOf(5), SnapshotUnavailable, fault);
    assert.equal(source.count("current.json"), 2);
    assert.equal(source.count(SHARD), 1);
    assert.equal(await nameOf(250), "CARRIER 250");
  }
});

Deno.test("use() rethrows errors of the work itself, without a second run", async () => {
  const { source, reader } = readerOfFour();
  let runs = 0;
  const work = () => Promise.reject(new RangeError(`run ${++runs}`));
  await assert.rejects(reader.use(work), /run 1/);
  assert.equal(source.count("current.json"), 1);
});

/** Points at an existing snapshot, with a sequence number. */
function pointAt(objects: Objects, id: string, sequence: number): void {
  putSnapshot(objects, { id, carriers: [record(5, { legal_name: `NAME ${id}` })] });
  const pointer = JSON.parse(new TextDecoder().decode(objects.get("current.json")));
  const published_at = new Date(Date.UTC(2026, 9, 4, sequence)).toISOString();
  objects.set("current.json", jsonBytes({ ...pointer, sequence, published_at }));
}

Deno.test("SnapshotReader ignores a CDN edge's stale pointer, and follows a rollback", async () => {
  const { objects, clock, reader, nameOf } = readerOfFour();
  const look = async (): Promise<string | undefined> => {
    clock.advance(60_000);
    return await nameOf(5);
  };
  pointAt(objects, "a", 1);
  pointAt(objects, "b", 2);
  assert.equal(await look(), "NAME b");
  pointAt(objects, "a", 1);
  assert.equal(await look(), "NAME b");
  assert.equal(reader.pointer?.sequence, 2);
  pointAt(objects, "a", 3);
  assert.equal(await look(), "NAME a");
  assert.equal(reader.pointer?.published_at, "2026-10-04T03:00:00.000Z");
  // The same snapshot again: only the pointer differs.
  pointAt(objects, "a", 4);
  assert.equal(await look(), "NAME a");
  assert.equal(reader.pointer?.sequence, 4);
});

Deno.test("SnapshotReader accepts an older pointer after seeing only older ones for ten minutes", async () => {
  const { objects, clock, nameOf } = readerOfFour();
  pointAt(objects, "b", 7);
  const seen: string[] = [];
  for (let minute = 0; minute < 21; minute++) {
    pointAt(objects, minute === 0 || minute === 5 ? "b" : "a", minute === 5 ? 8 : minute ? 1 : 7);
    clock.advance(60_000);
    seen.push((await nameOf(5))!.at(-1)!);
  }
  assert.equal(seen.join(""), "b".repeat(16) + "a".repeat(5));
});

Deno.test("SnapshotReader accepts an older pointer ten minutes after the clock moved backward by a day", async () => {
  const { objects, clock, nameOf } = readerOfFour();
  const look = async (): Promise<string> => {
    clock.advance(60_000);
    return (await nameOf(5))!.at(-1)!;
  };
  pointAt(objects, "b", 7);
  assert.equal(await look(), "b");
  pointAt(objects, "a", 1);
  assert.equal(await look(), "b");
  clock.advance(-86_400_000);
  for (let minute = 0; minute < 10; minute++) assert.equal(await look(), "b");
  assert.equal(await look(), "a");
});

Deno.test("the reader's cacheBytes limits the lists of the search too", async () => {
  const folder = folderSource(await builtSample());
  const readsAgain = async (cacheBytes?: number): Promise<number> => {
    const gets: string[] = [];
    const source = {
      name: "counted",
      get(path: string, signal?: AbortSignal) {
        if (path.includes("/lists/")) gets.push(path);
        return folder.get(path, signal);
      },
    };
    const reader = new SnapshotReader(source, cacheBytes === undefined ? {} : { cacheBytes });
    const search = () =>
      reader.use((found) => searchSnapshot(found, "general transport", { limit: 5 }));
    await search();
    const first = gets.length;
    assert.ok(first > 0);
    await search();
    return gets.length - first;
  };
  assert.equal(await readsAgain(), 0);
  assert.ok(await readsAgain(1_000) > 0);
});
