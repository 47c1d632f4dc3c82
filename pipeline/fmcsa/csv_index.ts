/**
 * Where the commas of a block of CSV stand, found without a branch a byte.
 *
 * Fields are a few bytes long, so a loop that branches at each one's end guesses wrong at most of
 * them; storing every offset and advancing by 0 or 1 is several times as fast (ARCHITECTURE.md).
 *
 * @module
 */

const LF = 10;
const QUOTE = 34;
const COMMA = 44;

const BLOCK_BYTES = 1 << 17;

/** What to advance by for each byte: a table look-up is no branch. */
const IS_COMMA = new Uint8Array(256);
IS_COMMA[COMMA] = 1;

/** The commas of one block at a time, with a cursor at the row to read next. */
export class CsvIndex {
  /** Offsets of commas. */
  readonly commas = new Int32Array(BLOCK_BYTES + 1);
  /** Place in {@link commas} of the first comma at or behind the row's begin. */
  cursor = 0;
  #buffer: Uint8Array = new Uint8Array(0);
  #length = 0;
  #count = 0;
  #start = 0;
  #end = 0;
  #nextQuote = 0;

  /** Takes up the bytes before `length`, forgetting what was known of others. */
  reset(buffer: Uint8Array, length: number): void {
    this.#buffer = buffer;
    this.#length = length;
    this.#start =
      this.#end =
      this.#count =
      this.cursor =
        0;
    this.#nextQuote = -1;
  }

  /**
   * Puts the cursor at the row that begins at `position`, if it is a plain one: whole, shorter than a
   * block, without a quote, of `width` fields.
   *
   * @returns The offset of the row's line end, or -1 when it must be read byte by byte.
   */
  seekPlainRow(position: number, width: number): number {
    const lineEnd = this.#buffer.indexOf(LF, position);
    if (lineEnd < 0 || lineEnd >= this.#length || lineEnd - position >= BLOCK_BYTES) return -1;
    if (this.#nextQuote < position) {
      const quote = this.#buffer.indexOf(QUOTE, position);
      this.#nextQuote = quote < 0 ? this.#length : quote;
    }
    if (this.#nextQuote < lineEnd) return -1;
    if (position < this.#start || lineEnd >= this.#end) this.#index(position);
    const { commas } = this;
    while (this.cursor < this.#count && commas[this.cursor]! < position) this.cursor++;
    const behind = this.cursor + width - 1;
    const enough = width === 1 || (behind <= this.#count && commas[behind - 1]! < lineEnd);
    const tooMany = behind < this.#count && commas[behind]! < lineEnd;
    return enough && !tooMany ? lineEnd : -1;
  }

  #index(start: number): void {
    const { commas } = this;
    const buffer = this.#buffer;
    const end = Math.min(start + BLOCK_BYTES, this.#length);
    let count = 0;
    for (let i = start; i < end; i++) {
      commas[count] = i;
      count += IS_COMMA[buffer[i]!]!;
    }
    this.#start = start;
    this.#end = end;
    this.#count = count;
    this.cursor = 0;
  }
}
