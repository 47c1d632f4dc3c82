/**
 * From a setting or an argument to a {@link Source}.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { folderSource } from "./folder_source.ts";
import { httpSource } from "./http_source.ts";
import type { Source } from "./source.ts";

/**
 * Opens a snapshot root: an `http(s)://` address, a `file://` URL or a folder. Reads nothing yet.
 *
 * @throws {TypeError} When the location is empty or of another scheme.
 */
export function openSource(location: string): Source {
  if (location.trim() === "") throw new TypeError("Cannot open snapshot: the location is empty");
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(location)?.[1]?.toLowerCase();
  if (scheme === undefined) return folderSource(location);
  if (scheme === "file") return folderSource(fileURLToPath(location));
  if (scheme === "http" || scheme === "https") {
    return httpSource(location, { fetch: (url, init) => fetch(url, init) });
  }
  throw new TypeError(
    `Cannot open snapshot at scheme "${scheme}": use an http(s) address or a folder`,
  );
}
