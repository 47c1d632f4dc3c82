/**
 * One command of `snapshot` in a process that tests can kill. With `KILL_AT` set to n it kills itself at
 * its nth disk change: before it, or halfway through a write. At its end it prints the number of
 * changes.
 *
 * @module
 */

import { note } from "../../pipeline/io.ts";

const killAt = Number(Deno.env.get("KILL_AT") ?? Infinity);
let changes = 0;

function isLast(): boolean {
  return ++changes === killAt;
}

function die(): never {
  Deno.kill(Deno.pid, "SIGKILL");
  for (;;); // Until the signal arrives, nothing more may happen
}

const { open, rename, renameSync, remove, writeFile, writeFileSync } = Deno;
Deno.open = (path, options) => options?.create && isLast() ? die() : open(path, options);
Deno.rename = (...args) => isLast() ? die() : rename(...args);
Deno.renameSync = (...args) => isLast() ? die() : renameSync(...args);
Deno.remove = (...args) => isLast() ? die() : remove(...args);
Deno.writeFile = async (path, data, options) => {
  if (!isLast()) return await writeFile(path, data, options);
  const bytes = data as Uint8Array;
  await writeFile(path, bytes.subarray(0, bytes.length >> 1), options);
  die();
};
Deno.writeFileSync = (path, data, options) => {
  if (!isLast()) return writeFileSync(path, data, options);
  writeFileSync(path, data.subarray(0, data.length >> 1), options);
  die();
};
const { truncate, write } = Deno.FsFile.prototype;
Deno.FsFile.prototype.truncate = function (length): Promise<void> {
  return isLast() ? die() : truncate.call(this, length);
};
Deno.FsFile.prototype.write = async function (bytes): Promise<number> {
  if (!isLast()) return await write.call(this, bytes);
  await write.call(this, bytes.subarray(0, bytes.length >> 1));
  return die();
};

const { main } = await import("../../pipeline/commands/cli.ts");
await main(Deno.args);
note(`${changes} changes`);
