/**
 * Whether a store keeps the conditions of writes, which keep two publishers apart.
 *
 * @module
 */

import { randomUUID } from "node:crypto";
import { holds } from "./folder_store.ts";
import { PRIVATE_HEADERS } from "./object_headers.ts";
import { ConditionFailed, type PutOptions, type Store } from "./store.ts";

/** Objects of {@link keepsConditions} begin with this; those of a killed process stay. */
export const PROBE_PREFIX = "publish.probe-";

/** Writes a probe object under conditions that do not hold, and says whether both writes were refused. */
export async function keepsConditions(store: Store, signal?: AbortSignal): Promise<boolean> {
  const path = PROBE_PREFIX + randomUUID();
  const options = { ...PRIVATE_HEADERS, ...(signal === undefined ? {} : { signal }) };
  const bytes = new TextEncoder().encode("{}");
  try {
    await store.put(path, bytes, options);
    const isSecondRefused = await isRefused(
      store.put(path, bytes, { ...options, condition: { ifAbsent: true } }),
    );
    const other = `"${"0".repeat(32)}"`;
    return isSecondRefused &&
      await isRefused(store.put(path, bytes, { ...options, condition: { ifMatch: other } }));
  } finally {
    await store.delete([path], signal).catch(() => {}); // gc removes it
  }
}

/**
 * A store that looks before it writes, for servers that ignore conditions: between the look and the
 * write another writer may come, and the last one wins.
 */
export function lookBeforeWrite(store: Store): Store {
  return {
    ...store,
    async put(path: string, bytes: Uint8Array<ArrayBuffer>, options: PutOptions): Promise<void> {
      const { condition, ...rest } = options;
      if (condition !== undefined && !holds(condition, await store.get(path, rest.signal))) {
        throw new ConditionFailed(`Cannot write ${store.name}/${path}: somebody else wrote it`);
      }
      await store.put(path, bytes, rest);
    },
  };
}

async function isRefused(write: Promise<void>): Promise<boolean> {
  try {
    await write;
    return false;
  } catch (error) {
    if (error instanceof ConditionFailed) return true;
    throw error;
  }
}
