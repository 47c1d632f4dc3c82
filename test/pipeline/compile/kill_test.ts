import assert from "node:assert/strict";
import fc from "fast-check";
import {
  buildFiles,
  censusCsv,
  censusRow,
  inspectionCsv,
  inspectionRow,
  tempDir,
  tree,
} from "./files.ts";

const SEED = 20261003;
const ROUNDS = 10;
const CARRIERS = 10_000;

Deno.test("build() killed at ten moments and run again makes the same snapshot", async () => {
  await using dir = await tempDir();
  const files = {
    census: censusCsv(Array.from({ length: CARRIERS }, (_, i) => censusRow(i * 13 + 1))),
    inspections: inspectionCsv(
      Array.from({ length: CARRIERS }, (_, i) => inspectionRow(i + 1, i % 5000 * 13 + 1)),
    ),
  };
  await buildFiles(dir.path, files, { out: `${dir.path}/expected` });
  const expected = await tree(`${dir.path}/expected`);
  const out = `${dir.path}/out`;
  const whole = await timed(() => run(dir.path, out));
  await Deno.remove(out, { recursive: true });
  let killed = 0;
  for (
    const share of fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), {
      seed: SEED,
      numRuns: ROUNDS,
    })
  ) {
    const child = start(dir.path, out);
    const timer = setTimeout(() => child.kill("SIGKILL"), share * whole);
    const { signal } = await child.status;
    clearTimeout(timer);
    if (signal === "SIGKILL") killed++;
    // Readers saw the whole snapshot or none.
    const seen = await tree(out).catch(() => new Map());
    if (seen.has("/current.json")) {
      for (const [path, bytes] of expected) assert.equal(seen.get(path), bytes, path);
    }
    if (share < 0.5) await Deno.remove(out, { recursive: true }).catch(() => {});
  }
  assert.ok(killed >= ROUNDS / 2, `only ${killed} builds were killed in time`);
  await run(dir.path, out);
  assert.deepEqual(await tree(out), expected);
});

function start(dir: string, out: string): Deno.ChildProcess {
  const cli = new URL("../../../pipeline/commands/cli.ts", import.meta.url).pathname;
  const files = ["--census", `${dir}/census.csv`, "--inspections", `${dir}/inspections.csv`];
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      cli,
      "build",
      ...files,
      "--data-date",
      "2026-10-03",
      "--out",
      out,
      "--first",
    ],
    stdout: "null",
    stderr: "null",
  }).spawn();
}

async function run(dir: string, out: string): Promise<void> {
  const { success } = await start(dir, out).status;
  assert.ok(success);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
