/**
 * Files of a download on disk: the partial file with its version, and the finished file's sidecar.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { z } from "zod";
import { orUndefined, readJsonFile, removeIfThere, writeAll, writeJson } from "../io.ts";

/** Where bytes came from; the members after `url` as the server sent them. */
const Origin = z.object({
  url: z.string(),
  etag: z.string().exactOptional(),
  last_modified: z.string().exactOptional(),
});

const Sidecar = Origin.extend({
  bytes: z.int().nonnegative(),
  /** Hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** ISO 8601, UTC. */
  fetched_at: z.string(),
});

/**
 * `<file>.json`: where a downloaded file came from and what it contains. Written last and removed first, so a
 * file that matches its sidecar is complete.
 */
export type Sidecar = z.infer<typeof Sidecar>;

/** The path of a data file's sidecar. */
export function sidecarPath(path: string): string {
  return `${path}.json`;
}

/** The sidecar of a data file; undefined when one of the two is absent or their sizes differ. */
export async function readSidecar(path: string): Promise<Sidecar | undefined> {
  const sidecar = await readJsonFile(sidecarPath(path), Sidecar);
  const file = await orUndefined(Deno.stat(path));
  return file?.isFile && file.size === sidecar?.bytes ? sidecar : undefined;
}

const FileVersion = Origin.extend({
  /** The validator strong enough for `If-Range`; absent when the download cannot resume. */
  if_range: z.string().exactOptional(),
  /** Bytes of the whole file, if the server sent that number. */
  total: z.int().nonnegative().exactOptional(),
});

/** `<file>.part.json`: the version of the file that the part is from. */
export type FileVersion = z.infer<typeof FileVersion>;

/** The version of the file that the headers of a 200 describe. */
export function versionOf(url: string, headers: Headers): FileVersion {
  const [etag, weak] = /^(W\/)?"[\x21\x23-\x7e\x80-\uffff]*"$/.exec(headers.get("etag") ?? "") ??
    [];
  const lastModified = headers.get("last-modified");
  const length = headers.get("content-length") ?? "";
  // A date is a strong validator when it is a second or more before the response (RFC 9110, 8.8.2.2).
  const age = Date.parse(headers.get("date") ?? "") - Date.parse(lastModified ?? "");
  const strong = weak === undefined ? etag : undefined;
  const ifRange = strong ?? (etag === undefined && age >= 1000 ? lastModified : null);
  return {
    url,
    ...(etag !== undefined && { etag }),
    ...(lastModified !== null && { last_modified: lastModified }),
    ...(ifRange !== null && { if_range: ifRange }),
    ...(/^\d{1,15}$/.test(length) && { total: Number(length) }),
  };
}

/**
 * Bytes fetched twice and compared when a download resumes. At least one, so that a complete part
 * requests a byte that exists; more catch a server that changed the file and kept its validator.
 */
const OVERLAP = 1024;

/**
 * `<file>.part`: the bytes downloaded so far. Its version is written after the part is emptied and
 * before its first byte, so that the bytes belong to that version whenever the process dies.
 */
export class Part implements AsyncDisposable {
  /** Bytes that belong to {@link Part.version}. */
  size = 0;
  version: FileVersion | undefined;
  readonly #path: string;
  readonly #file: Deno.FsFile;
  #hash = createHash("sha256");
  #isOpen = true;

  private constructor(path: string, file: Deno.FsFile) {
    this.#path = path;
    this.#file = file;
  }

  /** Opens `<to>.part`, with what an earlier run left if that is a resumable version of this URL. */
  static async open(to: string, url: string, signal?: AbortSignal): Promise<Part> {
    const path = `${to}.part`;
    const version = await readJsonFile(`${path}.json`, FileVersion);
    const part = new Part(path, await Deno.open(path, { read: true, write: true, create: true }));
    if (version?.url !== url || version.if_range === undefined) return part;
    try {
      await part.#adopt(version, signal);
      return part;
    } catch (error) {
      await part.close();
      throw error;
    }
  }

  async #adopt(version: FileVersion, signal?: AbortSignal): Promise<void> {
    const buffer = new Uint8Array(1 << 20);
    for (let n; (n = await this.#file.read(buffer)) !== null;) {
      signal?.throwIfAborted();
      this.#hash.update(buffer.subarray(0, n));
      this.size += n;
    }
    this.version = version;
  }

  /** Where a resuming request starts: {@link OVERLAP} bytes back; 0 to start over. */
  get resumeAt(): number {
    return this.version?.if_range === undefined ? 0 : Math.max(0, this.size - OVERLAP);
  }

  /** Removes all bytes. If a version is given, records it as the version of the bytes to come. */
  async restart(version?: FileVersion): Promise<void> {
    await this.#file.truncate(0);
    await this.#file.seek(0, Deno.SeekMode.Start);
    await this.#file.sync();
    this.#hash = createHash("sha256");
    this.size = 0;
    this.version = version;
    if (version !== undefined) await writeJson(`${this.#path}.json`, version);
  }

  /** The last bytes, from {@link Part.resumeAt} on. */
  async tail(): Promise<Uint8Array> {
    const bytes = new Uint8Array(this.size - this.resumeAt);
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
    this.size += bytes.length;
  }

  /** Flushes and closes the file; the part stays for the next run. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    using file = this.#file;
    await file.sync();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Replaces the file with the part: bytes on disk, old sidecar gone, file renamed, new sidecar. */
  async commit(to: string, fetched_at: string): Promise<Sidecar> {
    await this.close();
    await removeIfThere(sidecarPath(to));
    await Deno.rename(this.#path, to);
    const { if_range: _, total: __, ...origin } = this.version!;
    const sha256 = this.#hash.digest("hex");
    const sidecar: Sidecar = { ...origin, bytes: this.size, sha256, fetched_at };
    await writeJson(sidecarPath(to), sidecar);
    await removeIfThere(`${this.#path}.json`);
    return sidecar;
  }

  async discard(): Promise<void> {
    await this.close();
    await removeIfThere(this.#path);
    await removeIfThere(`${this.#path}.json`);
  }
}
