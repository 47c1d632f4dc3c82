/**
 * A folder as a store, e.g. one that a web server serves.
 *
 * @module
 */

import { randomUUID } from "node:crypto";
import { dirname, resolve } from "node:path";
import { SYSTEM_CLOCK } from "../clock.ts";
import { removeIfThere } from "../io.ts";
import { FOLDER_KEEPS } from "../snapshot/chain.ts";
import { syncFile, syncFolder, syncFolders } from "../snapshot/writer.ts";
import { folderSource } from "../snapshot/sources/open_source.ts";
import { checkObjectPath } from "../snapshot/paths.ts";
import { md5Of, overtaken, type Store } from "./store.ts";

/** Contains drafts and the lock. A name with a leading dot is not an object, and web servers hide it. */
const DRAFTS = ".publish";

/** A draft older than this was left by a killed writer. */
const DEAD_DRAFT_MS = 3_600_000;

/**
 * Opens a folder, which the first write creates. A write becomes visible by one rename, after its content is
 * on disk. Conditional writes take turns under a lock of the operating system, which is released when the
 * process ends, and are on disk when they return.
 */
export function folderStore(folder: string): Store {
  const root = folder.replace(/(?<=.)\/+$/, "");
  const drafts = `${root}/${DRAFTS}`;
  const source = folderSource(root);

  const get: Store["get"] = async (path, signal) => {
    const bytes = await source.get(path, signal);
    return bytes === null ? null : { bytes, etag: md5Of(bytes) };
  };

  async function write(path: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    const draft = `${drafts}/${randomUUID()}`;
    try {
      await Deno.writeFile(draft, bytes, signal === undefined ? {} : { signal });
      await syncFile(draft);
      await Deno.mkdir(dirname(`${root}/${path}`), { recursive: true });
      await Deno.rename(draft, `${root}/${path}`);
    } catch (error) {
      await removeIfThere(draft);
      throw error;
    }
  }

  async function removeDeadDrafts(): Promise<void> {
    for await (const { name } of Deno.readDir(drafts)) {
      const { mtime } = await Deno.stat(`${drafts}/${name}`).catch(() => ({ mtime: null }));
      if (name === "lock" || mtime === null) continue;
      if (SYSTEM_CLOCK.now() - mtime.getTime() > DEAD_DRAFT_MS) {
        await removeIfThere(`${drafts}/${name}`);
      }
    }
  }

  return {
    name: root,
    keeps: FOLDER_KEEPS,
    get,
    async put(path, bytes, { ifMatch, signal } = {}) {
      checkObjectPath(path);
      await Deno.mkdir(drafts, { recursive: true });
      if (ifMatch === undefined) return await write(path, bytes, signal);
      using lock = await Deno.open(`${drafts}/lock`, { write: true, create: true });
      await lock.lock(true);
      await removeDeadDrafts();
      const found = await get(path);
      if ((found?.etag ?? null) !== ifMatch) throw overtaken(`${root}/${path}`);
      await write(path, bytes, signal);
      await syncFolder(dirname(`${root}/${path}`));
    },
    async settle(prefix) {
      const below = `${root}/${prefix.replace(/\/$/, "")}`;
      await syncFolders(below);
      const top = dirname(resolve(root));
      for (let dir = resolve(below); dir !== top;) await syncFolder(dir = dirname(dir));
    },
    async *list(prefix, signal) {
      for await (const path of walk(root, prefix.slice(0, prefix.lastIndexOf("/") + 1))) {
        signal?.throwIfAborted();
        if (!path.startsWith(prefix)) continue;
        const { size, mtime } = await Deno.stat(`${root}/${path}`);
        yield {
          path,
          bytes: size,
          modified: mtime?.getTime() ?? 0,
          md5: async () => md5Of(await Deno.readFile(`${root}/${path}`)),
        };
      }
    },
    async folders(prefix) {
      const names: string[] = [];
      for await (const { name, isDirectory } of entries(`${root}/${prefix}`)) {
        if (!isDirectory || name.startsWith(".")) continue;
        // A killed delete leaves empty folders.
        for await (const _ of walk(root, `${prefix}${name}/`)) {
          names.push(name);
          break;
        }
      }
      return names.sort();
    },
    async delete(paths, signal) {
      for (const path of paths) {
        checkObjectPath(path);
        signal?.throwIfAborted();
        await removeIfThere(`${root}/${path}`);
        for (let dir = dirname(path); dir !== "."; dir = dirname(dir)) {
          const isEmpty = await Deno.remove(`${root}/${dir}`).then(() => true, () => false);
          if (!isEmpty) break;
        }
      }
    },
  };
}

async function* walk(root: string, below: string): AsyncIterable<string> {
  for await (const { name, isDirectory } of entries(`${root}/${below}`)) {
    if (name.startsWith(".")) continue;
    if (isDirectory) yield* walk(root, `${below}${name}/`);
    else yield below + name;
  }
}

async function* entries(dir: string): AsyncIterable<Deno.DirEntry> {
  try {
    yield* Deno.readDir(dir);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
