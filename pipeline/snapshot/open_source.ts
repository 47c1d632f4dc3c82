/**
 * From a setting or an argument to a {@link Source}.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { folderSource } from "./folder_source.ts";
import { httpSource } from "./http_source.ts";
import type { Source } from "./source.ts";
import { type SteadyOptions, steadySource } from "./steady_source.ts";

/**
 * Opens a snapshot root: an `http(s)://` address, a `file://` URL or a folder. Reads nothing yet.
 *
 * @param steady What lets a service bear a slow or failing host; a command that reads once needs none.
 * @throws {TypeError} When the location is empty or of another scheme.
 */
export function openSource(location: string, steady?: SteadyOptions): Source {
  if (location.trim() === "") throw new TypeError("Cannot open snapshot: the location is empty");
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(location)?.[1]?.toLowerCase();
  if (scheme === undefined) return folderSource(location);
  if (scheme === "file") return folderSource(fileURLToPath(location));
  if (scheme === "http" || scheme === "https") {
    const source = httpSource(location, { fetch: (url, init) => fetch(url, init) });
    return steady === undefined ? source : steadySource(source, steady);
  }
  throw new TypeError(
    `Cannot open snapshot at scheme "${scheme}": use an http(s) address or a folder`,
  );
}
