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
import type { Source } from "../snapshot/source.ts";
import {
  md5Of,
  overtaken,
  type PutOptions,
  type ReadObject,
  type Store,
  type StoredObject,
} from "./store.ts";

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
  return new FolderStore(folder.replace(/(?<=.)\/+$/, ""));
}

class FolderStore implements Store {
  readonly name: string;
  readonly keeps = FOLDER_KEEPS;
  readonly #source: Source;
  readonly #drafts: string;

  constructor(root: string) {
    this.name = root;
    this.#source = folderSource(root);
    this.#drafts = `${root}/${DRAFTS}`;
  }

  async get(path: string, signal?: AbortSignal): Promise<ReadObject | null> {
    const bytes = await this.#source.get(path, signal);
    return bytes === null ? null : { bytes, etag: md5Of(bytes) };
  }

  async put(
    path: string,
    bytes: Uint8Array<ArrayBuffer>,
    { ifMatch, signal }: PutOptions = {},
  ): Promise<void> {
    checkObjectPath(path);
    await Deno.mkdir(this.#drafts, { recursive: true });
    if (ifMatch === undefined) return await this.#write(path, bytes, signal);
    using lock = await Deno.open(`${this.#drafts}/lock`, { write: true, create: true });
    await lock.lock(true);
    await this.#removeDeadDrafts();
    const found = await this.get(path);
    if ((found?.etag ?? null) !== ifMatch) throw overtaken(`${this.name}/${path}`);
    await this.#write(path, bytes, signal);
    await syncFolder(dirname(`${this.name}/${path}`));
  }

  async settle(prefix: string): Promise<void> {
    const below = `${this.name}/${prefix.replace(/\/$/, "")}`;
    await syncFolders(below);
    const top = dirname(resolve(this.name));
    for (let dir = resolve(below); dir !== top;) await syncFolder(dir = dirname(dir));
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncIterable<StoredObject> {
    for await (const path of walk(this.name, prefix.slice(0, prefix.lastIndexOf("/") + 1))) {
      signal?.throwIfAborted();
      if (!path.startsWith(prefix)) continue;
      const { size, mtime } = await Deno.stat(`${this.name}/${path}`);
      yield {
        path,
        bytes: size,
        modified: mtime?.getTime() ?? 0,
        md5: async () => md5Of(await Deno.readFile(`${this.name}/${path}`)),
      };
    }
  }

  async folders(prefix: string): Promise<string[]> {
    const names: string[] = [];
    for await (const { name, isDirectory } of entries(`${this.name}/${prefix}`)) {
      if (!isDirectory || name.startsWith(".")) continue;
      // A killed delete leaves empty folders.
      for await (const _ of walk(this.name, `${prefix}${name}/`)) {
        names.push(name);
        break;
      }
    }
    return names.sort();
  }

  async delete(paths: readonly string[], signal?: AbortSignal): Promise<void> {
    for (const path of paths) {
      checkObjectPath(path);
      signal?.throwIfAborted();
      await removeIfThere(`${this.name}/${path}`);
      for (let dir = dirname(path); dir !== "."; dir = dirname(dir)) {
        const isEmpty = await Deno.remove(`${this.name}/${dir}`).then(() => true, () => false);
        if (!isEmpty) break;
      }
    }
  }

  async #write(path: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    const draft = `${this.#drafts}/${randomUUID()}`;
    try {
      await Deno.writeFile(draft, bytes, signal === undefined ? {} : { signal });
      await syncFile(draft);
      await Deno.mkdir(dirname(`${this.name}/${path}`), { recursive: true });
      await Deno.rename(draft, `${this.name}/${path}`);
    } catch (error) {
      await removeIfThere(draft);
      throw error;
    }
  }

  async #removeDeadDrafts(): Promise<void> {
    for await (const { name } of Deno.readDir(this.#drafts)) {
      const { mtime } = await Deno.stat(`${this.#drafts}/${name}`).catch(() => ({ mtime: null }));
      if (name === "lock" || mtime === null) continue;
      if (SYSTEM_CLOCK.now() - mtime.getTime() > DEAD_DRAFT_MS) {
        await removeIfThere(`${this.#drafts}/${name}`);
      }
    }
  }
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
