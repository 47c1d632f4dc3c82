/** A model of a disk that loses power: only synced data is certain to survive. */

import { dirname } from "node:path";
import { tree } from "../compile/files.ts";
import { MemorySource, type Objects } from "../snapshot/memory.ts";

interface File {
  now: Uint8Array<ArrayBuffer>;
  /** Contents at the last sync. */
  kept: Uint8Array<ArrayBuffer>;
}

interface Folder {
  names: Map<string, File | Folder>;
  /** Names at the last sync. */
  kept: Map<string, File | Folder>;
}

const NOTHING = new Uint8Array();

/** Records this process's changes below a folder until it is disposed of. */
export class PowerDisk implements Disposable {
  readonly #root: string;
  readonly #top: Folder = { names: new Map(), kept: new Map() };
  readonly #cuts: { what: string; source: MemorySource }[] = [];
  readonly #undo: () => void;

  private constructor(root: string) {
    this.#root = root;
    this.#undo = this.#watch();
  }

  /** Marks a folder's contents as synced, except those below `unsynced`. */
  static async of(root: string, { unsynced }: { unsynced?: string } = {}): Promise<PowerDisk> {
    const disk = new PowerDisk(root);
    for (const [path, hex] of await tree(root)) {
      const bytes = Uint8Array.fromHex(hex);
      const isSynced = unsynced === undefined || !path.startsWith(`${unsynced}/`);
      disk.#put(root + path, bytes, { isSynced });
    }
    return disk;
  }

  /** The possible contents of the disk after a power loss at each change, with the changes' names. */
  cutsOf(): readonly { what: string; source: MemorySource }[] {
    return this.#cuts;
  }

  [Symbol.dispose](): void {
    this.#undo();
  }

  #put(path: string, bytes: Uint8Array<ArrayBuffer>, { isSynced }: { isSynced: boolean }): void {
    const folder = this.#folder(dirname(path), { isSynced });
    const file = folder.names.get(nameOf(path)) as File | undefined ??
      { now: bytes, kept: NOTHING };
    file.now = bytes;
    if (isSynced) file.kept = bytes;
    folder.names.set(nameOf(path), file);
    if (isSynced) folder.kept.set(nameOf(path), file);
  }

  #folder(path: string, { isSynced = false }: { isSynced?: boolean } = {}): Folder {
    let folder = this.#top;
    for (const name of path.slice(this.#root.length).split("/").filter((name) => name !== "")) {
      const next = folder.names.get(name) as Folder ?? { names: new Map(), kept: new Map() };
      folder.names.set(name, next);
      if (isSynced) folder.kept.set(name, next);
      folder = next;
    }
    return folder;
  }

  #sync(path: string): void {
    const folder = this.#folder(dirname(path));
    const found = path === this.#root ? this.#top : folder.names.get(nameOf(path))!;
    if ("names" in found) found.kept = new Map(found.names);
    else found.kept = found.now;
    this.#cut(`sync ${path}`);
  }

  #rename(from: string, to: string): void {
    const source = this.#folder(dirname(from));
    const moved = source.names.get(nameOf(from))!;
    source.names.delete(nameOf(from));
    this.#folder(dirname(to)).names.set(nameOf(to), moved);
    this.#cut(`rename ${to}`);
  }

  /** Names may be those of the last sync or the current ones; content is always that of the last sync. */
  #cut(what: string): void {
    for (const names of ["kept", "names"] as const) {
      const objects: Objects = new Map();
      const collect = (folder: Folder, below: string): void => {
        for (const [name, found] of folder[names]) {
          if ("names" in found) collect(found, `${below}${name}/`);
          else objects.set(below + name, found.kept);
        }
      };
      collect(this.#top, "");
      this.#cuts.push({ what: `${names} after ${what}`, source: new MemorySource(objects) });
    }
  }

  #watch(): () => void {
    const { open, rename, writeFile, writeFileSync } = Deno;
    const isHere = (path: unknown): path is string =>
      typeof path === "string" && (path === this.#root || path.startsWith(`${this.#root}/`));
    Deno.open = async (path, options) => {
      const file = await open(path, options);
      const { sync } = file;
      file.sync = async () => {
        await sync.call(file);
        if (isHere(path)) this.#sync(path);
      };
      return file;
    };
    Deno.rename = async (from, to) => {
      await rename(from, to);
      if (isHere(from)) this.#rename(from, String(to));
    };
    const wrote = (path: unknown, data: unknown): void => {
      if (isHere(path)) this.#put(path, data as Uint8Array<ArrayBuffer>, { isSynced: false });
    };
    Deno.writeFile = async (path, data, options) => {
      await writeFile(path, data, options);
      wrote(path, data);
    };
    Deno.writeFileSync = (path, data, options) => {
      writeFileSync(path, data, options);
      wrote(path, data);
    };
    return () => Object.assign(Deno, { open, rename, writeFile, writeFileSync });
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
