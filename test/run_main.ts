/**
 * Runs main.ts as the process it is.
 *
 * @module
 */

import { tempDir } from "./pipeline/compile/files.ts";
import { type Objects, putSnapshot, record } from "./pipeline/snapshot/memory.ts";

/** Path of main.ts. */
export const MAIN = new URL("../main.ts", import.meta.url).pathname;

/** A running service. */
export interface Run {
  child: Deno.ChildProcess;
  /** Resolves with the address once the service prints it. */
  address: Promise<string>;
  stop(signal: Deno.Signal): Promise<number>;
  /** Lets go of the output of a service that has ended by itself. */
  rest(): Promise<void>;
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
  SMTP_URL: "",
  MAIL_FROM: "",
};

/** main.ts with these arguments, and of the settings only these. */
export function command(args: string[], env: Record<string, string>): Deno.Command {
  return commandOf(Deno.execPath(), ["run", "-A", MAIN, ...args], env);
}

function commandOf(program: string, args: string[], env: Record<string, string>): Deno.Command {
  const all = { ...NO_SETTINGS, ...env };
  return new Deno.Command(program, { args, env: all, stdout: "piped", stderr: "piped" });
}

/** How a process is started, and what it may not go beyond. */
interface Limits {
  /** Arguments of Deno. @default every permission */
  args?: readonly string[];
  /** Files and sockets that are open. */
  files?: number;
  /** Blocks of a file that is written. */
  fileBlocks?: number;
}

/** Starts a service on a free port. */
export function start(
  env: Record<string, string>,
  { args = ["run", "-A", MAIN], files, fileBlocks }: Limits = {},
): Run {
  const script = [
    files === undefined ? "" : `ulimit -n ${files};`,
    // A write beyond the limit fails, where it would end the process.
    fileBlocks === undefined ? "" : `trap "" XFSZ; ulimit -f ${fileBlocks};`,
    'exec "$0" "$@"',
  ].join(" ");
  const all = ["-c", script, Deno.execPath(), ...args];
  const child = commandOf("/bin/bash", all, { PORT: "0", ...env }).spawn();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  async function readAddress(): Promise<string> {
    let text = "";
    while (true) {
      const { value, done } = await output.read();
      if (done) throw new Error(`ended early: ${text}`);
      text += value;
      const address = /Try {2}(http:\/\/\S+)\/api\/v1\/carriers/.exec(text)?.[1];
      if (address !== undefined) return address;
    }
  }
  return {
    child,
    address: readAddress(),
    rest: () => output.cancel(),
    async stop(signal) {
      child.kill(signal);
      const { code } = await child.status;
      await output.cancel();
      await child.stderr.cancel();
      return code;
    },
  };
}

/** Lends a folder with a snapshot of one carrier. */
export async function withSnapshot(work: (folder: string) => Promise<void>): Promise<void> {
  await using dir = await tempDir();
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [record(295017)] });
  await writeObjects(objects, dir.path);
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
