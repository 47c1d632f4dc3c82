/**
 * A folder as a place to publish to, e.g. one that a web server serves.
 *
 * @module
 */

import { createHash, randomUUID } from "node:crypto";
import { dirname, resolve } from "node:path";
import type { Clock } from "../clock.ts";
import { removeIfThere } from "../io.ts";
import { syncFile, syncFolder, syncFolders } from "../snapshot/writer.ts";
import { folderSource } from "../snapshot/open_source.ts";
import { checkObjectPath } from "../snapshot/manifest.ts";
import {
  type Condition,
  ConditionFailed,
  type PutOptions,
  type ReadObject,
  type Store,
  type StoredObject,
} from "./store.ts";

/** Holds drafts. A name with a dot in front is no object and web servers do not show it. */
const DRAFTS = ".publish";

/** A draft this old is of a writer that was killed. */
const DEAD_DRAFT_MS = 3_600_000;

/**
 * Opens a folder; it is made at the first write. A write appears by one rename, when its content is on
 * the disk. Conditional writes take turns under a lock of the operating system, which goes with the
 * process, however that ends, and are on the disk when they return.
 */
export function folderStore(folder: string, clock: Clock): Store {
  const root = folder.replace(/(?<=.)\/+$/, "");
  const source = folderSource(root);

  async function get(path: string, signal?: AbortSignal): Promise<ReadObject | null> {
    const bytes = await source.get(path, signal);
    return bytes === null ? null : { bytes, etag: md5Of(bytes) };
  }

  return {
    name: root,
    get,
    async put(path: string, bytes: Uint8Array<ArrayBuffer>, options: PutOptions): Promise<void> {
      checkObjectPath(path);
      const { condition, signal } = options;
      await Deno.mkdir(`${root}/${DRAFTS}`, { recursive: true });
      if (condition === undefined) return await write(root, path, { bytes, signal });
      using lock = await Deno.open(`${root}/${DRAFTS}/lock`, { write: true, create: true });
      await lock.lock(true);
      await sweep(`${root}/${DRAFTS}`, clock.now());
      if (!holds(condition, await get(path))) {
        throw new ConditionFailed(`Cannot write ${root}/${path}: somebody else wrote it`);
      }
      await write(root, path, { bytes, signal });
      await syncFolder(dirname(`${root}/${path}`));
    },
    async settle(prefix: string): Promise<void> {
      const below = `${root}/${prefix.replace(/\/$/, "")}`;
      await syncFolders(below);
      const top = dirname(resolve(root));
      for (let dir = resolve(below); dir !== top;) await syncFolder(dir = dirname(dir));
    },
    async *list(prefix: string, signal?: AbortSignal): AsyncIterable<StoredObject> {
      const below = prefix.slice(0, prefix.lastIndexOf("/") + 1);
      for await (const path of walk(root, below)) {
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
    async folders(prefix: string): Promise<string[]> {
      const names: string[] = [];
      for await (const { name, isDirectory } of entries(`${root}/${prefix}`)) {
        if (isDirectory && !name.startsWith(".")) names.push(name);
      }
      return names.sort();
    },
    async delete(paths: readonly string[], signal?: AbortSignal): Promise<void> {
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

/** MD5, hex: names content in S3, where it guards against damage and not against malice. */
export function md5Of(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("hex");
}

/** Whether an object as found allows the write. */
export function holds(condition: Condition, found: ReadObject | null): boolean {
  return "ifAbsent" in condition ? found === null : found?.etag === condition.ifMatch;
}

async function write(
  root: string,
  path: string,
  { bytes, signal }: { bytes: Uint8Array; signal: AbortSignal | undefined },
): Promise<void> {
  const draft = `${root}/${DRAFTS}/${randomUUID()}`;
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

async function sweep(drafts: string, now: number): Promise<void> {
  for await (const { name } of Deno.readDir(drafts)) {
    const { mtime } = await Deno.stat(`${drafts}/${name}`).catch(() => ({ mtime: null }));
    if (name === "lock" || mtime === null) continue;
    if (now - mtime.getTime() > DEAD_DRAFT_MS) await removeIfThere(`${drafts}/${name}`);
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
