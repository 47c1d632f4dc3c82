import assert from "node:assert/strict";
import { lookUpFailures } from "../../../pipeline/search/query/golden.ts";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import {
  MAX_PROBLEMS,
  type Verification,
  verifySnapshot,
} from "../../../pipeline/snapshot/verify.ts";
import { buildFiles, censusCsv, censusRow, CLOCK, tempDir, tree } from "../compile/files.ts";

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
  return verifySnapshot(openSource(root), { clock: CLOCK, lookUp: lookUpFailures });
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
