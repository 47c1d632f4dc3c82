/**
 * Bytes that grow as they are written.
 *
 * @module
 */

/** A buffer with a view of it; both are replaced when it grows. */
export class ByteWriter {
  bytes = new Uint8Array(1 << 14);
  view = new DataView(this.bytes.buffer);
  #length = 0;

  /** Makes room for `size` bytes; the caller fills them from the offset returned. */
  reserve(size: number): number {
    const at = this.#length;
    if (at + size > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.bytes.length * 2, at + size));
      grown.set(this.bytes);
      this.bytes = grown;
      this.view = new DataView(grown.buffer);
    }
    this.#length += size;
    return at;
  }

  /** Gives back bytes reserved last and not used. */
  release(size: number): void {
    this.#length -= size;
  }

  /** What was written. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.#length);
  }
}
