import assert from "node:assert/strict";
import { MAX_PROBLEMS, verifySnapshot } from "../../../pipeline/publish/verify.ts";
import type { Manifest } from "../../../pipeline/snapshot/manifest.ts";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import { sha256 } from "../../../pipeline/snapshot/writer.ts";
import { buildFiles, censusCsv, censusRow, tempDir } from "../compile/files.ts";
import { gzipJson, jsonBytes } from "../snapshot/memory.ts";
import { twoDays } from "./world.ts";

Deno.test("verifySnapshot() finds and names a flipped bit in any immutable object, and a missing one", async () => {
  const { first: { source } } = await twoDays();
  const { objects } = source;
  assert.deepEqual((await verifySnapshot(source)).problems, []);
  for (const [path, bytes] of objects) {
    if (path === "current.json") continue; // No document has the hash of the object that changes
    const middle = bytes.length >> 1;
    objects.set(path, bytes.with(middle, bytes[middle]! ^ 4));
    assert.match((await verifySnapshot(source)).problems[0]!, new RegExp(path));
    objects.set(path, bytes);
  }
  const lost = [...objects.keys()].find((path) => path.includes("/dockets/"))!;
  objects.delete(lost);
  assert.deepEqual((await verifySnapshot(source)).problems, [`Cannot find "${lost}" in memory`]);
});

Deno.test("verifySnapshot() gives up a lost snapshot after a bounded list of problems", async () => {
  await using dir = await tempDir();
  const census = censusCsv(Array.from({ length: 250 }, (_, i) => censusRow(i * 100 + 1)));
  const { entry } = await buildFiles(dir.path, { census });
  await Deno.remove(`${dir.path}/out/s/${entry.snapshot}/carriers`, { recursive: true });
  const { problems } = await verifySnapshot(openSource(`${dir.path}/out`));
  assert.equal(problems.length, MAX_PROBLEMS);
});

/** The problems of a snapshot whose manifest, and whose dockets, were changed before it was published. */
async function problemsOf(
  change: (manifest: Manifest) => void,
  dockets?: unknown,
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
  if (dockets !== undefined) {
    const shard = gzipJson(dockets);
    const hash = write(`s/${id}/dockets/0.json.gz`, shard);
    const sums = read(`s/${id}/SHA256SUMS`).replace(/\w{64}(?= {2}dockets\/0)/, hash);
    const bytes = new TextEncoder().encode(sums);
    manifest.files.SHA256SUMS.sha256 = write(`s/${id}/SHA256SUMS`, bytes);
    manifest.families.dockets.bytes = shard.length;
  }
  const manifest_sha256 = write(`s/${id}/manifest.json`, jsonBytes(manifest));
  write("current.json", jsonBytes({ ...JSON.parse(read("current.json")), manifest_sha256 }));
  return (await verifySnapshot(source)).problems;
}

Deno.test("verifySnapshot() compares the manifest's counts and the docket index with the records", async () => {
  assert.deepEqual(await problemsOf(() => {}, { MC: { 1: [1], 150: [150] } }), []);
  const cases: [message: RegExp, change: (manifest: Manifest) => void, dockets?: unknown][] = [
    [
      /^The manifest's counts\.inactive is 1, the shards have 0$/,
      ({ counts }) => counts.inactive++,
    ],
    [/^The manifest's families\.dockets\.bytes is \d+/, ({ families }) => families.dockets.bytes++],
    [/SHA256SUMS lacks "carriers\/7\./, ({ families }) => families.carriers.runs.push([7, 7])],
    [/the manifest lacks "carriers\/1\./, ({ families }) => families.carriers.runs = [[0, 0]]],
    [/^The docket index does not match/, () => {}, { MC: { 1: [150], 150: [1] } }],
  ];
  for (const [message, ...changes] of cases) {
    assert.match((await problemsOf(...changes))[0]!, message);
  }
});
