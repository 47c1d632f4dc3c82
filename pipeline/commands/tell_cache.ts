/**
 * What the commands that move a pointer say to caches.
 *
 * @module
 */

import { type Command, InvalidArgumentError } from "commander";
import { note } from "../io.ts";
import { purge } from "../publish/pointer.ts";
import { type Pointer, POINTER_PATH } from "../snapshot/manifest.ts";

/** Text for the help of each. */
export const CACHE_HELP = `
--purge-url is told of the move: POST of {"snapshot", "previous", "pointer"} as JSON, with the variable
PURGE_TOKEN as bearer token when set. A failure there is noted, not more: caches hold the pointer for a
minute.`;

/** Where readers are. */
export interface CacheArguments {
  publicUrl?: string;
  purgeUrl?: string;
}

/** Options of a command that moves a pointer. */
export function addCacheOptions(command: Command): Command {
  return command
    .option("--public-url <url>", "where readers find the target", parseUrl)
    .option("--purge-url <url>", "told when the pointer has moved", parseUrl);
}

/** Tells a cache that the pointer has moved; notes it when that fails. */
export async function tellCache(
  purgeUrl: string,
  { pointer, publicUrl }: { pointer: Pointer; publicUrl: string | undefined },
): Promise<void> {
  const base = publicUrl?.replace(/\/+$/, "");
  const token = Deno.env.get("PURGE_TOKEN");
  const problem = await purge(purgeUrl, {
    snapshot: pointer.snapshot,
    previous: pointer.previous?.snapshot ?? null,
    pointer: base === undefined ? POINTER_PATH : `${base}/${POINTER_PATH}`,
  }, token === undefined ? {} : { token });
  if (problem !== undefined) note(`Cannot purge at ${problem}. Caches will notice by themselves`);
}

function parseUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return text;
  throw new InvalidArgumentError("Give an http(s) address.");
}
