/**
 * The two input files beside their rows: what fetch noted of them, and the day they stand for.
 *
 * @module
 */

import { isoDay } from "../fmcsa/fields.ts";
import { readSidecar, type Sidecar, sidecarPath } from "../fmcsa/sidecar.ts";
import type { SourceFile } from "../snapshot/manifest.ts";
import type { FirstPass } from "./first_pass.ts";

/** What fetch noted of each file, where it did. */
export type Sidecars = Record<"census" | "inspections", Sidecar | undefined>;

/** What fetch noted of a file, unless the file was written to since: its hash need not be taken again. */
export async function trustedSidecar(path: string): Promise<Sidecar | undefined> {
  const sidecar = await readSidecar(path);
  if (sidecar === undefined) return undefined;
  const [file, note] = await Promise.all([Deno.stat(path), Deno.stat(sidecarPath(path))]);
  return file.mtime! <= note.mtime! ? sidecar : undefined;
}

/**
 * The size of an input file.
 *
 * @throws {Error} When there is no such file.
 */
export async function fileSize(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error(`Cannot read ${path}: there is no such file. "snapshot fetch" downloads it`);
  }
}

/** What the pointer says of an input file. */
export function sourceFile(
  role: SourceFile["role"],
  { path, pass, sidecar }: { path: string; pass: FirstPass; sidecar: Sidecar | undefined },
): SourceFile {
  const { bytes } = pass;
  const sha256 = (pass.sha256 ?? sidecar?.sha256)!;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const { url, etag, last_modified } = sidecar ?? {};
  return {
    role,
    name,
    bytes,
    sha256,
    ...(url === undefined ? {} : { url }),
    ...(etag === undefined ? {} : { etag }),
    ...(last_modified === undefined ? {} : { last_modified }),
  };
}

/** The census's own date, unless one was given: the day it last changed at its source, else its newest day. */
export function chooseDataDate(
  passes: Record<"census" | "inspections", FirstPass>,
  { sidecars, onNote }: {
    sidecars: Sidecars;
    onNote: (note: string) => void;
  },
): string {
  const changed = Date.parse(sidecars.census?.last_modified ?? "");
  if (!Number.isNaN(changed)) {
    const day = new Date(changed).toISOString().slice(0, 10);
    onNote(`Data date ${day}: the day the census file was last changed at its source`);
    return day;
  }
  const newest = passes.census.newest || passes.inspections.newest;
  if (newest === 0) {
    throw new Error("Cannot find the data date: no row has a date. Give it with --data-date");
  }
  onNote(`Data date ${isoDay(newest)}: the newest day in the census. --data-date sets another`);
  return isoDay(newest);
}
