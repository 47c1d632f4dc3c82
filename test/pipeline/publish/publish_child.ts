/**
 * The `publish` command alone, as a process that tests can kill. With `KILL_AT` set to n it kills itself
 * at its nth change to the disk: before a rename, or half way through a write.
 *
 * @module
 */

import { Command } from "commander";
import { registerPublish } from "../../../pipeline/commands/publish.ts";

let left = Number(Deno.env.get("KILL_AT") ?? Infinity);

function die(): never {
  Deno.kill(Deno.pid, "SIGKILL");
  for (;;); // Until the signal is there, nothing more may happen
}

const { rename, writeFile } = Deno;
Deno.rename = (...args) => --left === 0 ? die() : rename(...args);
Deno.writeFile = async (path, data, options) => {
  if (--left !== 0) return await writeFile(path, data, options);
  const bytes = data as Uint8Array;
  await writeFile(path, bytes.subarray(0, bytes.length >> 1), options);
  die();
};

const program = new Command();
registerPublish(program);
await program.parseAsync(Deno.args, { from: "user" });
