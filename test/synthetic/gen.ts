/**
 * `deno task gen`: writes a synthetic dataset in the FMCSA column layout.
 *
 * @module
 */

import { Command, CommanderError, InvalidArgumentError } from "commander";
import { note, print } from "../../pipeline/io.ts";
import { type Country, DEFAULT_DATA_DATE, planCountry } from "./plan.ts";
import { FILE_NAMES, type FileRole } from "./files.ts";
import { censusRows } from "./later_days.ts";
import type { WorkerMessage, WorkerTask } from "./gen_worker.ts";

/** A file that was written. */
export interface WrittenFile {
  path: string;
  rows: number;
  bytes: number;
}

/** Told of each megabyte written. */
export type OnProgress = (role: FileRole, rows: number, bytes: number) => void;

const EXAMPLES = `
Examples:
  A small country to try things on (about 11 MB):
    deno task gen --carriers 10000 --inspections 20000 --out .data/country
  The United States in size (about 5 GB, a minute or two on two cores):
    deno task gen --carriers 4500000 --inspections 8200000 --out .data/country
  The first country and what became of it a day later:
    deno task gen --carriers 10000 --inspections 20000 --out .data/monday
    deno task gen --carriers 10000 --inspections 20000 --day 1 --out .data/tuesday

Then: deno task snapshot build --census DIR/${FILE_NAMES.census} --inspections DIR/${FILE_NAMES.inspections} --out .data/snapshot

Every carrier is synthetic; phones, officers, streets and e-mail addresses are left empty. The same
options give the same bytes on every machine. A file appears under its name only when it is whole.
Exit codes: 0 written, 1 not written, 2 wrong arguments, 130 interrupted.`;

/** Writes both files into a folder, each by a thread of its own; a file gets its name when it is whole. */
export async function writeCountry(
  country: Country,
  dir: string,
  options: { onProgress?: OnProgress; signal?: AbortSignal } = {},
): Promise<Record<FileRole, WrittenFile>> {
  await Deno.mkdir(dir, { recursive: true });
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
  const roles: FileRole[] = ["census", "inspections"];
  const parts = roles.map((role) => `${dir}/${FILE_NAMES[role]}.part`);
  try {
    const written = await Promise.all(roles.map(async (role, i) => {
      const task: WorkerTask = { country, role, path: parts[i] as string };
      try {
        return await runWorker(task, { signal, onProgress: options.onProgress ?? (() => {}) });
      } catch (error) {
        stop.abort(error);
        throw error;
      }
    }));
    const files = written.map((count, i) => ({
      path: `${dir}/${FILE_NAMES[roles[i] as FileRole]}`,
      ...count,
    }));
    for (let i = 0; i < roles.length; i++) {
      await Deno.rename(parts[i] as string, (files[i] as WrittenFile).path);
    }
    return { census: files[0] as WrittenFile, inspections: files[1] as WrittenFile };
  } catch (error) {
    for (const part of parts) await Deno.remove(part).catch(() => {});
    throw error;
  }
}

function runWorker(
  task: WorkerTask,
  options: { signal: AbortSignal; onProgress: OnProgress },
): Promise<{ rows: number; bytes: number }> {
  const worker = new Worker(new URL("./gen_worker.ts", import.meta.url), { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<{ rows: number; bytes: number }>();
  const abort = (): void => reject(options.signal.reason);
  options.signal.addEventListener("abort", abort, { once: true });
  if (options.signal.aborted) abort();
  worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.kind === "failed") reject(new Error(`Cannot write ${task.path}: ${data.message}`));
    else if (data.kind === "done") resolve({ rows: data.rows, bytes: data.bytes });
    else options.onProgress(task.role, data.rows, data.bytes);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(`Cannot write ${task.path}: ${event.message}`));
  };
  worker.postMessage(task);
  return promise.finally(() => {
    options.signal.removeEventListener("abort", abort);
    worker.terminate();
  });
}

/** Reads the arguments, writes the files, returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const command = new Command("gen")
    .description("Write a synthetic dataset in the FMCSA column layout (147 and 63 columns).")
    .requiredOption("--carriers <n>", "rows of the census file", wholeNumber)
    .requiredOption("--inspections <n>", "rows of the inspection file", wholeNumber)
    .requiredOption("--out <dir>", "folder for the two files; made if missing")
    .option("--seed <n>", "another seed, another country", wholeNumber, 1)
    .option("--data-date <date>", "the day the files stand for", DEFAULT_DATA_DATE)
    .option("--day <n>", "that many days later: 1 % of the carriers change a day", wholeNumber, 0)
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
  let country: Country;
  try {
    country = planCountry({ ...args, padded: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    note(`gen: ${error.message}`);
    return 2;
  }
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new Error("Interrupted"));
  Deno.addSignalListener("SIGINT", interrupt);
  Deno.addSignalListener("SIGTERM", interrupt);
  try {
    const started = performance.now();
    const files = await writeCountry(country, args.out, {
      signal: interrupted.signal,
      onProgress: progressLines(country),
    });
    for (const { path, rows, bytes } of Object.values(files)) {
      print(`${path}: ${rows} rows, ${bytes} bytes`);
    }
    note(`gen: ${((performance.now() - started) / 1000).toFixed(1)} s`);
    return 0;
  } catch (error) {
    note(`gen: ${error instanceof Error ? error.message : error}`);
    return interrupted.signal.aborted ? 130 : 1;
  } finally {
    Deno.removeSignalListener("SIGINT", interrupt);
    Deno.removeSignalListener("SIGTERM", interrupt);
  }
}

/** One line per tenth of a file. */
function progressLines(country: Country): OnProgress {
  const tenths: Record<FileRole, number> = { census: 0, inspections: 0 };
  return (role, rows, bytes) => {
    const total = role === "census" ? censusRows(country) : country.inspections;
    const tenth = total === 0 ? 10 : Math.floor((rows * 10) / total);
    if (tenth === tenths[role]) return;
    tenths[role] = tenth;
    note(`gen: ${FILE_NAMES[role]} ${tenth * 10} % (${rows} rows, ${Math.round(bytes / 1e6)} MB)`);
  };
}

function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) {
    throw new InvalidArgumentError(`Expected a whole number, got "${text}".`);
  }
  return Number(text);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
