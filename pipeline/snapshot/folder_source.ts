/**
 * A snapshot root in a folder.
 *
 * @module
 */

import { checkObjectPath } from "./object_path.ts";
import type { Source } from "./source.ts";

/** Reads the objects of a snapshot root below `folder`. */
export function folderSource(folder: string): Source {
  const root = folder.replace(/(?<=.)[\\/]+$/, "");
  return {
    name: root,
    async get(path: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
      checkObjectPath(path);
      const file = root.endsWith("/") ? root + path : `${root}/${path}`;
      try {
        return await Deno.readFile(file, signal === undefined ? {} : { signal });
      } catch (error) {
        if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
          return null;
        }
        throw new Error(`Cannot read file ${JSON.stringify(file)}: ${reason(error)}`, {
          cause: error,
        });
      }
    },
  };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
