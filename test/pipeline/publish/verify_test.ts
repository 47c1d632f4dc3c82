import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { compareSample } from "../../../pipeline/publish/read_back.ts";
import { GOLDEN_LOOKUPS, MAX_PROBLEMS, verifySnapshot } from "../../../pipeline/publish/verify.ts";
import type { SnapshotContents } from "../../../pipeline/snapshot/contents.ts";
import type { Manifest } from "../../../pipeline/snapshot/manifest.ts";
import { positionOf } from "../../../pipeline/snapshot/record/rows.ts";
import type { Source } from "../../../pipeline/snapshot/source.ts";
import { openSource } from "../../../pipeline/snapshot/sources/open_source.ts";
import { sumsRoot } from "../../../pipeline/snapshot/sums_tree.ts";
import { sha256 } from "../../../pipeline/sha256.ts";
import { buildFiles, censusCsv, censusRow, tempDir } from "../compile/files.ts";
import { gzipJson, jsonBytes, MemorySource } from "../snapshot/memory.ts";
import { builtDay, type Day, twoDays } from "./world.ts";

Deno.test("verifySnapshot() finds and names a flipped bit in any immutable object, and a missing one", async () => {
  const { first: { source } } = await twoDays();
  const { objects } = source;
  assert.deepEqual((await verifySnapshot(source)).problems, []);
  for (const [path, bytes] of objects) {
    if (path === "current.json") continue; // No document has the hash of the mutable pointer
    const middle = bytes.length >> 1;
    objects.set(path, bytes.with(middle, bytes[middle]! ^ 4));
    assert.match((await verifySnapshot(source)).problems[0]!, new RegExp(path));
    objects.set(path, bytes);
  }
  const lost = [...objects.keys()].find((path) => path.includes("/dockets/"))!;
  objects.delete(lost);
  assert.deepEqual((await verifySnapshot(source)).problems, [`Cannot find "${lost}" in memory`]);
});

/** A source that counts how often each carrier shard is read. */
function counting(source: Source): { source: Source; reads: Map<string, number> } {
  const reads = new Map<string, number>();
  const get: Source["get"] = (path, signal) => {
    if (path.includes("/carriers/")) reads.set(path, (reads.get(path) ?? 0) + 1);
    return source.get(path, signal);
  };
  return { source: { name: source.name, get }, reads };
}

Deno.test("verifySnapshot() reads every object of a snapshot, looks its carriers up, and says how much it read", async () => {
  const { first: { id, source: { objects } }, dots } = await twoDays();
  const { source, reads } = counting(new MemorySource(objects));
  const progress: [done: number, total: number][] = [];
  const verification = await verifySnapshot(source, {
    onProgress: (...now) => progress.push(now),
  });
  const all = [...objects].filter(([path]) => path.startsWith("s/"));
  assert.deepEqual(verification, {
    snapshot: id,
    isWithoutSearch: false,
    objects: all.length,
    bytes: all.reduce((sum, [, bytes]) => sum + bytes.length, 0),
    carriers: dots.length,
    problems: [],
  });
  assert.deepEqual([progress.length, progress.at(-1)], [all.length, [all.length, all.length]]);
  assert.deepEqual([...reads.values()], dots.map(() => 2));

  // A shard that is sound when it is checked and empty when a carrier is looked up.
  const [path] = reads.keys();
  let isRead = false;
  const get: Source["get"] = (asked, signal) => {
    if (asked === path && isRead) return Promise.resolve(gzipJson([]));
    isRead ||= asked === path;
    return source.get(asked, signal);
  };
  for (const  of of[undefined, id]) {
    isRead = false;
    const { problems } = await verifySnapshot({ name: "changing", get }, { of });
    assert.deepEqual(problems, ["A lookup of USDOT 1 fails"]);
  }
});

Deno.test("compareSample() reads every document and an even sample of the rest, but no file of all carriers", async () => {
  const bytes = gzipJson([]);
  const listed = (path: string, by: string) => ({ path, sha256: sha256(bytes), by });
  const documents = ["SHA256SUMS", "report.json", "manifest.json"].map((name) =>
    listed(`s/a/${name}`, "the manifest")
  );
  const shards = Array.from(
    { length: 200 },
    (_, i) => listed(`s/a/carriers/${i}.json.gz`, "SHA256SUMS"),
  );
  const objects = [...documents, ...shards, listed("s/a/export/carriers.parquet", "SHA256SUMS")];
  const paths: string[] = [];
  const source: Source = {
    name: "complete",
    get: (path) => Promise.resolve((paths.push(path), bytes)),
  };
  const contents = { objects } as unknown as SnapshotContents;
  await compareSample(source, contents, new AbortController().signal);
  // Every fifth of the 203 small objects, and the documents among the others.
  const fifth = shards.filter((_, i) => (i + documents.length) % 5 === 0);
  assert.deepEqual(paths, [...documents, ...fifth].map(({ path }) => path));
});

Deno.test("verifySnapshot() of a source without a pointer says only that", async () => {
  assert.deepEqual(await verifySnapshot(new MemorySource(new Map())), {
    snapshot: "",
    isWithoutSearch: false,
    objects: 0,
    bytes: 0,
    carriers: 0,
    problems: ['Cannot find "current.json" in memory'],
  });
});

Deno.test("verifySnapshot() gives up on a lost snapshot after a limited number of problems, and looks up a sample of a sound one", async () => {
  await using dir = await tempDir();
  const census = censusCsv(Array.from({ length: 250 }, (_, i) => censusRow(i * 100 + 1)));
  const { entry } = await buildFiles(dir.path, { census });
  const { source, reads } = counting(openSource(`${dir.path}/out`));
  assert.deepEqual((await verifySnapshot(source)).problems, []);
  const lookedUp = [...reads.values()].filter((count) => count > 1);
  assert.deepEqual([reads.size, lookedUp.length], [250, GOLDEN_LOOKUPS]);
  await Deno.remove(`${dir.path}/out/s/${entry.snapshot}/carriers`, { recursive: true });
  reads.clear();
  assert.equal((await verifySnapshot(source)).problems.length, MAX_PROBLEMS);
  assert.ok(reads.size < 150, `${reads.size} reads`);
});

/** The problems of a snapshot whose manifest and first shards were changed before publishing. */
async function problemsOf(
  change: (manifest: Manifest) => void,
  dockets?: unknown,
  carriers?: unknown[][],
): Promise<string[]> {
  const { first: { id, source } } = await twoDays("small");
  const { objects } = source;
  const read = (path: string) => new TextDecoder().decode(objects.get(path));
  const write = (path: string, bytes: Uint8Array<ArrayBuffer>): string => {
    objects.set(path, bytes);
    return sha256(bytes);
  };
  const manifest: Manifest = JSON.parse(read(`s/${id}/manifest.json`));
  change(manifest);
  for (const [family, content] of [["dockets", dockets], ["carriers", carriers]] as const) {
    if (content === undefined) continue;
    const shard = gzipJson(content);
    const { length } = objects.get(`s/${id}/${family}/0.json.gz`)!;
    const hash = write(`s/${id}/${family}/0.json.gz`, shard);
    const line = new RegExp(`\\w{64}(?= {2}${family}/0)`);
    const sums = new TextEncoder().encode(read(`s/${id}/SHA256SUMS`).replace(line, hash));
    const root = await sumsRoot(new TextDecoder().decode(sums));
    Object.assign(manifest.files.SHA256SUMS, { sha256: write(`s/${id}/SHA256SUMS`, sums), root });
    manifest.families[family].bytes += shard.length - length;
  }
  const manifest_sha256 = write(`s/${id}/manifest.json`, jsonBytes(manifest));
  write("current.json", jsonBytes({ ...JSON.parse(read("current.json")), manifest_sha256 }));
  return (await verifySnapshot(source)).problems;
}

Deno.test("verifySnapshot() compares the manifest's counts and the docket index with the records", async () => {
  assert.deepEqual(await problemsOf(() => {}, { MC: { 1: [1], 150: [150] } }), []);
  // A manifest of before carriers that left were counted.
  assert.deepEqual(await problemsOf(({ counts }) => delete counts.left), []);
  const cases: [message: RegExp, change: (manifest: Manifest) => void, dockets?: unknown][] = [
    [
      /^s\/\S+: the manifest has another root of SHA256SUMS than its lines$/,
      ({ files }) => files.SHA256SUMS.root = "0".repeat(64),
    ],
    [
      /^The manifest's counts\.inactive is 1, the shards have 0$/,
      ({ counts }) => counts.inactive++,
    ],
    [
      /^The manifest's counts\.left is 1, the shards have 0$/,
      ({ counts }) => counts.left = 1,
    ],
    [
      /^past\.json ends with nothing, the manifest's previous is 2026-10-02-0/,
      (manifest) =>
        manifest.previous = {
          id: "2026-10-02-0000000000000000",
          data_date: "2026-10-02",
          manifest_sha256: "0".repeat(64),
        },
    ],
    [/^The manifest's families\.dockets\.bytes is \d+/, ({ families }) => families.dockets.bytes++],
    [
      /^The manifest's search\.bytes is 1, the shards have 0$/,
      (manifest) => {
        const sizes = {
          carriers: 1,
          buckets: 1,
          rare: 1,
          heads: 0,
          terms: 1,
          objects: 0,
          bytes: 1,
        };
        manifest.search = { format: 1, ...sizes };
      },
    ],
    [/SHA256SUMS lacks "carriers\/7\./, ({ families }) => families.carriers.runs.push([7, 7])],
    [/the manifest lacks "carriers\/1\./, ({ families }) => families.carriers.runs = [[0, 0]]],
    [/^The docket index does not match/, () => {}, { MC: { 1: [150], 150: [1] } }],
  ];
  for (const [message, ...changes] of cases) {
    assert.match((await problemsOf(...changes))[0]!, message);
  }
});

/** A root of two snapshots; the second follows the first after some days. */
async function rootOfTwo(days: number): Promise<{ first: Day; second: Day; source: MemorySource }> {
  const first = await builtDay(0);
  const second = await builtDay(days, { previous: first });
  const source = new MemorySource(new Map([...first.source.objects, ...second.source.objects]));
  return { first, second, source };
}

Deno.test("verifySnapshot() checks the chain, and the previous manifest where it exists", async () => {
  const { first, second, source, source: { objects } } = await rootOfTwo(1);
  assert.deepEqual((await verifySnapshot(source)).problems, []);
  assert.deepEqual((await verifySnapshot(second.source)).problems, []);
  const path = `s/${first.id}/manifest.json`;
  objects.set(path, jsonBytes({ format: 3 }));
  assert.deepEqual((await verifySnapshot(source)).problems, [
    `"${path}" is not the manifest that this snapshot names as previous`,
  ]);
  objects.set(path, first.source.objects.get(path)!);

  // As if a publisher had rewritten past.json: all hashes are correct, but the ids in it are not.
  const root = `s/${second.id}`;
  const read = (name: string) => JSON.parse(new TextDecoder().decode(objects.get(name)));
  const past = read(`${root}/past.json`);
  const { previous, ...manifest } = read(`${root}/manifest.json`);
  const problemsOf = async (past: unknown, changed: Record<string, unknown>) => {
    const bytes = jsonBytes(past);
    objects.set(`${root}/past.json`, bytes);
    const listed = { bytes: bytes.length, sha256: sha256(bytes) };
    const files = { ...manifest.files, "past.json": listed };
    objects.set(`${root}/manifest.json`, jsonBytes({ ...changed, files }));
    const manifest_sha256 = sha256(jsonBytes({ ...changed, files }));
    objects.set("current.json", jsonBytes({ ...read("current.json"), manifest_sha256 }));
    return (await verifySnapshot(source)).problems;
  };
  assert.deepEqual(await problemsOf(past, manifest), [
    `past.json ends with ${first.id}, the manifest's previous is absent`,
  ]);
  past.snapshots.unshift(["2026-10-01", first.id, "0".repeat(64)]);
  assert.deepEqual(await problemsOf(past, { ...manifest, previous }), [
    `past.json has ${first.id} with another date or hash than its id`,
    "past.json repeats an id",
  ]);
});

Deno.test("verifySnapshot() counts removed carriers, and decodes changes", async () => {
  await using dir = await tempDir();
  const { first } = await rootOfTwo(1);
  const census = censusCsv([1, 150, 250, 4250].map((dot) => censusRow(dot, { POWER_UNITS: "9" })));
  const { manifest } = await buildFiles(dir.path, { census }, {
    dataDate: "2026-10-04",
    previous: first.source,
    force: "A test",
  });
  assert.equal(manifest.counts.left, 1);
  const source = openSource(`${dir.path}/out`);
  assert.deepEqual((await verifySnapshot(source)).problems, []);
  const changesAt = positionOf("changes");
  const rowWith = (changes: unknown) => [[...record.slice(0, changesAt), changes]];
  const { objects } = (await twoDays("small")).first.source;
  const path = [...objects.keys()].find((path) => path.endsWith("/carriers/0.json.gz"))!;
  const [row] = JSON.parse(gunzipSync(objects.get(path)!).toString());
  const record = [...row, ...Array(changesAt).fill("")];
  const problemsWith = (changes: unknown) => problemsOf(() => {}, undefined, rowWith(changes));
  assert.deepEqual(await problemsWith({ 20000: [13, 49, 6, null] }), []);
  assert.match(
    (await problemsWith({ 20000: [13, -1] }))[0]!,
    /0\.json\.gz": record 1 is malformed/,
  );
});

Deno.test("verifySnapshot() of an older snapshot reports that its search index was removed", async () => {
  const { first, second, source, source: { objects } } = await rootOfTwo(9);
  const of = async (id: string) => {
    const { snapshot, isWithoutSearch, problems } = await verifySnapshot(source, { of: id });
    return { snapshot, isWithoutSearch, problems };
  };
  const [one, two] = [first, second].map(({ id }) => ({
    snapshot: id,
    isWithoutSearch: false,
    problems: [] as string[],
  }));
  assert.deepEqual(await of(first.id), one);
  assert.deepEqual(await of(second.id), two);
  // gc may have been stopped after the first of its objects.
  for (const limit of [1, Infinity]) {
    const left = [...objects.keys()].filter((path) => path.startsWith(`s/${first.id}/search/`));
    for (const path of left.slice(0, limit)) objects.delete(path);
    assert.deepEqual(await of(first.id), { ...one, isWithoutSearch: true }, `${limit}`);
  }
  objects.delete(`s/${first.id}/carriers/0.json.gz`);
  assert.match((await of(first.id)).problems[0]!, /Cannot find/);
  assert.match(
    (await of("another")).problems[0]!,
    /another: it is not in the chain of 2026-10-12-/,
  );
  const recent = await rootOfTwo(1);
  for (const path of [...recent.source.objects.keys()]) {
    if (path.startsWith(`s/${first.id}/search/`)) recent.source.objects.delete(path);
  }
  const { problems } = await verifySnapshot(recent.source, { of: first.id });
  assert.match(problems[0]!, /Cannot find ".*search/);
});

Deno.test("verifySnapshot() compares the files of all carriers, which gc may have removed from an older snapshot", async () => {
  await using dir = await tempDir();
  const files = { census: censusCsv([censusRow(1)]) };
  const buildOn = async (dataDate: string): Promise<string> =>
    (await buildFiles(dir.path, files, { dataDate, search: false, export: true })).entry.snapshot;
  const [first, second] = [await buildOn("2026-10-03"), await buildOn("2026-10-12")];
  const source = openSource(`${dir.path}/out`);
  const problemsOf = async (of: string) => (await verifySnapshot(source, { of })).problems;
  assert.deepEqual([await problemsOf(first), await problemsOf(second)], [[], []]);
  // gc may have been stopped after the first of the files.
  for (const what of ["carriers.parquet", ""]) {
    for (const id of [first, second]) {
      await Deno.remove(`${dir.path}/out/s/${id}/export/${what}`, { recursive: true });
    }
    assert.deepEqual(await problemsOf(first), [], what);
    assert.match((await problemsOf(second)).join(), /Cannot find ".*\/export\//);
  }
});
