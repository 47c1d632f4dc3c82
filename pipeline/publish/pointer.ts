/**
 * The pointer of a published root: reads it, moves it by compare-and-swap, and notifies a cache.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import {
  entryOf,
  FORMAT,
  parsePointer,
  type Pointer,
  POINTER_PATH,
  type PointerEntry,
} from "../snapshot/manifest.ts";
import { messageOf } from "../text.ts";
import { compareAndSwap, ConditionFailed, POINTER_HEADERS, type Store } from "./store.ts";

/** A pointer as read; a move replaces exactly this one. */
interface PointerVersion {
  pointer: Pointer | null;
  /** Null where there was none. */
  etag: string | null;
}

/**
 * Reads the pointer of a store.
 *
 * @throws {Error} When it is there and cannot be parsed.
 */
export async function readPointerOf(store: Store, signal?: AbortSignal): Promise<PointerVersion> {
  const found = await store.get(POINTER_PATH, signal);
  if (found === null) return { pointer: null, etag: null };
  try {
    return { pointer: parsePointer(found.bytes), etag: found.etag };
  } catch (cause) {
    throw new Error(`Cannot use the pointer of ${store.name}: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Points to a snapshot, unless the pointer was moved since it was read. Takes no signal: once
 * begun, it ends.
 *
 * @returns The new pointer.
 * @throws {ConditionFailed} When it was moved; says what the pointer points to.
 */
export async function movePointer(
  store: Store,
  { pointer: current, etag }: PointerVersion,
  { to, clock, ...more }:
    & { to: PointerEntry; clock: Clock }
    & Partial<Pick<Pointer, "reason" | "withdrawn">>,
): Promise<Pointer> {
  const value: Pointer = {
    format: FORMAT,
    ...entryOf(to),
    published_at: new Date(clock.now()).toISOString(),
    sequence: (current?.sequence ?? 0) + 1,
    ...more,
    ...(current === null ? {} : { previous: entryOf(current) }),
  };
  try {
    await compareAndSwap(store, POINTER_PATH, { value, etag, headers: POINTER_HEADERS });
    return value;
  } catch (cause) {
    if (!(cause instanceof ConditionFailed)) throw cause;
    const now = await readPointerOf(store);
    throw new ConditionFailed(
      `Cannot move the pointer of ${store.name} to ${to.snapshot}: it was moved from ` +
        `${current?.snapshot ?? "nothing"} to ${now.pointer?.snapshot ?? "nothing"} in between. ` +
        "Check it with `snapshot status`, then run this again",
      { cause },
    );
  }
}

const PURGE_TIMEOUT_MS = 10_000;

/** Body of a purge request. */
interface PointerMove {
  /** Id of the snapshot that is current now. */
  snapshot: string;
  /** Id of the previous one, null when this is the first. */
  previous: string | null;
  /** Address of the pointer, or its path where no address is known. */
  pointer: string;
}

/**
 * Posts a move of the pointer, as JSON, to a hook. Best effort: caches keep the pointer for a minute anyway.
 *
 * @returns What went wrong, in words; undefined when nothing did. Contains no more of the address than its
 * host, since the rest may be a secret.
 */
export async function purge(
  url: string,
  move: PointerMove,
  { token }: { token?: string },
): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(move),
      signal: AbortSignal.timeout(PURGE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `${new URL(url).host} answered with status ${response.status}`;
  } catch (error) {
    return `${new URL(url).host}: ${messageOf(error).replaceAll(url, "the address")}`;
  }
}
