/**
 * The note beside a downloaded file, `<file>.json`: where it came from and what it should be. It is
 * written last and removed first, so a file with a fitting note arrived whole.
 *
 * @module
 */

import { z } from "zod";
import { orUndefined, readJson, writeJson } from "../io.ts";

const SIDECAR = z.object({
  url: z.string(),
  etag: z.string().exactOptional(),
  last_modified: z.string().exactOptional(),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  fetched_at: z.string(),
});

/** `<file>.json`. */
export interface Sidecar {
  url: string;
  /** As the server sent it, quotes and `W/` included. */
  etag?: string;
  /** As the server sent it. */
  last_modified?: string;
  bytes: number;
  /** Hex. */
  sha256: string;
  /** ISO 8601, UTC. */
  fetched_at: string;
}

/** The path of the note on a file. */
export function sidecarPath(path: string): string {
  return `${path}.json`;
}

/**
 * Reads the note on a downloaded file.
 *
 * @param path The data file, not the note.
 * @returns Undefined when file or note is absent, or the note speaks of another size.
 */
export async function readSidecar(path: string): Promise<Sidecar | undefined> {
  const sidecar = await readJson<Sidecar>(sidecarPath(path), SIDECAR);
  const file = await orUndefined(Deno.stat(path));
  return file?.isFile && file.size === sidecar?.bytes ? sidecar : undefined;
}

/** Writes the note on a file that is in its place. */
export async function writeSidecar(path: string, sidecar: Sidecar): Promise<void> {
  await writeJson(sidecarPath(path), sidecar);
}
