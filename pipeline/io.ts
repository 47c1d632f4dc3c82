/**
 * Terminal output, and small files written atomically.
 *
 * @module
 */

import type { z } from "zod";

const ENCODER = new TextEncoder();

/** Reads a JSON file; undefined when it does not exist, is not JSON or does not conform to the schema. */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await orUndefined(Deno.readTextFile(path));
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // An incomplete file, or another program's
  }
}

export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeWhole(path, JSON.stringify(value, null, 2) + "\n");
}

/** Writes a file atomically: to a temporary file, which it then renames. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    {
      using file = await Deno.open(temporary, { write: true, create: true, truncate: true });
      await writeAll(file, ENCODER.encode(text));
      await file.sync();
    }
    await Deno.rename(temporary, path);
  } catch (error) {
    await removeIfThere(temporary);
    throw error;
  }
}

/** Writes all bytes, since a single write may accept only some of them. */
export async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await file.write(rest));
}

interface SyncWriter {
  writeSync(bytes: Uint8Array): number;
}

/** {@link writeAll}, synchronously. */
export function writeAllSync(to: SyncWriter, bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(to.writeSync(rest));
}

export async function removeIfThere(path: string): Promise<void> {
  await orUndefined(Deno.remove(path));
}

/** Resolves as a file operation does, or to undefined when the file does not exist. */
export async function orUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

export function print(line: string): void {
  writeOrDrop(Deno.stdout, line + "\n");
}

/** Writes text to standard output; adds no line feed. */
export function printRaw(text: string): void {
  writeOrDrop(Deno.stdout, text);
}

/** Writes a line to standard error. */
export function note(line: string): void {
  writeOrDrop(Deno.stderr, line + "\n");
}

/** Writes text to standard error asynchronously; adds no line feed. */
export async function noteLater(text: string): Promise<void> {
  let bytes = ENCODER.encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(await Deno.stderr.write(bytes));
}

export function noteRaw(text: string): void {
  writeOrDrop(Deno.stderr, text);
}

/** Writes text. Ignores a closed pipe, as after `| head`, so that the work continues. */
function writeOrDrop(to: SyncWriter, text: string): void {
  try {
    writeAllSync(to, ENCODER.encode(text));
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
