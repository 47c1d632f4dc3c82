/**
 * Rows set aside in files by USDOT range, so that a build never holds the country in memory.
 *
 * @module
 */

/** USDOT numbers in one partition: about 100,000 carriers, 30 MB while it is worked on. */
const PARTITION_WIDTH = 100_000;

const FLUSH_BYTES = 1 << 18;

interface Pending {
  bytes: Uint8Array;
  length: number;
}

/** Appends rows to one file a partition. Files are opened only to flush: there may be a thousand. */
export class SpillWriter {
  #dir: string;
  #pending = new Map<number, Pending>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Room for `size` bytes in the partition of a USDOT number; the caller fills all of it. */
  reserve(dot: number, size: number): { bytes: Uint8Array; offset: number } {
    const partition = Math.floor(dot / PARTITION_WIDTH);
    let pending = this.#pending.get(partition);
    if (pending === undefined) {
      this.#pending.set(partition, pending = { bytes: new Uint8Array(1 << 13), length: 0 });
    }
    if (pending.length + size > pending.bytes.length) this.#makeRoom(partition, pending, size);
    const offset = pending.length;
    pending.length += size;
    return { bytes: pending.bytes, offset };
  }

  /** Writes out everything. */
  close(): void {
    for (const [partition, pending] of this.#pending) this.#flush(partition, pending);
    this.#pending.clear();
  }

  #makeRoom(partition: number, pending: Pending, size: number): void {
    if (pending.bytes.length < FLUSH_BYTES) {
      const grown = new Uint8Array(Math.max(pending.bytes.length * 2, pending.length + size));
      grown.set(pending.bytes.subarray(0, pending.length));
      pending.bytes = grown;
    } else {
      this.#flush(partition, pending);
      if (size > pending.bytes.length) pending.bytes = new Uint8Array(size);
    }
    if (pending.length + size > pending.bytes.length) this.#makeRoom(partition, pending, size);
  }

  #flush(partition: number, pending: Pending): void {
    if (pending.length === 0) return;
    using file = Deno.openSync(`${this.#dir}/${partition}`, { append: true, create: true });
    let bytes = pending.bytes.subarray(0, pending.length);
    while (bytes.length > 0) bytes = bytes.subarray(file.writeSync(bytes));
    pending.length = 0;
  }
}

/** The partitions that any of the folders of spilled rows holds, in ascending order. */
export function spilledPartitions(...dirs: string[]): number[] {
  const partitions = new Set<number>();
  for (const dir of dirs) {
    for (const { name } of Deno.readDirSync(dir)) partitions.add(Number(name));
  }
  return [...partitions].sort((a, b) => a - b);
}

/** The spilled bytes of one partition; empty when it has none. */
export function readSpill(dir: string, partition: number): Uint8Array<ArrayBuffer> {
  try {
    return Deno.readFileSync(`${dir}/${partition}`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return new Uint8Array(0);
    throw error;
  }
}

/** Removes the spilled bytes of one partition, if it has any: they are needed once. */
export function removeSpill(dir: string, partition: number): void {
  try {
    Deno.removeSync(`${dir}/${partition}`);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
