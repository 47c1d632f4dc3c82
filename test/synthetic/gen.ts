/**
 * `deno task gen`: writes a synthetic dataset in FMCSA's column layout.
 *
 * @module
 */

import { Command, CommanderError, InvalidArgumentError } from "commander";
import { note, print, removeIfThere } from "../../pipeline/io.ts";
import { abortable } from "../../pipeline/retry.ts";
import { messageOf } from "../../pipeline/text.ts";
import { FILE_NAMES, type FileRole } from "./files.ts";
import type { GenTask } from "./gen_worker.ts";
import { type DatasetPlan, DEFAULT_DATA_DATE, planDataset } from "./plan.ts";

const EXAMPLES = `
Examples:
  A small dataset for experiments (about 11 MB):
    deno task gen --carriers 10000 --inspections 20000 --out .data/synthetic
  As large as FMCSA's files (about 5 GB, a minute or two on two cores):
    deno task gen --carriers 4500000 --inspections 8200000 --out .data/synthetic
  A dataset, and the same one a day later:
    deno task gen --carriers 10000 --inspections 20000 --out .data/monday
    deno task gen --carriers 10000 --inspections 20000 --day 1 --out .data/tuesday
  With out-of-service orders, for --orders of the build:
    deno task gen --carriers 10000 --inspections 20000 --orders --out .data/synthetic

Then: deno task snapshot build --census DIR/${FILE_NAMES.census} --inspections DIR/${FILE_NAMES.inspections} --out .data/snapshot --first

Every carrier is synthetic. Officers, email addresses, cell and fax numbers are empty, and nobody can
have the phone numbers and streets. The same options produce the same bytes on every machine. A file
gets its name only when it is complete.
Ctrl-C removes what is incomplete.
Exit codes: 0 written, 1 not written, 2 wrong arguments, 130 interrupted.`;

/** Exit code of a program stopped by a signal: 128 + SIGINT. */
const INTERRUPTED = 130;

/** Writes files into a folder, each in its own worker. Files are renamed into place when all are complete. */
export async function writeDataset(
  plan: DatasetPlan,
  dir: string,
  { signal, orders = false }: { signal?: AbortSignal | undefined; orders?: boolean | undefined } =
    {},
): Promise<{ path: string; bytes: number }[]> {
  await Deno.mkdir(dir, { recursive: true });
  const roles: FileRole[] = ["census", "inspections", ...(orders ? ["orders" as const] : [])];
  const module = new URL("./gen_worker.ts", import.meta.url);
  const workers = roles.map(() => new Worker(module, { type: "module" }));
  const run = (role: FileRole, at: number): Promise<{ path: string; bytes: number }> =>
    new Promise((resolve, reject) => {
      const worker = workers[at]!;
      const path = `${dir}/${FILE_NAMES[role]}`;
      worker.onmessage = ({ data }: MessageEvent<number>) => resolve({ path, bytes: data });
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(`Cannot write ${path}.part: ${event.message}`));
      };
      worker.postMessage({ plan, role, path: `${path}.part` } satisfies GenTask);
    });
  try {
    const all = Promise.all(roles.map(run));
    const written = await (signal === undefined ? all : abortable(all, signal));
    for (const { path } of written) await Deno.rename(`${path}.part`, path);
    return written;
  } finally {
    workers.forEach((worker) => worker.terminate());
    for (const role of roles) await removeIfThere(`${dir}/${FILE_NAMES[role]}.part`);
  }
}

/** Parses the arguments, writes the files, and returns the exit code. */
export async function main(args: readonly string[], signal?: AbortSignal): Promise<number> {
  const command = new Command("gen")
    .description(
      "Write a synthetic dataset in FMCSA's column layout (147 and 63 columns; orders 7).",
    )
    .requiredOption("--carriers <n>", "rows of the census file", wholeNumber)
    .requiredOption("--inspections <n>", "rows of the inspection file", wholeNumber)
    .requiredOption("--out <dir>", "folder for the files, created if missing")
    .option("--orders", "write a file of out-of-service orders, too")
    .option("--seed <n>", "seed; another one makes other carriers", wholeNumber, 1)
    .option("--data-date <date>", "the date of the files", DEFAULT_DATA_DATE)
    .option(
      "--day <n>",
      "days later than the first version: 1% of the carriers change per day",
      wholeNumber,
      0,
    )
    .addHelpText("after", EXAMPLES)
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => note(text.trimEnd()),
    })
    .exitOverride();
  try {
    const options = command.parse([...args], { from: "user" })
      .opts<Parameters<typeof planDataset>[0] & { out: string; orders?: boolean }>();
    const { orders, out } = options;
    const written = await writeDataset(planDataset(options), out, { signal, orders });
    for (const { path, bytes } of written) print(`${path}: ${bytes} bytes`);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    note(`gen: ${messageOf(error)}`);
    if (signal?.aborted) return INTERRUPTED;
    return error instanceof RangeError ? 2 : 1;
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) {
    throw new InvalidArgumentError(`Expected a whole number, got "${text}".`);
  }
  return Number(text);
}

if (import.meta.main) {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(name, () => stop.abort(new Error("Interrupted")));
  }
  Deno.exit(await main(Deno.args, stop.signal));
}
