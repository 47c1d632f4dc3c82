/**
 * Opens the {@link Source} that a setting or an argument names.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { messageOf } from "../../text.ts";
import { httpSource } from "./http_source.ts";
import { checkObjectPath } from "../paths.ts";
import { type ResilienceOptions, resilientSource, retryingSource } from "./resilient_source.ts";
import type { Source } from "../source.ts";

/**
 * Opens a snapshot root: an `http(s)://` address, a `file://` URL or a folder. Reads nothing yet.
 *
 * @param resilience Lets a service survive a slow or failing host; without it a failed read is retried.
 * @throws {TypeError} When the location is empty or of another scheme.
 */
export function openSource(location: string, resilience?: ResilienceOptions): Source {
  if (location.trim() === "") throw new TypeError("Cannot open snapshot: the location is empty");
  const folder = folderOf(location);
  if (folder !== undefined) return folderSource(folder);
  if (!/^https?:/i.test(location)) {
    const [scheme] = location.split(":", 1);
    throw new TypeError(
      `Cannot open snapshot at scheme "${scheme}": use an http(s) address or a folder`,
    );
  }
  const source = httpSource(location, { fetch: (url, init) => fetch(url, init) });
  return resilience === undefined ? retryingSource(source) : resilientSource(source, resilience);
}

/** The path that a location or a `file://` URL names; undefined where it has another scheme. */
export function folderOf(location: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(location)) return location;
  return /^file:/i.test(location) ? fileURLToPath(location) : undefined;
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
