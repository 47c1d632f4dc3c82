import assert from "node:assert/strict";
import { tempDir } from "../compile/files.ts";
import { GOLDEN_ROOT, goldenProof, PROVEN } from "../snapshot/proofs.ts";
import { ends } from "./snapshot_root.ts";

const { text, manifestSha256, laterSha256 } = await goldenProof();
const DOT = String(PROVEN);

Deno.test("prove prints a proof of a day, and verify-record says what it proves and what not", async () => {
  await using dir = await tempDir();
  const file = `${dir.path}/proof.json`;
  const { out, err } = await ends(0, "prove", GOLDEN_ROOT, DOT, "--as-of", "2026-10-02");
  assert.equal(out, text);
  assert.match(
    err,
    new RegExp(`^Snapshot 2026-10-02-.*${manifestSha256}\nChain .*${laterSha256}\n$`),
  );
  await Deno.writeTextFile(file, out);
  for (const hash of [manifestSha256, laterSha256]) {
    const proven = await ends(0, "verify-record", file, "--manifest", hash);
    assert.match(
      proven.out,
      /^USDOT number 99 in our snapshot of data of 2026-10-02:\n\{\n {2}"dot": 99,/,
    );
    assert.match(
      proven.out,
      /published this on or before the day .*\nand it is unchanged since\. Not proven: /,
    );
    assert.doesNotMatch(proven.out, /nothing/);
  }
  const alone = await ends(3, "verify-record", file);
  assert.match(alone.out, /proves nothing until a manifest hash is compared/);
  assert.match(alone.out, /gh attestation verify manifest\.json --repo /);
  assert.ok(alone.out.includes(manifestSha256) && alone.out.includes(laterSha256));
  const short = await ends(
    0,
    "prove",
    GOLDEN_ROOT,
    DOT,
    "--as-of",
    "2026-10-02",
    "--to",
    "2026-10-02",
  );
  assert.equal(JSON.parse(short.out).later, undefined);
  await Deno.writeTextFile(file, out.replace('"dot": 99', '"dot": 98'));
  const refused = await ends(1, "verify-record", file, "--manifest", manifestSha256);
  assert.equal(refused.out, "");
  assert.match(refused.err, /^Refused: "dot" is not the number of the row\n$/);
});

Deno.test("prove and verify-record name what is wrong with an argument or a snapshot", async () => {
  const cases: [string[], number, RegExp][] = [
    [["prove", GOLDEN_ROOT, "12345"], 1, /12345 is not in snapshot 2026-10-03-/],
    [["prove", GOLDEN_ROOT, "1A"], 2, /Cannot parse USDOT number 1A/],
    [["prove", GOLDEN_ROOT, DOT, "--as-of", "Oct 2"], 2, /YYYY-MM-DD/],
    [["prove", GOLDEN_ROOT, DOT, "--as-of", "2026-09-01"], 1, /before 2026-10-02/],
    [["prove", GOLDEN_ROOT, DOT, "--to", "2026-10-02"], 1, /no later snapshot of its chain/],
    [["verify-record", "nowhere.json"], 1, /nowhere\.json/],
    [["verify-record", "nowhere.json", "--manifest", "ABC"], 2, /64 hexadecimal digits/],
  ];
  for (const [args, code, message] of cases) {
    const { out, err } = await ends(code, ...args);
    assert.equal(out, "");
    assert.match(err, message);
  }
});
