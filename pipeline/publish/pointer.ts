/**
 * The pointer of a published root: reads it and moves it by compare-and-swap.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import {
  entryOf,
  type Keeps,
  parsePointer,
  type Pointer,
  type PointerEntry,
} from "../snapshot/manifest.ts";
import { FORMAT } from "../snapshot/documents.ts";
import { POINTER_PATH } from "../snapshot/paths.ts";
import { messageOf } from "../text.ts";
import { compareAndSwap, ConditionFailed, type Store } from "./store.ts";

/** A pointer as read, null where there is none. A move replaces exactly this one. */
interface PointerVersion {
  pointer: Pointer | null;
  etag: string | null;
}

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
 * Points to a snapshot, unless the pointer was moved after it was read. Takes no signal, because a move that
 * has begun must finish. A second pointer to the same snapshot differs only in `keeps`.
 *
 * @throws {ConditionFailed} When it was moved; says where the pointer points now.
 */
export async function movePointer(
  store: Store,
  { pointer: current, etag }: PointerVersion,
  { to, keeps, clock, reason, withdrawn }: {
    to: PointerEntry;
    keeps: Keeps;
    clock: Clock;
    reason?: string | undefined;
    withdrawn?: string;
  },
): Promise<Pointer> {
  const move = {
    format: FORMAT,
    keeps,
    published_at: new Date(clock.now()).toISOString(),
    sequence: (current?.sequence ?? 0) + 1,
  };
  const value: Pointer = current?.snapshot === to.snapshot ? { ...current, ...move } : {
    ...entryOf(to),
    ...move,
    ...(reason !== undefined && { reason }),
    ...(withdrawn !== undefined && { withdrawn }),
    ...(current === null ? {} : { previous: entryOf(current) }),
  };
  try {
    await compareAndSwap(store, POINTER_PATH, { value, etag });
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
