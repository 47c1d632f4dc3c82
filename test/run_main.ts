/**
 * Runs main.ts, or another server, as a process.
 *
 * @module
 */

import { tempDir } from "./pipeline/compile/files.ts";
import { type Objects, putSnapshot, record } from "./pipeline/snapshot/memory.ts";

/** The repository's folder, with a trailing slash. */
export const ROOT = new URL("../", import.meta.url).pathname;

/** Path of main.ts. */
export const MAIN = `${ROOT}main.ts`;

/** A running server, which is killed when disposed of. */
export interface Run extends AsyncDisposable {
  child: Deno.ChildProcess;
  address: string;
  port: number;
  /** Fetches a path. */
  get(
    path: string,
    init?: RequestInit,
  ): Promise<{ status: number; headers: Headers; text: string }>;
  /** The log so far. */
  logged(): string;
  /** Stops it. Returns its exit code and log. */
  stop(signal: Deno.Signal): Promise<{ code: number; log: string }>;
}

const NO_SETTINGS = {
  HOST: "",
  PORT: "",
  BASE_URL: "",
  SNAPSHOT_URL: "",
  KV_PATH: ":memory:",
  TRUSTED_PROXY_HOPS: "",
  SHARED_CACHE: "",
  RATE_LIMIT_STATE: "",
  LOG: "off",
  CACHE_MB: "",
  DENO_KV_ACCESS_TOKEN: "",
  DENO_TIMELINE: "",
  SMTP_URL: "",
  MAIL_FROM: "",
};

/** A command in the repository's folder with these arguments, and only these settings. */
export function command(
  args: string[],
  env: Record<string, string>,
  program: string = Deno.execPath(),
): Deno.Command {
  const all = { ...NO_SETTINGS, ...env };
  return new Deno.Command(program, { args, cwd: ROOT, env: all, stdout: "piped", stderr: "piped" });
}

/** How to start a process, and its limits. */
interface Limits {
  /** Arguments of Deno. @default every permission */
  args?: readonly string[];
  /** Maximum number of open files and sockets. */
  files?: number;
  /** Maximum size of a written file, in blocks. */
  fileBlocks?: number;
}

/** Starts a service on a free port, and waits until it prints its address, `http://<host>:<port>`. */
export async function start(
  env: Record<string, string>,
  { args = ["run", "-A", MAIN], files, fileBlocks }: Limits = {},
): Promise<Run> {
  const script = [
    files === undefined ? "" : `ulimit -n ${files};`,
    // Makes a write beyond the limit fail instead of ending the process.
    fileBlocks === undefined ? "" : `trap "" XFSZ; ulimit -f ${fileBlocks};`,
    'exec "$0" "$@"',
  ].join(" ");
  const all = ["-c", script, Deno.execPath(), ...args];
  const child = command(all, { PORT: "0", ...env }, "/bin/bash").spawn();
  let logged = "";
  const log = (async () => {
    for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) logged += part;
    return logged;
  })();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let found: RegExpExecArray | null = null;
  while ((found = /http:\/\/[\w.]+:(\d+)(?=\D)/.exec(text)) === null) {
    const { value, done } = await output.read();
    if (done) throw new Error(`ended early: ${text}${await log}`);
    text += value;
  }
  const [address, port] = found;
  const run: Run = {
    child,
    address,
    port: Number(port),
    logged: () => logged,
    async get(path, init) {
      const response = await fetch(address + path, init);
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    async stop(signal) {
      try {
        child.kill(signal);
      } catch {
        // Already ended.
      }
      const { code } = await child.status;
      await output.cancel();
      return { code, log: await log };
    },
    [Symbol.asyncDispose]: async () => void await run.stop("SIGKILL"),
  };
  return run;
}

/** Starts a service over a snapshot of one carrier, USDOT 295017; disposing of it deletes the folder. */
export async function startOne(
  env: Record<string, string> = {},
  limits: Limits = {},
): Promise<Run & { folder: string }> {
  const dir = await snapshotFolder();
  const run = await start({ SNAPSHOT_URL: dir.path, ...env }, limits);
  async function dispose(): Promise<void> {
    await run.stop("SIGKILL");
    await dir[Symbol.asyncDispose]();
  }
  return { ...run, folder: dir.path, [Symbol.asyncDispose]: dispose };
}

/** A folder with a snapshot of one carrier. */
export async function snapshotFolder(): Promise<AsyncDisposable & { path: string }> {
  const dir = await tempDir();
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [record(295017)] });
  await writeObjects(objects, dir.path);
  return dir;
}

/** Runs work with a folder that has a snapshot of one carrier. */
export async function withSnapshot(work: (folder: string) => Promise<void>): Promise<void> {
  await using dir = await snapshotFolder();
  await work(dir.path);
}

/** Writes objects below a folder. */
export async function writeObjects(objects: Objects, folder: string): Promise<void> {
  for (const [path, bytes] of objects) {
    const file = `${folder}/${path}`;
    await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    await Deno.writeFile(file, bytes);
  }
}
