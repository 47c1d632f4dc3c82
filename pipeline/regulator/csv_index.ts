/**
 * Where the commas, quotes and line ends of a block of CSV stand, found without a branch a byte.
 *
 * Fields are a few bytes long, so a loop that branches at each one's end guesses wrong at most of
 * them; storing every offset and advancing by 0 or 1 is four times as fast (ARCHITECTURE.md).
 *
 * @module
 */

const LF = 10;
const QUOTE = 34;
const COMMA = 44;

const BLOCK_BYTES = 1 << 17;

/** Bit 0: a mark. Bit 1: a break, that is a mark after which the row needs a look. */
const KIND = new Uint8Array(256);
KIND[COMMA] = 1;
KIND[LF] = 3;
KIND[QUOTE] = 3;

/** The marks of one block at a time, with a cursor at the row to read next. */
export class CsvIndex {
  /** Offsets of commas, quotes and line ends. */
  readonly marks = new Int32Array(BLOCK_BYTES + 1);
  /** Place in {@link marks} of the first mark of the row at hand. */
  cursor = 0;
  #breaks = new Int32Array(BLOCK_BYTES + 1);
  #markCount = 0;
  #breakCount = 0;
  #breakCursor = 0;
  #start = 0;
  #end = 0;

  /** Forgets the block: the bytes moved. */
  clear(): void {
    this.#start = this.#end = 0;
    this.#markCount =
      this.#breakCount =
      this.cursor =
      this.#breakCursor =
        0;
  }

  /**
   * Puts the cursor at the row that begins at `position`.
   *
   * @returns The place in {@link marks} of the row's first quote or line end, or -1 when the row does
   * not end before `length` or is longer than a block.
   */
  seekRow(buffer: Uint8Array, { position, length }: { position: number; length: number }): number {
    for (;;) {
      if (position >= this.#start && position < this.#end) {
        while (this.cursor < this.#markCount && this.marks[this.cursor]! < position) this.cursor++;
        while (
          this.#breakCursor < this.#breakCount && this.#breaks[this.#breakCursor]! < this.cursor
        ) this.#breakCursor++;
        if (this.#breakCursor < this.#breakCount) return this.#breaks[this.#breakCursor]!;
        if (position === this.#start || this.#end === length) return -1;
      }
      this.#index(buffer, position, Math.min(position + BLOCK_BYTES, length));
    }
  }

  #index(buffer: Uint8Array, start: number, end: number): void {
    const { marks } = this;
    const breaks = this.#breaks;
    let marked = 0;
    let broken = 0;
    for (let i = start; i < end; i++) {
      const kind = KIND[buffer[i]!]!;
      marks[marked] = i;
      breaks[broken] = marked;
      marked += kind & 1;
      broken += kind >> 1;
    }
    this.#start = start;
    this.#end = end;
    this.#markCount = marked;
    this.#breakCount = broken;
    this.cursor = this.#breakCursor = 0;
  }
}
