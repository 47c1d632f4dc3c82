/**
 * Publishing: every object first, then a look at it from outside, then the pointer.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { readObject } from "../snapshot/contents.ts";
import { parsePointer } from "../snapshot/documents.ts";
import { entryOf, type Pointer, POINTER_PATH } from "../snapshot/manifest.ts";
import type { Source } from "../snapshot/source.ts";
import { storeSource, takeInventory } from "./inventory.ts";
import { Lease } from "./lease.ts";
import { movePointer, readPointerOf } from "./pointer.ts";
import { readBack } from "./read_back.ts";
import type { Store } from "./store.ts";
import { upload, type Uploaded } from "./upload.ts";

/** How to publish. */
export interface PublishOptions {
  clock: Clock;
  /** Who publishes, for the lease's message to others. */
  owner: string;
  /** The address that readers use; the store itself when absent. */
  publicSource?: Source;
  /** Overrides the bounds on what may follow what; kept in the pointer. */
  force?: string;
  /** Objects uploaded at a time. @default {16} */
  atOnce?: number;
  /** Milliseconds; see `LeaseOptions`. */
  leaseTerm?: number;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** What a publish did. */
export interface Published extends Uploaded {
  pointer: Pointer;
  /** False when the snapshot was current already. */
  isMoved: boolean;
  /** The bound that `force` overrode. */
  overridden?: string;
}

/**
 * Publishes the current snapshot of a built root. Until the last step, one write of the pointer, readers
 * see what they saw before, however this ends; run again it goes on where it stopped.
 *
 * @throws {LeaseHeld} When another publisher works on the store.
 * @throws {ConditionFailed} When somebody else moved the pointer meanwhile.
 * @throws {RangeError} When the snapshot may not follow the one that is current.
 */
export async function publish(
  built: Source,
  store: Store,
  options: PublishOptions,
): Promise<Published> {
  const { clock, owner, force, leaseTerm, onProgress = () => {} } = options;
  const entry = entryOf(parsePointer(await readObject(built, POINTER_PATH)));
  const inventory = await takeInventory(built, entry);
  const signal = options.signal ?? new AbortController().signal;
  await using lease = await Lease.take(store, {
    clock,
    owner,
    signal,
    ...(leaseTerm === undefined ? {} : { term: leaseTerm }),
  });
  const stop = AbortSignal.any([signal, lease.lost]);
  const seen = await readPointerOf(store, stop);
  const broken = brokenBound(seen.pointer, entry);
  if (broken !== undefined && force === undefined) {
    throw new RangeError(`Cannot publish ${entry.snapshot}: ${broken}`);
  }
  const uploaded = await upload(store, { source: built, inventory }, {
    atOnce: options.atOnce ?? 16,
    signal: stop,
    onProgress,
  });
  await readBack(inventory, {
    built,
    published: options.publicSource ?? storeSource(store),
    clock,
    signal: stop,
  });
  if (seen.pointer?.snapshot === entry.snapshot) {
    return { ...uploaded, pointer: seen.pointer, isMoved: false };
  }
  const overridden = broken === undefined ? {} : { overridden: broken };
  const to = nextPointer(seen.pointer, entry, {
    clock,
    ...(broken === undefined ? {} : { reason: force }),
  });
  await lease.check();
  stop.throwIfAborted();
  await movePointer(store, { seen, to });
  return { ...uploaded, ...overridden, pointer: to, isMoved: true };
}

/** The pointer that follows `current` when `entry` becomes current. */
export function nextPointer(
  current: Pointer | null,
  entry: Pointer["previous"] & object,
  { clock, ...more }: { clock: Clock } & Pick<Partial<Pointer>, "reason" | "withdrawn">,
): Pointer {
  return {
    format: 1,
    ...entryOf(entry),
    published_at: new Date(clock.now()).toISOString(),
    sequence: (current?.sequence ?? 0) + 1,
    ...more,
    ...(current === null ? {} : { previous: entryOf(current) }),
  };
}

/** Why a snapshot may not follow the one that is current, in words; undefined when it may. */
function brokenBound(
  current: Pointer | null,
  entry: { snapshot: string; data_date: string },
): string | undefined {
  if (current === null || current.snapshot === entry.snapshot) return undefined;
  if (current.withdrawn === entry.snapshot) {
    return `it was withdrawn on ${current.published_at} (${
      current.reason ?? "no reason given"
    }). ` +
      'Build a better one, or give --force "REASON"';
  }
  if (entry.data_date < current.data_date) {
    return `its data are of ${entry.data_date}, those of ${current.snapshot}, which is current, of ` +
      `${current.data_date}. To go back use \`snapshot rollback\`; if this is meant, give ` +
      '--force "REASON"';
  }
  return undefined;
}
