/**
 * From a setting or an argument to a {@link Source}.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { messageOf } from "../text.ts";
import { httpSource } from "./http_source.ts";
import { checkObjectPath } from "./manifest.ts";
import { type ResilienceOptions, resilientSource } from "./resilient_source.ts";
import type { Source } from "./source.ts";

/**
 * Opens a snapshot root: an `http(s)://` address, a `file://` URL or a folder. Reads nothing yet.
 *
 * @param resilience Lets a service survive a slow or failing host; a command that reads once needs none.
 * @throws {TypeError} When the location is empty or of another scheme.
 */
export function openSource(location: string, resilience?: ResilienceOptions): Source {
  if (location.trim() === "") throw new TypeError("Cannot open snapshot: the location is empty");
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(location)?.[1]?.toLowerCase();
  if (scheme === undefined) return folderSource(location);
  if (scheme === "file") return folderSource(fileURLToPath(location));
  if (scheme === "http" || scheme === "https") {
    const source = httpSource(location, { fetch: (url, init) => fetch(url, init) });
    return resilience === undefined ? source : resilientSource(source, resilience);
  }
  throw new TypeError(
    `Cannot open snapshot at scheme "${scheme}": use an http(s) address or a folder`,
  );
}

/** Reads the objects of a snapshot root below `folder`. */
export function folderSource(folder: string): Source {
  const root = folder.replace(/(?<=.)[\\/]+$/, "");
  return {
    name: root,
    async get(path, signal) {
      checkObjectPath(path);
      const file = root.endsWith("/") ? root + path : `${root}/${path}`;
      try {
        return await Deno.readFile(file, signal === undefined ? {} : { signal });
      } catch (error) {
        if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
          return null;
        }
        const message = `Cannot read file ${JSON.stringify(file)}: ${messageOf(error)}`;
        throw new Error(message, { cause: error });
      }
    },
  };
}
