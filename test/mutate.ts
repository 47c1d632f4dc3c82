/**
 * `deno task mutate FOLDER`: makes one change at a time in a copy of the repository and runs the tests of the
 * file and of the folder, one of which should fail.
 *
 * @module
 */

import { parseArgs } from "node:util";
import settings from "../deno.json" with { type: "json" };
import { print } from "../pipeline/io.ts";
import { mix } from "../pipeline/mix.ts";
import { messageOf } from "../pipeline/text.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { tempDir } from "./pipeline/compile/files.ts";

/** The tests for each folder, fast ones first: a run ends at the first that fails. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  "api/rules": ["test/api/rules", "test/api/operations"],
  "api/state": [
    "test/api/state",
    "test/api/http/jobs_test.ts",
    "test/api/http/idempotency_test.ts",
    "test/api/operations/history_test.ts",
  ],
  "pipeline/audit": ["test/pipeline/audit", "test/pipeline/compile/mutations_test.ts"],
  "pipeline/publish": ["test/pipeline/publish"],
};

const HELP = `Usage: deno task mutate FOLDER [--file NAME] [--sample N] [--seed S]

Finds code that no test covers: replaces one operator, number or condition, or removes one call, in a file of
FOLDER, runs tests until one fails, and prints whether one did (killed) or none (survived). First comes the
test of the file's own name or, from then on, the test that killed the file's previous mutant; then all tests
of the folder. A survivor is either a test to write or a change that makes no difference to a caller. It works
on a temporary copy; your files stay as they are.

FOLDER is one of ${Object.keys(TESTS).join(", ")}.

  --file NAME   only this file of the folder
  --sample N    only N mutants, chosen by the seed; without it all of them, which takes an hour or more
  --seed S      another choice (default 1)

Examples:
  deno task mutate api/rules --sample 40
  deno task mutate api/rules --file ucr.ts

Exit codes: 0 all killed, 1 some survived or the tests fail without a change, 2 wrong arguments.`;

const TEST_ARGS = settings.tasks.test.command.replace(/^.* deno test /, "test --fail-fast ").split(
  " ",
);

/** A run that takes this many times as long as without a change counts as endless. */
const TIMEOUT_FACTOR = 4;

interface Options {
  folder: string;
  file: string | undefined;
  sample: number;
  seed: number;
}

function optionsOf(args: string[]): Options | null {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      file: { type: "string" },
      sample: { type: "string", default: "Infinity" },
      seed: { type: "string", default: "1" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return null;
  const [folder = "", ...more] = positionals;
  const [sample, seed] = [Number(values.sample), Number(values.seed)];
  if (more.length > 0 || !Object.hasOwn(TESTS, folder)) {
    throw new TypeError(`Give one of ${Object.keys(TESTS).join(", ")}`);
  }
  if (!(sample > 0) || !Number.isInteger(seed)) {
    throw new TypeError("--sample and --seed are whole numbers, --sample from 1");
  }
  return { folder, file: values.file, sample, seed };
}

/** Prints the outcome of each mutant. Returns the exit code. */
async function mutate({ folder, file, sample, seed }: Options): Promise<number> {
  await using copy = await tempDir();
  await copyTo(copy.path);
  const found = await mutantsIn(folder, file);
  const chosen = found
    .map((one, i) => ({ one, i, order: mix(seed, i, 0) }))
    .sort((a, b) => a.order - b.order).slice(0, sample)
    .sort((a, b) => a.i - b.i)
    .map(({ one }) => one);
  const tests = TESTS[folder]!;
  const begun = performance.now();
  const failed = await failedTest(tests, { dir: copy.path, ms: Infinity });
  if (failed !== undefined) {
    print(`Without a change, this fails: deno task test ${failed}`);
    return 1;
  }
  const ms = TIMEOUT_FACTOR * (performance.now() - begun);
  const killers = new Map<string, string>();
  let survived = 0;
  for (const { path, line, from, to, text, original } of chosen) {
    const first = killers.get(path) ?? `test/${path.replace(".ts", "_test.ts")}`;
    await Deno.writeTextFile(`${copy.path}/${path}`, text);
    const killer = await failedTest(
      await exists(first) ? [first, ...tests] : tests,
      { dir: copy.path, ms },
    );
    await Deno.writeTextFile(`${copy.path}/${path}`, original);
    if (killer === undefined) survived++;
    else killers.set(path, killer);
    print(
      `${killer === undefined ? "SURVIVED" : "killed  "} ${path}:${line}: ${short(from)} -> ${
        short(to)
      }`,
    );
  }
  print(`${chosen.length} of ${found.length} mutants, ${survived} survived`);
  return survived === 0 ? 0 : 1;
}

async function copyTo(dir: string): Promise<void> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await new Deno.Command("git", { args }).output();
  for (const path of new TextDecoder().decode(stdout).split("\0").filter(Boolean)) {
    await Deno.mkdir(`${dir}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.copyFile(path, `${dir}/${path}`);
  }
}

async function mutantsIn(
  folder: string,
  file: string | undefined,
): Promise<(Mutant & { path: string; original: string })[]> {
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  const files = names.filter((name) => name.endsWith(".ts") && (file ?? name) === name).sort();
  if (files.length === 0) throw new TypeError(`${folder} has no file ${file}`);
  const found = await Promise.all(files.map(async (name) => {
    const path = `${folder}/${name}`;
    const original = await Deno.readTextFile(path);
    return mutantsOf(original).map((mutant) => ({ ...mutant, path, original }));
  }));
  return found.flat();
}

/** The first test file that fails, or the path whose tests time out; undefined when all pass. */
async function failedTest(
  tests: readonly string[],
  { dir, ms }: { dir: string; ms: number },
): Promise<string | undefined> {
  const signal = ms === Infinity ? undefined : AbortSignal.timeout(ms);
  for (const test of tests) {
    if (signal?.aborted) return test;
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [...TEST_ARGS, test],
      cwd: dir,
      env: { NO_COLOR: "1" },
      stderr: "null",
      ...(signal && { signal }),
    }).output();
    // `name => ./test/api/rules/ucr_test.ts:9:6` or `./test/api/rules/ucr_test.ts (uncaught error)`.
    const file = /\.\/(\S+_test\.ts)(:\d+:\d+$| \(uncaught error\))/m
      .exec(new TextDecoder().decode(stdout))?.[1];
    if (code !== 0) return file ?? test;
  }
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}

try {
  const options = optionsOf(Deno.args);
  if (options !== null) Deno.exit(await mutate(options));
  print(HELP);
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  print(`${messageOf(error)}\n\n${HELP}`);
  Deno.exit(2);
}
