/**
 * The bundled sample as a snapshot, built once for all tests.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { buildSample } from "../../../pipeline/sample/sample.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;

let found: Promise<string> | undefined;

/** The read-only snapshot root, stored in `.data` under a hash of its code and rows. */
export function builtSample(): Promise<string> {
  return found ??= findOrBuild();
}

async function findOrBuild(): Promise<string> {
  const hash = createHash("sha256").update(Deno.version.deno);
  await hashFolder(`${ROOT}pipeline`, hash);
  const kept = `${ROOT}.data/test-sample`;
  const folder = `${kept}/${hash.digest("hex").slice(0, 16)}`;
  await Deno.mkdir(kept, { recursive: true });
  // Test files run concurrently: one builds, the others wait.
  using lock = await Deno.open(`${kept}/lock`, { write: true, create: true });
  await lock.lock(true);
  if (await Deno.stat(folder).then(() => true, () => false)) return folder;
  for await (const { name, isDirectory } of Deno.readDir(kept)) {
    if (isDirectory) await Deno.remove(`${kept}/${name}`, { recursive: true });
  }
  await buildSample(`${kept}/draft`);
  await Deno.rename(`${kept}/draft`, folder);
  return folder;
}

async function hashFolder(dir: string, hash: ReturnType<typeof createHash>): Promise<void> {
  const entries = await Array.fromAsync(Deno.readDir(dir));
  for (const { name, isDirectory } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    if (isDirectory) await hashFolder(`${dir}/${name}`, hash);
    else hash.update(name).update(await Deno.readFile(`${dir}/${name}`));
  }
}
