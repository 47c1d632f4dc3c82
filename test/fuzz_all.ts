/**
 * Runs every randomized test with a new seed and 20 times the runs (`deno task fuzz`).
 *
 * @module
 */

import { print } from "../pipeline/io.ts";

/** The imports by which a randomized test is recognized. */
const USES = /from "(fast-check|[./]*\/(fuzz|steps)\.ts)"/;

const { FUZZ_SEED, FUZZ_RUNS = "20" } = Deno.env.toObject();
const seed = FUZZ_SEED || String(1 + crypto.getRandomValues(new Uint32Array(1))[0]! % 900_000_000);

const files = await filesBelow("test");
const settings = `FUZZ_SEED=${seed} FUZZ_RUNS=${FUZZ_RUNS}`;
print(`${settings}: ${files.length} files`);
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["task", "test", ...files],
  env: { FUZZ_SEED: seed, FUZZ_RUNS },
}).spawn().status;
if (code !== 0) print(`Replay with: ${settings} deno task test FILE`);
Deno.exit(code);

/** Randomized test files. */
async function filesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) found.push(...await filesBelow(path));
    else if (name.endsWith("_test.ts") && USES.test(await Deno.readTextFile(path))) {
      found.push(path);
    }
  }
  return found.sort();
}
