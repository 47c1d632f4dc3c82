/**
 * The interface of a store that snapshots are published to, and what every store shares.
 *
 * @module
 */

import { createHash } from "node:crypto";
import type { Keeps } from "../snapshot/manifest.ts";
import { POINTER_PATH } from "../snapshot/paths.ts";
import type { Source } from "../snapshot/source.ts";

export interface StoredObject {
  /** Below the store's root. */
  path: string;
  bytes: number;
  /** When it was last written, by the store's clock, in milliseconds since the epoch. */
  modified: number;
  /** MD5 of the content, hex; undefined where the store has none. */
  md5(): Promise<string | undefined>;
}

export interface ReadObject {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
}

export interface PutOptions {
  /** Writes only over content with this etag, or with null only where there is no object. */
  ifMatch?: string | null;
  signal?: AbortSignal | undefined;
}

/**
 * Objects by path (see `checkObjectPath`). Every method may be called again after a failure: a write stores
 * the whole object or nothing. A write whose answer was lost may have taken place.
 */
export interface Store {
  /** The folder or address, for messages; contains no secrets. */
  readonly name: string;
  /** How long it keeps old snapshots by default. */
  readonly keeps: Keeps;
  /** Reads an object, null when there is none. */
  get(path: string, signal?: AbortSignal): Promise<ReadObject | null>;
  /**
   * Writes an object.
   *
   * @throws {ConditionFailed} When the condition is not met; nothing is written then.
   */
  put(path: string, bytes: Uint8Array<ArrayBuffer>, options?: PutOptions): Promise<void>;
  /** Makes writes below a `prefix` that ends in `/` survive a power loss. */
  settle(prefix: string): Promise<void>;
  /** All objects whose paths begin with `prefix`, in any order. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<StoredObject>;
  /** The names directly below a `prefix` that ends in `/`, if they have objects below them, sorted. */
  folders(prefix: string, signal?: AbortSignal): Promise<string[]>;
  /** Removes objects, in any order. A missing object is no error. */
  delete(paths: readonly string[], signal?: AbortSignal): Promise<void>;
}

/** Another writer was first. */
export class ConditionFailed extends Error {
  override readonly name = "ConditionFailed";
}

export function overtaken(what: string): ConditionFailed {
  return new ConditionFailed(`Cannot write ${what}: it was changed by another writer`);
}

/** The HTTP headers that a host should send with an object. */
export function objectHeaders(path: string): { "content-type": string; "cache-control": string } {
  return { "content-type": contentTypeOf(path), "cache-control": cacheControlOf(path) };
}

function cacheControlOf(path: string): string {
  if (path.startsWith("s/")) return "public, max-age=31536000, immutable";
  // Not stale-while-revalidate: FORMAT.md promises a reader that it sees a new snapshot within a minute.
  return path === POINTER_PATH ? "public, max-age=60" : "no-store";
}

function contentTypeOf(path: string): string {
  // With `Content-Encoding: gzip`, hosts would decompress or recompress the bytes, whose hash is published.
  if (path.endsWith(".gz")) return "application/gzip";
  if (path.endsWith(".parquet")) return "application/vnd.apache.parquet";
  return path.endsWith("SHA256SUMS") ? "text/plain; charset=utf-8" : "application/json";
}

/** A store as a source for the snapshot reader. */
export function storeSource(store: Store): Source {
  return {
    name: store.name,
    get: async (path, signal) => (await store.get(path, signal))?.bytes ?? null,
  };
}

/** MD5, hex. S3 identifies content by it; it detects damage, not tampering. */
export function md5Of(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("hex");
}

/**
 * Writes a JSON object over the content with `etag`, null for none. When the write is refused or its answer
 * is lost, reads the object, because the write may still have taken place.
 *
 * @throws {ConditionFailed} When the content is not ours.
 */
export async function compareAndSwap(
  store: Store,
  path: string,
  { value, etag, signal }: {
    value: unknown;
    etag: string | null;
    signal?: AbortSignal | undefined;
  },
): Promise<void> {
  const text = JSON.stringify(value) + "\n";
  try {
    await store.put(path, new TextEncoder().encode(text), { ifMatch: etag, signal });
  } catch (error) {
    const now = await store.get(path, signal).catch(() => null);
    if (now === null || new TextDecoder().decode(now.bytes) !== text) throw error;
  }
}
