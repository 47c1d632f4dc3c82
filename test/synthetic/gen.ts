/**
 * `deno task gen`: writes a synthetic dataset in FMCSA's column layout.
 *
 * @module
 */

import { Command, CommanderError, InvalidArgumentError } from "commander";
import { note, print } from "../../pipeline/io.ts";
import { messageOf } from "../../pipeline/text.ts";
import { FILE_NAMES, type FileRole } from "./files.ts";
import type { WorkerMessage, WorkerTask } from "./gen_worker.ts";
import { censusRows, type DatasetPlan, DEFAULT_DATA_DATE, planDataset } from "./plan.ts";

const ROLES: FileRole[] = ["census", "inspections"];

const EXAMPLES = `
Examples:
  A small dataset for experiments (about 11 MB):
    deno task gen --carriers 10000 --inspections 20000 --out .data/synthetic
  As large as FMCSA's files (about 5 GB, a minute or two on two cores):
    deno task gen --carriers 4500000 --inspections 8200000 --out .data/synthetic
  A dataset, and the same one a day later:
    deno task gen --carriers 10000 --inspections 20000 --out .data/monday
    deno task gen --carriers 10000 --inspections 20000 --day 1 --out .data/tuesday

Then: deno task snapshot build --census DIR/${FILE_NAMES.census} --inspections DIR/${FILE_NAMES.inspections} --out .data/snapshot

Every carrier is synthetic. Officers, email addresses, cell and fax numbers are empty, and nobody can
have the phone numbers and streets. The same options produce the same bytes on every machine. A file
gets its name only when it is complete.
Exit codes: 0 written, 1 not written, 2 wrong arguments, 130 interrupted.`;

/** Called for each megabyte written. */
type OnWritten = (role: FileRole, rows: number, bytes: number) => void;

/** Writes both files into a folder, each in its own worker; a file gets its name when both are complete. */
export async function writeDataset(
  plan: DatasetPlan,
  dir: string,
  { onProgress = () => {}, signal }: { onProgress?: OnWritten; signal?: AbortSignal } = {},
): Promise<{ path: string; rows: number; bytes: number }[]> {
  await Deno.mkdir(dir, { recursive: true });
  const paths = ROLES.map((role) => `${dir}/${FILE_NAMES[role]}`);
  const module = new URL("./gen_worker.ts", import.meta.url);
  const workers = ROLES.map(() => new Worker(module, { type: "module" }));
  try {
    return await new Promise<{ path: string; rows: number; bytes: number }[]>((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      const written = ROLES.map((role, i) =>
        runTask(workers[i]!, { plan, role, path: `${paths[i]}.part` }, onProgress)
      );
      Promise.all(written).then(async (all) => {
        for (const path of paths) await Deno.rename(`${path}.part`, path);
        resolve(all.map((one, i) => ({ path: paths[i]!, ...one })));
      }).catch(reject);
    }).finally(() => workers.forEach((worker) => worker.terminate()));
  } catch (error) {
    for (const path of paths) await Deno.remove(`${path}.part`).catch(() => {});
    throw error;
  }
}

function runTask(
  worker: Worker,
  task: WorkerTask,
  onProgress: OnWritten,
): Promise<{ rows: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`Cannot write ${task.path}: ${why}`));
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      if (data.kind === "failed") fail(data.message);
      else if (data.kind === "done") resolve({ rows: data.rows, bytes: data.bytes });
      else onProgress(task.role, data.rows, data.bytes);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message);
    };
    worker.postMessage(task);
  });
}

/** Reads the arguments, writes the files, returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const command = new Command("gen")
    .description("Write a synthetic dataset in FMCSA's column layout (147 and 63 columns).")
    .requiredOption("--carriers <n>", "rows of the census file", wholeNumber)
    .requiredOption("--inspections <n>", "rows of the inspection file", wholeNumber)
    .requiredOption("--out <dir>", "folder for the two files, created if missing")
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
    .exitOverride()
    .action(async (options: GenArguments) => {
      exitCode = await generate(options);
    });
  try {
    await command.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  return exitCode;
}

interface GenArguments {
  carriers: number;
  inspections: number;
  out: string;
  seed: number;
  dataDate: string;
  day: number;
}

async function generate(args: GenArguments): Promise<number> {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new Error("Interrupted"));
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) Deno.addSignalListener(signal, interrupt);
  try {
    const plan = planDataset({ ...args, padded: true });
    const started = performance.now();
    const written = await writeDataset(plan, args.out, {
      signal: interrupted.signal,
      onProgress: progressLines(plan),
    });
    for (const { path, rows, bytes } of written) print(`${path}: ${rows} rows, ${bytes} bytes`);
    note(`gen: ${((performance.now() - started) / 1000).toFixed(1)} s`);
    return 0;
  } catch (error) {
    note(`gen: ${messageOf(error)}`);
    return error instanceof RangeError ? 2 : interrupted.signal.aborted ? 130 : 1;
  } finally {
    for (const signal of signals) Deno.removeSignalListener(signal, interrupt);
  }
}

/** One line per tenth of a file. */
function progressLines(plan: DatasetPlan): OnWritten {
  const tenths: Record<FileRole, number> = { census: 0, inspections: 0 };
  return (role, rows, bytes) => {
    const total = role === "census" ? censusRows(plan) : plan.inspections;
    const tenth = total === 0 ? 10 : Math.floor((rows * 10) / total);
    if (tenth === tenths[role]) return;
    tenths[role] = tenth;
    note(`gen: ${FILE_NAMES[role]} ${tenth * 10}% (${rows} rows, ${Math.round(bytes / 1e6)} MB)`);
  };
}

function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) {
    throw new InvalidArgumentError(`Expected a whole number, got "${text}".`);
  }
  return Number(text);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
