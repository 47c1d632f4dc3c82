import assert from "node:assert/strict";
import denoJson from "../deno.json" with { type: "json" };
import { tempDir } from "./pipeline/compile/files.ts";
import { command, startOne } from "./run_main.ts";

/** Tasks that process outside data. Tests start programs, so `test` may also run them. */
const TASKS = [
  "start",
  "serve",
  "snapshot",
  "gen",
  "mcp",
  "smoke",
  "doctor",
  "verify-record",
] as const;

Deno.test("tasks that process outside data have the permissions they need, and not all", () => {
  for (const task of TASKS) {
    const { command: line } = denoJson.tasks[task];
    assert.doesNotMatch(line, / -A\b|--allow-(all|run|ffi|import)\b/, task);
    assert.match(line, / --no-prompt --allow-/, task);
  }
  assert.doesNotMatch(denoJson.tasks.test.command, / -A\b|--allow-(all|ffi|import)\b/);
});

Deno.test("the permissions of `serve` are enough for a lookup, the store and a page", async () => {
  await using dir = await tempDir();
  // The task's own command, as a process, so that it can be stopped.
  const [, ...args] = denoJson.tasks.serve.command.split(" ");
  await using run = await startOne({ KV_PATH: `${dir.path}/kv/store.sqlite` }, { args });
  for (const path of ["/api/v1/carriers/295017", "/readyz", "/carriers/295017", "/agents.md"]) {
    assert.equal((await run.get(path)).status, 200, path);
  }
  assert.equal((await run.stop("SIGTERM")).code, 0);
});

// Regression: without NO_COLOR, commander reads two more variables, and `gen --help` ended in "Requires env access".
Deno.test("the permissions of `gen` are enough for its help", async () => {
  const [, ...args] = denoJson.tasks.gen.command.split(" ");
  const run = command(["-u", "NO_COLOR", Deno.execPath(), ...args, "--help"], {}, "/usr/bin/env");
  assert.equal((await run.output()).code, 0);
});

// Regression: `--help` exited with code 2 and printed only a usage line.
Deno.test("`smoke --help` says what it does, and a missing URL is a wrong argument", async () => {
  const [, ...args] = denoJson.tasks.smoke.command.split(" ");
  const run = async (...more: string[]) => {
    const { code, stdout, stderr } = await command([...args, ...more], {}).output();
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { code, out, err };
  };
  for (const option of ["--help", "-h"]) {
    const { code, out, err } = await run(option);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out!, /^Usage: deno task smoke URL\n\nSends a running service [^]*Exit codes: 0 /);
  }
  const { code, err } = await run();
  assert.deepEqual([code, err], [2, "Usage: deno task smoke URL\n"]);
});

Deno.test("help suggests commands that work: the first snapshot with --first, a desktop client with limited permissions", async () => {
  const read = (path: string) => Deno.readTextFile(new URL(`../${path}`, import.meta.url));
  const help = (await read("pipeline/commands/help.txt")).split("=== fetch")[0]!;
  for (const name of ["build", "publish", "daily"]) {
    assert.match(help, new RegExp(`snapshot ${name} [^$]*--first`), name);
  }
  assert.match(await read("test/synthetic/gen.ts"), /task snapshot build .* --first\n/);
  const mcp = await read("mcp/stdio_help.txt");
  assert.doesNotMatch(mcp, /-A\b/);
  assert.match(mcp, /"task", "--quiet", "--cwd", "PATH", "mcp"/);
});

// Regression: `deno task snapshot --help | head` printed a stack trace, and `status | head` "Broken pipe".
Deno.test("commands exit silently when nobody reads their output any more", async () => {
  const run = '"$0" run -A pipeline/commands/cli.ts --help | true; exit ${PIPESTATUS[0]}';
  const args = ["-c", run, Deno.execPath()];
  const { code, stderr } = await command(args, {}, "/bin/bash").output();
  assert.deepEqual([code, new TextDecoder().decode(stderr)], [0, ""]);
});
