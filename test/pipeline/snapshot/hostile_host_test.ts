import assert from "node:assert/strict";
import { serve } from "../../serve.ts";
import { gzipSync } from "node:zlib";
import { httpSource } from "../../../pipeline/snapshot/sources/http_source.ts";
import { searchSnapshot } from "../../../pipeline/search/query/search.ts";
import { parseManifest } from "../../../pipeline/snapshot/manifest.ts";
import { FILED, RECORD_COLUMNS } from "../../../pipeline/snapshot/record/rows.ts";
import { rowOf } from "../../../pipeline/snapshot/record/row_writer.ts";
import { carrierText } from "../../../pipeline/snapshot/record/shards.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { SourceFailure } from "../../../pipeline/snapshot/source.ts";
import { twoDays } from "../publish/world.ts";
import {
  gzipText,
  jsonBytes,
  MemorySource,
  NEVER_LATE,
  type Objects,
  putSnapshot,
  record,
  TestClock,
} from "./memory.ts";

const SHARD = "s/a/carriers/0.json.gz";

/** A lookup in a snapshot of one carrier with one object replaced. */
function lookUpWith(path: string, bytes: Uint8Array<ArrayBuffer>) {
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [record(5)] });
  objects.set(path, bytes);
  const reader = new SnapshotReader(new MemorySource(objects), { clock: new TestClock() });
  return reader.use((found) => found.carrier(5));
}

Deno.test("httpSource() follows no redirect, to another host or within its own", async () => {
  const asked: string[] = [];
  await using inner = serve((request) => {
    asked.push(request.url);
    return new Response("secret");
  });
  for (const place of [`${inner.url}/metadata`, "/elsewhere"]) {
    let requests = 0;
    await using data = serve(() => {
      requests++;
      return new Response(null, { status: 302, headers: { location: place } });
    });
    const source = httpSource(data.url, { fetch, after: NEVER_LATE });
    for (const path of ["current.json", SHARD]) {
      await assert.rejects(source.get(path), (error) => {
        assert.ok(error instanceof SourceFailure && !error.transient);
        return /status 302, a redirect, which is not followed$/.test(error.message);
      });
    }
    assert.equal(requests, 2);
  }
  assert.deepEqual(asked, []);
});

Deno.test("a record with a member of a wrong type is unavailable data, and the error names the shard", async () => {
  const kind = { inspections: 1, out_of_service: 0 };
  const sound = record(5, {
    roles: ["C"],
    classes: ["PRIVATE PROPERTY"],
    hazmat: false,
    mcs150_date: "2026-01-02",
    rating: "S",
    rating_date: "2020-02-03",
    dockets: [{ prefix: "MC", number: 7, status: "A" }],
    inspections: {
      total: 1,
      last: "2026-01-02",
      violations: 0,
      vehicle: kind,
      driver: kind,
      hazmat: kind,
      latest: [[3, "OH", 1]],
    },
  });
  const row = rowOf(sound);
  const shardOf = (row: unknown[]): Uint8Array<ArrayBuffer> =>
    gzipText(`[\n${JSON.stringify(row)}\n]`);
  const later = Object.assign([...row], { [RECORD_COLUMNS.length]: "a later member" });
  assert.deepEqual(
    await lookUpWith(SHARD, shardOf(Array.from(later, (value) => value ?? ""))),
    sound,
  );
  const stored = row.at(-1) as unknown[];
  const inspections = (at: number, value: unknown) => ({ inspections: stored.with(at, value) });
  const bad: Record<string, unknown>[] = [
    ...[{ dba_name: 5 }, { city: null }, { status: "AA" }, { status: "" }, { operation: "X" }],
    ...[{ roles: ["C"] }, { classes: 1 }, { power_units: "7" }, { drivers: -1 }, { hazmat: "Y" }],
    ...[{ mcs150_date: "2026-01-01" }, { added: 1e9 }, { added: 0.5 }, { rating_date: "soon" }],
    ...[{ rating: {} }, { mailing: [5] }, { vehicles: [null] }, { dockets: { MC: 7 } }],
    ...[{ dockets: [["MC"]] }, { dockets: [null] }, { inspections: {} }, { inspections: [] }],
    ...[inspections(1, "2026-01-02"), inspections(4, ""), inspections(5, [1, "none"])],
    ...[inspections(6, [["3", "OH"]]), inspections(6, [[3, "OH", -1]])],
    ...[{ refused: 5 }, { refused: { phone: 5 } }, { changes: [5] }, {
      changes: { soon: [7, "A"] },
    }],
    ...[{ changes: { 20000: 7 } }, { changes: { 20000: [7] } }, {
      changes: { 20000: [FILED, ""] },
    }],
    ...[{ changes: { 20000: [7, "AA"] } }, { changes: { 20000: [0, "soon"] } }],
    ...[{ changes: { 20000: [7, { refused: 5 }] } }, { changes: { 20000: ["status", "A"] } }],
  ];
  for (const member of bad) {
    const [[name, value]] = Object.entries(member) as [[string, unknown]];
    const at = RECORD_COLUMNS.findIndex(([column]) => column === name);
    const altered = Object.assign([...row], { [at]: value });
    await assert.rejects(
      lookUpWith(SHARD, shardOf(Array.from(altered, (one) => one === undefined ? "" : one))),
      {
        name: "SnapshotUnavailable",
        message: /carriers\/0\.json\.gz.*record 5 is malformed/,
      },
      JSON.stringify(member),
    );
  }
});

Deno.test("a pointer, a manifest or a shard that is too large, compressed or not, is unavailable data", async () => {
  const spaces = (bytes: number): Uint8Array<ArrayBuffer> => new Uint8Array(bytes).fill(32);
  const bomb = new Uint8Array(gzipSync(spaces(64 << 20)));
  assert.ok(bomb.length < 100_000);
  const cases: [string, Uint8Array<ArrayBuffer>, RegExp][] = [
    ["current.json", spaces((64 << 10) + 1), /"current\.json": it has more than 65536 bytes/],
    ["s/a/manifest.json", spaces((4 << 20) + 1), /manifest\.json": it has more than 4194304 bytes/],
    [SHARD, spaces((2 << 20) + 1), /carriers\/0\.json\.gz": it has more than 2097152 bytes/],
    [SHARD, bomb, /carriers\/0\.json\.gz.*more than 2097152 bytes unpacked/],
    [SHARD, jsonBytes("x".repeat(1 << 20)), /carriers\/0\.json\.gz.*not an array/],
    // 60 of these at once took 1.6 GB.
    [SHARD, gzipText("[".repeat(1 << 20)), /carriers\/0\.json\.gz.*more than 65536 brackets/],
    [SHARD, gzipText(`\n[5,${"[],".repeat(1 << 16)}0]`), /0\.json\.gz.*more than 65536 brackets/],
  ];
  for (const [path, bytes, said] of cases) {
    const expected = { name: "SnapshotUnavailable", message: said };
    await assert.rejects(lookUpWith(path, bytes), expected, path);
  }
});

// Every page and answer repeats the notice: one of 1 MB made each page 1 MB.
Deno.test("a manifest with a long notice or reason is refused", () => {
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [record(5)] });
  const manifest = JSON.parse(new TextDecoder().decode(objects.get("s/a/manifest.json")));
  for (const member of ["notice", "forced"]) {
    const withNote = (length: number) =>
      parseManifest(jsonBytes({ ...manifest, [member]: "x".repeat(length) }));
    assert.throws(() => withNote(1_001), new RegExp(`member "${member}" is missing or malformed`));
    withNote(1_000);
  }
});

Deno.test("SnapshotReader with verify rejects objects whose hash is not in SHA256SUMS, and reads that list once", async () => {
  const { first } = await twoDays();
  const { source, id } = first;
  const clock = new TestClock();
  const shard = `s/${id}/carriers/0.json.gz`;
  const sums = `s/${id}/SHA256SUMS`;
  const open = (verify: boolean): SnapshotReader => new SnapshotReader(source, { clock, verify });
  const unitsIn = (reader: SnapshotReader, dot: number): Promise<number | undefined> =>
    reader.use(async (found) => (await found.carrier(dot))?.power_units);
  const careful = open(true);
  assert.deepEqual([await unitsIn(careful, 1), await unitsIn(careful, 150)], [50, 50]);
  const search = careful.use((found) => searchSnapshot(found, "carrier 150", { limit: 1 }));
  assert.equal((await search)?.[0]?.dot, 150);
  assert.equal(source.count(sums), 1);
  // A valid shard of the same carrier from another build.
  const forged = gzipText(carrierText([rowOf(record(1, { power_units: 1 }))]));
  source.objects.set(shard, forged);
  assert.equal(await unitsIn(open(false), 1), 1);
  const other = /carriers\/0\.json\.gz" .*: its SHA-256 is not the one in SHA256SUMS/;
  await assert.rejects(unitsIn(open(true), 1), other);
  const list = source.objects.get(sums)!;
  source.objects.set(sums, jsonBytes("forged too"));
  const late = open(true);
  await assert.rejects(unitsIn(late, 150), /SHA256SUMS" .*: its SHA-256 .* in the manifest/);
  source.objects.set(sums, list);
  assert.equal(await unitsIn(late, 150), 50);
});
