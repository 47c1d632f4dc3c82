import assert from "node:assert/strict";
import process from "node:process";
import { main } from "../../../pipeline/commands/cli.ts";
import { buildFiles, censusCsv, censusRow, tempDir } from "../compile/files.ts";

/** A snapshot root of three carriers, in a temporary folder of its own. */
interface SnapshotRoot extends AsyncDisposable {
  /** The folder of the files and the root. */
  dir: string;
  root: string;
  id: string;
}

/** Builds one. */
export async function snapshotRoot({ notice }: { notice?: string } = {}): Promise<SnapshotRoot> {
  const { path: dir, ...disposable } = await tempDir();
  const general = censusRow(286764, { LEGAL_NAME: "GENERAL TRANSPORT INC" });
  const root = `${dir}/root`;
  const { entry } = await buildFiles(
    dir,
    { census: censusCsv([censusRow(1), censusRow(254), general]) },
    { out: root, ...(notice === undefined ? {} : { notice }) },
  );
  return { dir, root, id: entry.snapshot, ...disposable };
}

/** The output of a command, and its exit code. */
interface Ended {
  code: number;
  out: string;
  err: string;
}

/** Runs `snapshot` in this process and captures its output: starting a process takes longer than most commands. */
export function snapshot(...args: string[]): Promise<Ended> {
  return snapshotWith({}, ...args);
}

/** Runs `snapshot` and checks its exit code. */
export async function ends(code: number, ...args: string[]): Promise<Ended> {
  const ended = await snapshot(...args);
  assert.equal(ended.code, code, args.join(" ") + ended.out + ended.err);
  return ended;
}

/** Runs `snapshot` with additional environment variables. */
export async function snapshotWith(env: Record<string, string>, ...args: string[]): Promise<Ended> {
  const ended: Ended = { code: 0, out: "", err: "" };
  const { get } = Deno.env;
  const undo: (() => void)[] = [() => Deno.env.get = get];
  Deno.env.get = (name) => env[name] ?? get(name);
  for (const [name, to] of [["stdout", "out"], ["stderr", "err"]] as const) {
    const decoder = new TextDecoder();
    const { writeSync, isTerminal } = Deno[name];
    const { write } = process[name];
    undo.push(() => Object.assign(Deno[name], { writeSync, isTerminal }));
    undo.push(() => process[name].write = write);
    Deno[name].isTerminal = () => false;
    Deno[name].writeSync = (bytes) => {
      ended[to] += decoder.decode(bytes, { stream: true });
      return bytes.length;
    };
    // The help and messages of Commander.
    process[name].write = (text: string | Uint8Array) => {
      ended[to] += String(text);
      return true;
    };
  }
  try {
    await main(args);
    ended.code = Number(Deno.exitCode);
    return ended;
  } finally {
    Deno.exitCode = 0;
    undo.forEach((undo) => undo());
  }
}
