/** `deno task verify-record`, run as a process. */

import assert from "node:assert/strict";
import denoJson from "../../deno.json" with { type: "json" };
import { folderSource } from "../../pipeline/snapshot/sources/open_source.ts";
import { tempDir } from "../pipeline/compile/files.ts";
import { GOLDEN_ROOT, goldenProof, PROVEN } from "../pipeline/snapshot/proofs.ts";
import { command } from "../run_main.ts";
import { siteOver } from "../site/app.ts";

const [, ...TASK] = denoJson.tasks["verify-record"].command.split(" ");

async function verifies(code: number, ...args: string[]): Promise<{ out: string; err: string }> {
  const ended = await command([...TASK, ...args], {}).output();
  const [out, err] = [ended.stdout, ended.stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.equal(ended.code, code, `${args} ${out} ${err}`);
  return { out: out!, err: err! };
}

Deno.test("verify-record checks a record and a proof with read permission alone, and says what that proves and what it doesn't", async () => {
  await using dir = await tempDir();
  const { text: proof, manifestSha256, laterSha256 } = await goldenProof();
  const { visit } = siteOver(folderSource(GOLDEN_ROOT));
  const record = await (await visit(`/carriers/${PROVEN}/record.json?as_of=2026-10-02`)).text();
  const cases: [string, RegExp, string][] = [
    [
      proof,
      /^USDOT number 99 in our snapshot of data of 2026-10-02:\n\{\n {2}"dot": 99,/,
      ".manifest",
    ],
    [
      record,
      /^Vetting record of USDOT number 99, .*\nData of Oct 2, 2026, computed for Oct 2, 2026: /,
      ".proof.manifest",
    ],
  ];
  const file = `${dir.path}/saved.json`;
  for (const [text, first, manifest] of cases) {
    await Deno.writeTextFile(file, text);
    const [proven, alone] = await Promise.all([
      verifies(0, file, "--manifest", laterSha256),
      verifies(3, file),
    ]);
    assert.match(proven.out, first);
    assert.match(
      proven.out,
      /we published the row on or before the day .*\nand it is unchanged since\. Not proven: /,
    );
    assert.doesNotMatch(proven.out, /nothing/);
    assert.match(alone.out, first);
    assert.match(alone.out, /proves nothing until a manifest hash is compared/);
    assert.ok(alone.out.includes(manifestSha256) && alone.out.includes(laterSha256));
    assert.ok(alone.out.includes(`jq -j ${manifest} ${file} > manifest.json`));
  }
  await Deno.writeTextFile(file, proof.replace('"dot": 99', '"dot": 98'));
  const refused = await verifies(1, file, "--manifest", manifestSha256);
  assert.deepEqual(refused, { out: "", err: 'Refused: "dot" is not the number of the row\n' });
  await Deno.writeTextFile(file, record.replace('"legal_name": "', '"legal_name": "X'));
  assert.match((await verifies(1, file)).err, /^Refused: "carrier" is not what the proven row /);
});

Deno.test("verify-record prints its help, and names the argument that is wrong", async () => {
  assert.match((await verifies(0, "--help")).out, /Exit codes: 0 proven/);
  const wrong: [RegExp, string[]][] = [
    [/^Cannot check: the file is missing\n/, []],
    [/^Cannot check more than one file: a, b\n/, ["a", "b"]],
    [/^Cannot use --manifest "ABC": a SHA-256 is 64 /, ["a", "--manifest", "ABC"]],
    [/^Unknown option '--what'/, ["a", "--what"]],
  ];
  await Promise.all(wrong.map(async ([message, args]) => {
    const { out, err } = await verifies(2, ...args);
    assert.equal(out, "");
    assert.match(err, message);
    assert.match(err, /\nRun "deno task verify-record --help" for its arguments\n$/);
  }));
  assert.match((await verifies(1, "nowhere.json")).err, /nowhere\.json/);
});
