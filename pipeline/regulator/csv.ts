/**
 * A CSV scanner over bytes (RFC 4180), for files of gigabytes of which few columns are wanted.
 *
 * It keeps offsets and decodes nothing. It refuses what a fast library lets through (`udsv` merges a
 * short row with the next one and drops text after a closing quote, without a word) and it takes up
 * reading again at the next physical line, so that one stray quote costs one line, not the file.
 *
 * @module
 */

const LF = 10;
const CR = 13;
const QUOTE = 34;
const COMMA = 44;

/** One row. Reused: read what is needed before returning from the handler. */
export interface CsvRow {
  bytes: Uint8Array;
  /** Offset of each field's first byte, quotes left out. */
  starts: Int32Array;
  /** Offset behind each field's last byte. */
  ends: Int32Array;
  /** 1 where the field holds doubled quotes that {@link fieldBytes} must make single. */
  escaped: Uint8Array;
  /** Line of the file the row begins on, from 1. */
  line: number;
}

/** Why a row cannot be read. */
export type CsvProblem = "ragged_row" | "bad_quote" | "row_too_long" | "blank_line";

/** Receives what the scanner finds, in the order of the file. */
export interface CsvHandler {
  header(names: string[]): void;
  row(row: CsvRow): void;
  /** `column` counts bytes from 1 in the line where reading failed. */
  problem(problem: CsvProblem, at: { line: number; column: number; detail: string }): void;
}

/** How a scanner may be bounded. */
export interface CsvOptions {
  /** A longer row is refused, which also bounds the search for a closing quote. @default 65536 */
  maxRowBytes?: number;
}

const NEED_MORE = -1;
const BAD_QUOTE = -2;

/** Splits pushed chunks into rows. Call {@link CsvScanner.push} for each chunk, then {@link CsvScanner.finish}. */
export class CsvScanner {
  #handler: CsvHandler;
  #maxRowBytes: number;
  #buffer = new Uint8Array(1 << 16);
  #length = 0;
  #width = 0;
  #line = 1;
  #skippingLine = false;
  #started = false;
  #columns = 0;
  #lineBreaks = 0;
  #failedAt = 0;
  #row: CsvRow;

  constructor(handler: CsvHandler, { maxRowBytes = 65_536 }: CsvOptions = {}) {
    this.#handler = handler;
    this.#maxRowBytes = maxRowBytes;
    this.#row = {
      bytes: this.#buffer,
      starts: new Int32Array(1024),
      ends: new Int32Array(1024),
      escaped: new Uint8Array(1024),
      line: 1,
    };
  }

  /** Reads every whole row of the bytes pushed so far. */
  push(chunk: Uint8Array): void {
    // Two spare bytes hold the sentinels that let the inner loops run without a bounds check.
    const needed = this.#length + chunk.length + 2;
    if (needed > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(needed, Math.min(this.#buffer.length * 2, 1 << 24)));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length += chunk.length;
    this.#scan(false);
  }

  /**
   * Reads the last row.
   *
   * @returns Whether the file ended in a line break, as a whole file does.
   */
  finish(): boolean {
    const whole = !this.#skippingLine &&
      (this.#length === 0 ? this.#started : this.#buffer[this.#length - 1] === LF);
    this.#scan(true);
    return whole;
  }

  #scan(final: boolean): void {
    const buffer = this.#buffer;
    const length = this.#length;
    buffer[length] = LF;
    buffer[length + 1] = QUOTE;
    this.#row.bytes = buffer;
    let position = 0;
    if (!this.#started && length > 0) {
      if (length < 3 && !final) return;
      this.#started = true;
      if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) position = 3;
    }
    while (position < length) {
      if (this.#skippingLine) {
        const lineEnd = buffer.indexOf(LF, position);
        position = lineEnd < length ? lineEnd + 1 : length;
        if (lineEnd >= length) break;
        this.#skippingLine = false;
        this.#line++;
        continue;
      }
      const next = this.#readRow(position, final);
      if (next >= 0) {
        position = this.#deliver(position, next);
      } else if (next === BAD_QUOTE) {
        position = this.#refuse("bad_quote", position, "text after a closing quote");
      } else if (length - position > this.#maxRowBytes) {
        position = this.#columns < 0
          ? this.#refuse("bad_quote", position, "a quote is never closed")
          : this.#refuse("row_too_long", position, `no line end in ${this.#maxRowBytes} bytes`);
      } else if (final) {
        position = this.#refuse("bad_quote", position, "a quote is open at the end of the file");
      } else {
        break;
      }
    }
    buffer.copyWithin(0, position, length);
    this.#length = length - position;
  }

  /** Notes the fields of the row at `position`; returns the offset behind it or why there is none. */
  #readRow(position: number, final: boolean): number {
    const { starts, ends, escaped } = this.#row;
    const buffer = this.#buffer;
    const length = this.#length;
    let column = 0;
    let i = position;
    this.#lineBreaks = 0;
    for (;;) {
      let byte = buffer[i]!;
      if (byte === QUOTE && i < length) {
        let j = i + 1;
        let doubled = 0;
        for (;;) {
          while ((byte = buffer[j]!) !== QUOTE) {
            if (byte === LF) this.#lineBreaks++;
            j++;
          }
          if (j >= length || (j + 1 === length && !final)) {
            this.#columns = -1;
            this.#failedAt = i;
            return NEED_MORE;
          }
          if (buffer[j + 1] !== QUOTE || j + 1 >= length) break;
          doubled = 1;
          j += 2;
        }
        starts[column] = i + 1;
        ends[column] = j;
        escaped[column] = doubled;
        i = j + 1;
        if (buffer[i] === CR && buffer[i + 1] === LF) i++;
        byte = buffer[i]!;
        if (byte !== COMMA && byte !== LF) {
          this.#failedAt = i;
          return BAD_QUOTE;
        }
      } else {
        starts[column] = i;
        while (byte !== COMMA && byte !== LF) byte = buffer[++i]!;
        ends[column] = byte === LF && i > position && buffer[i - 1] === CR ? i - 1 : i;
        escaped[column] = 0;
      }
      column++;
      if (byte === LF) {
        this.#columns = column;
        if (i >= length) {
          this.#failedAt = i;
          if (!final) return NEED_MORE;
        }
        return Math.min(i + 1, length);
      }
      i++;
    }
  }

  /** Hands a row that could be split to the handler, and returns where to go on. */
  #deliver(position: number, next: number): number {
    const row = this.#row;
    const line = this.#line;
    if (next - position > this.#maxRowBytes) {
      return this.#refuse("row_too_long", position, `${next - position} bytes`);
    }
    row.line = line;
    if (this.#width === 0) {
      this.#width = this.#columns;
      this.#line += 1 + this.#lineBreaks;
      const decoder = new TextDecoder();
      this.#handler.header(
        Array.from({ length: this.#width }, (_, i) => decoder.decode(fieldBytes(row, i)).trim()),
      );
      return next;
    }
    if (this.#columns !== this.#width) {
      if (this.#columns === 1 && row.ends[0] === row.starts[0]) {
        this.#handler.problem("blank_line", { line, column: 1, detail: "" });
        this.#line++;
        return next;
      }
      this.#failedAt = Math.max(position, next - 1);
      const detail = `${this.#columns} fields instead of ${this.#width}`;
      return this.#refuse("ragged_row", position, detail);
    }
    this.#line += 1 + this.#lineBreaks;
    this.#handler.row(row);
    return next;
  }

  /** Gives up the physical line at `position` only: a lost quote may have swallowed good rows. */
  #refuse(problem: CsvProblem, position: number, detail: string): number {
    const lineEnd = this.#buffer.indexOf(LF, position);
    const column = Math.min(this.#failedAt, lineEnd) - position + 1;
    this.#handler.problem(problem, { line: this.#line, column: Math.max(column, 1), detail });
    if (lineEnd >= this.#length) {
      this.#skippingLine = true;
      return this.#length;
    }
    this.#line++;
    return lineEnd + 1;
  }
}

/** The bytes of field `i`, doubled quotes made single. A view where nothing had to change. */
export function fieldBytes(row: CsvRow, i: number): Uint8Array {
  const bytes = row.bytes.subarray(row.starts[i]!, row.ends[i]!);
  if (row.escaped[i] === 0) return bytes;
  const single = new Uint8Array(bytes.length);
  let length = 0;
  for (let k = 0; k < bytes.length; k++) {
    single[length++] = bytes[k]!;
    if (bytes[k] === QUOTE) k++;
  }
  return single.subarray(0, length);
}
