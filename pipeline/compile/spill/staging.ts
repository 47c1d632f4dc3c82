/**
 * The folder that a build works in. Its files contain the rows of one USDOT range each, so a build never has
 * all carriers in memory.
 *
 * @module
 */

import { sleep } from "../../retry.ts";
import { snapshotPath } from "../../snapshot/paths.ts";

/** The id under which the snapshot being built can be read in the build's own folder. */
export const STAGED = "staged";

/** A build's own folder. Dispose of it to remove it and to release the lock. */
interface Staging extends AsyncDisposable {
  dir: string;
}

/**
 * Locks `<root>/.build.lock` and creates an empty `<root>/.build`. The operating system releases the lock
 * when the process ends for any reason. Removes what a killed build left.
 *
 * @throws {Error} When another build has the lock.
 */
export async function prepareStaging(root: string): Promise<Staging> {
  const dir = `${root}/.build`;
  await Deno.mkdir(root, { recursive: true });
  const lock = await Deno.open(`${dir}.lock`, { write: true, create: true });
  if (!await lock.tryLock(true)) {
    lock.close();
    throw new Error(`Cannot build in ${root}: another build is in progress. Wait for it to end`);
  }
  await removeFolder(dir);
  const staged = snapshotPath(STAGED);
  const folders = [
    ...["census", "inspections", "orders", "search", "export", "changes"],
    ...["carriers", "dockets"].map((family) => `${staged}/${family}`),
  ];
  for (const name of folders) await Deno.mkdir(`${dir}/${name}`, { recursive: true });
  return {
    dir,
    async [Symbol.asyncDispose](): Promise<void> {
      await removeFolder(dir);
      // A process that is being started keeps the file open until it runs, so closing the file would not
      // release the lock.
      await lock.unlock();
      lock.close();
    },
  };
}

/**
 * Removes a folder. It is renamed first, so that terminated workers no longer find it and write nothing into
 * it.
 */
export async function removeFolder(dir: string): Promise<void> {
  const renamed = `${dir}.removed`;
  // Left by a process that was killed.
  await removeAll(renamed);
  try {
    await Deno.rename(dir, renamed);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  await removeAll(renamed);
}

async function removeAll(path: string): Promise<void> {
  for (let tries = 1;; tries++) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      // A worker was creating a file while the folder was renamed: at most one file per worker.
      const isFilling = (error as { code?: string }).code === "ENOTEMPTY";
      if (!isFilling || tries === 100) throw error;
      await sleep(20);
    }
  }
}

/**
 * Half the size takes a tenth more
 * CPU.
 */
export const PARTITION_WIDTH = 100_000;

const FLUSH_BYTES = 1 << 18;

interface Pending {
  bytes: Uint8Array;
  length: number;
}

/** Appends rows to one file per partition. Files are opened only to flush, because there may be a thousand. */
export class SpillWriter {
  #dir: string;
  /** By partition. */
  #pending: Pending[] = [];

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Space for `size` bytes in the partition of a USDOT number; the caller fills all of it. */
  reserve(dot: number, size: number): { bytes: Uint8Array; offset: number } {
    const partition = Math.floor(dot / PARTITION_WIDTH);
    const pending = this.#pending[partition] ??= { bytes: new Uint8Array(1 << 13), length: 0 };
    if (pending.length + size > pending.bytes.length) this.#extend(partition, pending, size);
    const offset = pending.length;
    pending.length += size;
    return { bytes: pending.bytes, offset };
  }

  /** Gives back the end of the space last reserved for a USDOT number. */
  giveBack(dot: number, size: number): void {
    this.#pending[Math.floor(dot / PARTITION_WIDTH)]!.length -= size;
  }

  /** Writes everything that is buffered. */
  close(): void {
    this.#pending.forEach((pending, partition) => this.#flush(partition, pending));
    this.#pending = [];
  }

  #extend(partition: number, pending: Pending, size: number): void {
    if (pending.bytes.length >= FLUSH_BYTES) this.#flush(partition, pending);
    if (pending.length + size <= pending.bytes.length) return;
    const extended = new Uint8Array(Math.max(pending.bytes.length * 2, pending.length + size));
    extended.set(pending.bytes.subarray(0, pending.length));
    pending.bytes = extended;
  }

  #flush(partition: number, pending: Pending): void {
    if (pending.length === 0) return;
    using file = Deno.openSync(`${this.#dir}/${partition}`, { append: true, create: true });
    let bytes = pending.bytes.subarray(0, pending.length);
    while (bytes.length > 0) bytes = bytes.subarray(file.writeSync(bytes));
    pending.length = 0;
  }
}

/** The partitions that have rows in any of the folders, in ascending order. */
export function spilledPartitions(...dirs: string[]): number[] {
  const names = dirs.flatMap((dir) => [...Deno.readDirSync(dir)].map(({ name }) => Number(name)));
  return [...new Set(names)].sort((a, b) => a - b);
}

/** The spilled bytes of one partition; empty when it has none. Reading removes them. */
export function takeSpill(dir: string, partition: number): Uint8Array<ArrayBuffer> {
  const path = `${dir}/${partition}`;
  try {
    const bytes = Deno.readFileSync(path);
    Deno.removeSync(path);
    return bytes;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return new Uint8Array(0);
    throw error;
  }
}
