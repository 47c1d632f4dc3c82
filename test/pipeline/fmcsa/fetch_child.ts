/**
 * The `fetch` command alone, as a process that tests can kill. With `KILL_AT` set to n it kills itself
 * at its nth change to the disk: before it, or half way through a write.
 *
 * @module
 */

import { Command } from "commander";
import { registerFetch } from "../../../pipeline/commands/fetch.ts";

let left = Number(Deno.env.get("KILL_AT") ?? Infinity);

function count(): boolean {
  left -= 1;
  return left === 0;
}

function die(): never {
  Deno.kill(Deno.pid, "SIGKILL");
  for (;;); // Until the signal is there, nothing more may happen
}

const { open, rename, remove } = Deno;
Deno.open = (...args) => count() ? die() : open(...args);
Deno.rename = (...args) => count() ? die() : rename(...args);
Deno.remove = (...args) => count() ? die() : remove(...args);
const { truncate, write } = Deno.FsFile.prototype;
Deno.FsFile.prototype.truncate = function (length): Promise<void> {
  return count() ? die() : truncate.call(this, length);
};
Deno.FsFile.prototype.write = async function (bytes): Promise<number> {
  if (!count()) return await write.call(this, bytes);
  await write.call(this, bytes.subarray(0, bytes.length >> 1));
  return die();
};

const program = new Command();
registerFetch(program);
await program.parseAsync(Deno.args, { from: "user" });
