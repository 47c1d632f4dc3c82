/**
 * The pointer of a published root: read, and moved by compare-and-swap.
 *
 * @module
 */

import { messageOf } from "../text.ts";
import { parsePointer, type Pointer, POINTER_PATH } from "../snapshot/manifest.ts";
import { POINTER_HEADERS } from "./object_headers.ts";
import { ConditionFailed, type PutOptions, type Store } from "./store.ts";

/** A pointer as it was read, to be moved from. */
export interface PointerSeen {
  pointer: Pointer | null;
  /** Null where there was none. */
  etag: string | null;
}

/**
 * Reads the pointer of a store.
 *
 * @throws {Error} When it is there and cannot be understood.
 */
export async function readPointerOf(store: Store, signal?: AbortSignal): Promise<PointerSeen> {
  const found = await store.get(POINTER_PATH, signal);
  if (found === null) return { pointer: null, etag: null };
  try {
    return { pointer: parsePointer(found.bytes), etag: found.etag };
  } catch (error) {
    throw new Error(`Cannot use the pointer of ${store.name}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * Moves the pointer, unless somebody else has moved it since `seen` was read. Takes no signal: once
 * begun, it ends.
 *
 * @throws {ConditionFailed} When somebody else was first; says to what the pointer points.
 */
export async function movePointer(
  store: Store,
  { seen, to }: { seen: PointerSeen; to: Pointer },
): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(to) + "\n");
  try {
    await swap(store, POINTER_PATH, {
      bytes,
      headers: POINTER_HEADERS,
      etag: seen.etag,
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const now = await readPointerOf(store);
    throw new ConditionFailed(
      `Cannot move the pointer of ${store.name} to ${to.snapshot}: somebody else moved it from ` +
        `${seen.pointer?.snapshot ?? "nothing"} to ${
          now.pointer?.snapshot ?? "nothing"
        } meanwhile. ` +
        "Look at it with `snapshot status`, then run this again",
      { cause: error },
    );
  }
}

/**
 * Writes an object over the content named by `etag`, null for none. When the answer says no or is lost,
 * looks what is there: a write whose answer was lost may have been done.
 *
 * @throws {ConditionFailed} When there is other content than ours.
 */
export async function swap(
  store: Store,
  path: string,
  { bytes, headers, etag, signal }: {
    bytes: Uint8Array<ArrayBuffer>;
    headers: Pick<PutOptions, "contentType" | "cacheControl">;
    etag: string | null;
    signal?: AbortSignal;
  },
): Promise<void> {
  const condition = etag === null ? { ifAbsent: true } as const : { ifMatch: etag };
  const stop = signal === undefined ? {} : { signal };
  try {
    await store.put(path, bytes, { ...headers, condition, ...stop });
  } catch (error) {
    const now = await store.get(path, signal).catch(() => null);
    if (now === null || !isEqual(now.bytes, bytes)) throw error;
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
