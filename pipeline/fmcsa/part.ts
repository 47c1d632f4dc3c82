/**
 * A download under way: `<file>.part` with the bytes so far and `<file>.part.json` with what they are
 * the beginning of. The note is written after the part is emptied and before its first byte, so the
 * bytes always belong to the version the note names, whenever the process dies.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { z } from "zod";
import { readJson, removeIfThere, writeAll, writeJson } from "../io.ts";
import { type Sidecar, sidecarPath, writeSidecar } from "./sidecar.ts";

/**
 * Bytes fetched twice at a seam and compared. At least one, so that a part that is already whole asks
 * for something that exists; more catch a server that changed the file and kept its validator.
 */
const OVERLAP = 1024;

const VERSION = z.object({
  url: z.string(),
  etag: z.string().exactOptional(),
  last_modified: z.string().exactOptional(),
  if_range: z.string().exactOptional(),
  total: z.int().nonnegative().exactOptional(),
});

/** One version of the file on the server; `<file>.part.json`. */
export interface Version {
  url: string;
  etag?: string;
  last_modified?: string;
  /** The validator strong enough for `If-Range`; absent when the version cannot be resumed. */
  if_range?: string;
  /** Bytes of the whole file, when the server said. */
  total?: number;
}

/** The bytes so far. Made by {@link openPart}; one at a time per file. */
export class Part {
  readonly #path: string;
  readonly #file: Deno.FsFile;
  #hash = createHash("sha256");
  #size = 0;
  #version: Version | undefined;
  #open = true;

  constructor(path: string, file: Deno.FsFile) {
    this.#path = path;
    this.#file = file;
  }

  /** Bytes that belong to {@link Part.version}. */
  get size(): number {
    return this.#size;
  }

  get version(): Version | undefined {
    return this.#version;
  }

  /** Where a resuming request should start: {@link OVERLAP} bytes back, 0 to start over. */
  get resumeAt(): number {
    return this.#version?.if_range === undefined ? 0 : Math.max(0, this.#size - OVERLAP);
  }

  /** Takes over what an earlier run left, hashing it. */
  async adopt(version: Version, signal?: AbortSignal): Promise<void> {
    const buffer = new Uint8Array(1 << 20);
    for (let n; (n = await this.#file.read(buffer)) !== null;) {
      signal?.throwIfAborted();
      this.#hash.update(buffer.subarray(0, n));
      this.#size += n;
    }
    this.#version = version;
  }

  /** Drops every byte; with a version, notes what comes next. */
  async restart(version?: Version): Promise<void> {
    await this.#file.truncate(0);
    await this.#file.seek(0, Deno.SeekMode.Start);
    await this.#file.sync();
    this.#hash = createHash("sha256");
    this.#size = 0;
    this.#version = version;
    if (version !== undefined) await writeJson(`${this.#path}.json`, version);
  }

  /** The last bytes, from {@link Part.resumeAt} on. */
  async tail(): Promise<Uint8Array> {
    const bytes = new Uint8Array(this.#size - this.resumeAt);
    await this.#file.seek(this.resumeAt, Deno.SeekMode.Start);
    for (let at = 0; at < bytes.length;) {
      const n = await this.#file.read(bytes.subarray(at));
      if (n === null) throw new Error(`Cannot read "${this.#path}": it was cut while in use`);
      at += n;
    }
    return bytes;
  }

  async append(bytes: Uint8Array): Promise<void> {
    await writeAll(this.#file, bytes);
    this.#hash.update(bytes);
    this.#size += bytes.length;
  }

  /** Flushes and lets go of the file; the part stays for the next run. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    try {
      await this.#file.sync();
    } finally {
      this.#file.close();
    }
  }

  /**
   * Puts the part in the place of the file. The order is the promise: bytes on disk, old note gone,
   * file renamed, new note.
   */
  async commit(to: string, fetchedAt: string): Promise<Sidecar> {
    const version = this.#version;
    if (version === undefined) throw new TypeError("Cannot commit a part of no known version");
    await this.close();
    await removeIfThere(sidecarPath(to));
    await Deno.rename(this.#path, to);
    const sidecar: Sidecar = {
      url: version.url,
      ...(version.etag !== undefined && { etag: version.etag }),
      ...(version.last_modified !== undefined && { last_modified: version.last_modified }),
      bytes: this.#size,
      sha256: this.#hash.digest("hex"),
      fetched_at: fetchedAt,
    };
    await writeSidecar(to, sidecar);
    await removeIfThere(`${this.#path}.json`);
    return sidecar;
  }

  /** Removes the part: the file it would become is there already. */
  async discard(): Promise<void> {
    await this.close();
    await removeIfThere(this.#path);
    await removeIfThere(`${this.#path}.json`);
  }
}

/** Opens `<to>.part`, with what an earlier run left when that is a resumable version of this URL. */
export async function openPart(
  to: string,
  options: { url: string; signal?: AbortSignal },
): Promise<Part> {
  const path = `${to}.part`;
  const version = await readJson<Version>(`${path}.json`, VERSION);
  const file = await Deno.open(path, { read: true, write: true, create: true });
  const part = new Part(path, file);
  try {
    if (version?.url === options.url && version.if_range !== undefined) {
      await part.adopt(version, options.signal);
    }
  } catch (error) {
    await part.close();
    throw error;
  }
  return part;
}
