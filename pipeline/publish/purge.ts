/**
 * Tells a cache in front of the store that the pointer moved.
 *
 * @module
 */

import { messageOf } from "../text.ts";

const TIMEOUT_MS = 10_000;

/** What moved. */
export interface Moved {
  /** Id of the snapshot that is current now. */
  snapshot: string;
  /** Id of the one before, null when it was the first. */
  previous: string | null;
  /** Address of the pointer, or its path where no address is known. */
  pointer: string;
}

/**
 * Posts what moved, as JSON, to a hook. Best effort: caches hold the pointer for a minute anyway.
 *
 * @returns What went wrong, in words; undefined when nothing did. Holds no more of the address than its
 * host, for the rest may be a secret.
 */
export async function purge(
  url: string,
  moved: Moved,
  { token }: { token?: string },
): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(moved),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `${new URL(url).host} answered with status ${response.status}`;
  } catch (error) {
    return `${new URL(url).host}: ${messageOf(error).replaceAll(url, "the address")}`;
  }
}
