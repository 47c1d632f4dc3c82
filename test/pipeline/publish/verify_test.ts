import assert from "node:assert/strict";
import type { Manifest } from "../../../pipeline/snapshot/manifest.ts";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import {
  MAX_PROBLEMS,
  type Verification,
  verifySnapshot,
} from "../../../pipeline/publish/verify.ts";
import { sha256 } from "../../../pipeline/snapshot/writer.ts";
import { twoDays } from "./world.ts";
import { gzipJson, jsonBytes } from "../snapshot/memory.ts";
import { buildFiles, censusCsv, censusRow, tempDir, tree } from "../compile/files.ts";

async function snapshot(carriers: number): Promise<AsyncDisposable & { out: string; at: string }> {
  const dir = await tempDir();
  const rows = Array.from({ length: carriers }, (_, i) =>
    censusRow(i * 40 + 1, {
      DOCKET1PREFIX: "MC",
      DOCKET1: String(i % 60 * 700 + 1),
      DOCKET1_STATUS_CODE: "A",
    }));
  const { entry } = await buildFiles(dir.path, { census: censusCsv(rows) });
  const out = `${dir.path}/out`;
  return { out, at: `${out}/s/${entry.snapshot}`, [Symbol.asyncDispose]: dir[Symbol.asyncDispose] };
}

function verify(root: string): Promise<Verification> {
  return verifySnapshot(openSource(root));
}

Deno.test("verifySnapshot() finds and names a flipped bit in any immutable object", async () => {
  await using made = await snapshot(9);
  for (const path of (await tree(made.out)).keys()) {
    if (path === "/current.json") continue; // No document has the hash of the object that changes
    const bytes = await Deno.readFile(made.out + path);
    const flipped = bytes.slice();
    flipped[Math.floor(bytes.length / 2)]! ^= 4;
    await Deno.writeFile(made.out + path, flipped);
    const { problems } = await verify(made.out);
    assert.notEqual(problems.length, 0, path);
    assert.match(problems[0]!, new RegExp(path.slice(1)));
    await Deno.writeFile(made.out + path, bytes);
  }
});

Deno.test("verifySnapshot() names a missing and a truncated object", async () => {
  await using made = await snapshot(20);
  await Deno.remove(`${made.at}/carriers/7.json.gz`);
  await Deno.truncate(`${made.at}/dockets/7.json.gz`, 30);
  const [lost, cut, ...more] = (await verify(made.out)).problems.sort();
  assert.deepEqual(more, []);
  assert.match(lost!, /^Cannot find ".*carriers\/7\.json\.gz"/);
  assert.match(
    cut!,
    /dockets\/7\.json\.gz" \(30 bytes\): its SHA-256 is not the one in SHA256SUMS/,
  );
});

Deno.test("verifySnapshot() gives up a lost snapshot after a bounded list of problems", async () => {
  await using made = await snapshot(250);
  await Deno.remove(`${made.at}/carriers`, { recursive: true });
  await Deno.remove(`${made.at}/dockets`, { recursive: true });
  const { problems } = await verify(made.out);
  assert.equal(problems.length, MAX_PROBLEMS);
});

Deno.test("verifySnapshot() compares the manifest's counts and the docket index with the records", async () => {
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
  assert.deepEqual(await problemsOf(() => {}, { MC: { 1: [1], 150: [150] } }), []);
  assert.deepEqual(await problemsOf(({ counts }) => counts.inactive++), [
    "The manifest's counts.inactive is 1, the shards have 0",
  ]);
  const [bytes] = await problemsOf(({ families }) => families.dockets.bytes++);
  assert.match(bytes!, /^The manifest's families\.dockets\.bytes is \d+, the shards have \d+$/);
  const [index] = await problemsOf(() => {}, { MC: { 1: [150], 150: [1] } });
  assert.match(index!, /^The docket index does not match/);
});
