import assert from "node:assert/strict";
import { GOLDEN_ROOT, goldenProof, PROVEN } from "../snapshot/proofs.ts";
import { ends } from "./snapshot_root.ts";

const { text, manifestSha256, laterSha256 } = await goldenProof();
const DOT = String(PROVEN);

Deno.test("prove prints a day's proof with the chain to the current snapshot, or to another", async () => {
  const { out, err } = await ends(0, "prove", GOLDEN_ROOT, DOT, "--as-of", "2026-10-02");
  assert.equal(out, text);
  assert.match(
    err,
    new RegExp(`^Snapshot 2026-10-02-.*${manifestSha256}\nChain .*${laterSha256}\n$`),
  );
  const days = ["--as-of", "2026-10-02", "--to", "2026-10-02"];
  const short = await ends(0, "prove", GOLDEN_ROOT, DOT, ...days);
  assert.equal(JSON.parse(short.out).later, undefined);
});

Deno.test("prove says what is wrong with an argument or a snapshot", async () => {
  const cases: [string[], number, RegExp][] = [
    [["prove", GOLDEN_ROOT, "12345"], 1, /12345 is not in snapshot 2026-10-03-/],
    [["prove", GOLDEN_ROOT, "1A"], 2, /Cannot parse USDOT number 1A/],
    [["prove", GOLDEN_ROOT, DOT, "--as-of", "Oct 2"], 2, /YYYY-MM-DD/],
    [["prove", GOLDEN_ROOT, DOT, "--as-of", "2026-09-01"], 1, /before 2026-10-02/],
    [["prove", GOLDEN_ROOT, DOT, "--to", "2026-10-02"], 1, /no later snapshot of its chain/],
  ];
  for (const [args, code, message] of cases) {
    const { out, err } = await ends(code, ...args);
    assert.equal(out, "");
    assert.match(err, message);
  }
});
