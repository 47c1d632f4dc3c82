/**
 * A CSV scanner over bytes (RFC 4180), for files of gigabytes of which few columns are wanted.
 *
 * It keeps offsets and decodes nothing. It refuses what a fast library lets through (`udsv` merges a
 * short row with the next one and drops text after a closing quote, without a word) and it takes up
 * reading again at the next physical line, so that one stray quote costs one line, not the file.
 *
 * @module
 */

import { CsvIndex } from "./csv_index.ts";

const LF = 10;
const CR = 13;
const QUOTE = 34;
const COMMA = 44;

/**
 * The wanted fields of one row, in the order they are wanted. Reused: read what is needed before
 * returning from the handler.
 */
export interface CsvRow {
  bytes: Uint8Array;
  /** Offset of each wanted field's first byte, quotes left out. */
  starts: Int32Array;
  /** Offset behind each wanted field's last byte. */
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
  /** Returns the places of the wanted columns. */
  header(names: string[]): readonly number[];
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
  #wanted: readonly number[] = [];
  #index = new CsvIndex();
  /** Every field of a row read byte by byte. */
  #all = newRow();
  #row = newRow();

  constructor(handler: CsvHandler, { maxRowBytes = 65_536 }: CsvOptions = {}) {
    this.#handler = handler;
    this.#maxRowBytes = maxRowBytes;
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
    this.#row.bytes = this.#all.bytes = buffer;
    this.#index.reset(buffer, length);
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
      const behind = this.#plainRow(position);
      if (behind > 0) {
        position = behind;
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

  /** Delivers the row at `position` if it is whole, unquoted and as wide as it should be; else returns 0. */
  #plainRow(position: number): number {
    const index = this.#index;
    const width = this.#width;
    if (width === 0) return 0;
    const lineEnd = index.seekPlainRow(position, width);
    if (lineEnd < 0 || lineEnd - position >= this.#maxRowBytes) return 0;
    const { commas, cursor } = index;
    const { starts, ends } = this.#row;
    const wanted = this.#wanted;
    const textEnd = lineEnd > position && this.#buffer[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
    for (let i = 0; i < wanted.length; i++) {
      const place = wanted[i]!;
      const comma = cursor + place;
      starts[i] = place === 0 ? position : commas[comma - 1]! + 1;
      ends[i] = place === width - 1 ? textEnd : commas[comma]!;
    }
    this.#row.escaped.fill(0, 0, wanted.length);
    this.#row.line = this.#line++;
    this.#handler.row(this.#row);
    return lineEnd + 1;
  }

  /** Notes the fields of the row at `position`; returns the offset behind it or why there is none. */
  #readRow(position: number, final: boolean): number {
    const { starts, ends, escaped } = this.#all;
    const buffer = this.#buffer;
    let column = 0;
    let start = position;
    let i = position;
    this.#lineBreaks = 0;
    starts[0] = start;
    for (;;) {
      const byte = buffer[i]!;
      // Letters and digits come after the comma: most bytes need this one test.
      if (byte > COMMA) {
        i++;
      } else if (byte === COMMA) {
        ends[column] = i;
        escaped[column++] = 0;
        starts[column] = start = ++i;
      } else if (byte === LF) {
        ends[column] = i > start && buffer[i - 1] === CR ? i - 1 : i;
        escaped[column++] = 0;
        return this.#rowEnd(i, { column, final });
      } else if (byte === QUOTE && i === start) {
        i = this.#readQuoted(column, { open: i, final });
        if (i < 0) return i;
        column++;
        if (buffer[i] === LF) return this.#rowEnd(i, { column, final });
        starts[column] = start = ++i;
      } else {
        i++;
      }
    }
  }

  /** Notes a quoted field; returns the offset of the comma or line end behind it, or why there is none. */
  #readQuoted(column: number, { open, final }: { open: number; final: boolean }): number {
    const { starts, ends, escaped } = this.#all;
    const buffer = this.#buffer;
    const length = this.#length;
    let doubled = 0;
    let i = open + 1;
    for (;;) {
      let byte: number;
      while ((byte = buffer[i]!) !== QUOTE) {
        if (byte === LF) this.#lineBreaks++;
        i++;
      }
      if (i >= length || (i + 1 === length && !final)) {
        this.#columns = -1;
        this.#failedAt = open;
        return NEED_MORE;
      }
      if (buffer[i + 1] !== QUOTE || i + 1 >= length) break;
      doubled = 1;
      i += 2;
    }
    starts[column] = open + 1;
    ends[column] = i++;
    escaped[column] = doubled;
    if (buffer[i] === CR && buffer[i + 1] === LF) i++;
    if (buffer[i] === COMMA || buffer[i] === LF) return i;
    this.#failedAt = i;
    return BAD_QUOTE;
  }

  /** The offset behind a row that ends at `lineEnd`, unless that is only the end of what was pushed. */
  #rowEnd(lineEnd: number, { column, final }: { column: number; final: boolean }): number {
    this.#columns = column;
    if (lineEnd < this.#length) return lineEnd + 1;
    this.#failedAt = lineEnd;
    return final ? this.#length : NEED_MORE;
  }

  /** Hands a row that could be split to the handler, and returns where to go on. */
  #deliver(position: number, next: number): number {
    const all = this.#all;
    const line = this.#line;
    if (next - position > this.#maxRowBytes) {
      return this.#refuse("row_too_long", position, `${next - position} bytes`);
    }
    if (this.#width === 0) {
      this.#width = this.#columns;
      this.#line += 1 + this.#lineBreaks;
      const decoder = new TextDecoder();
      this.#wanted = this.#handler.header(
        Array.from({ length: this.#width }, (_, i) => decoder.decode(fieldBytes(all, i)).trim()),
      );
      return next;
    }
    if (this.#columns !== this.#width) {
      if (this.#columns === 1 && all.ends[0] === all.starts[0]) {
        this.#handler.problem("blank_line", { line, column: 1, detail: "" });
        this.#line++;
        return next;
      }
      this.#failedAt = Math.max(position, next - 1);
      const detail = `${this.#columns} fields instead of ${this.#width}`;
      return this.#refuse("ragged_row", position, detail);
    }
    this.#line += 1 + this.#lineBreaks;
    const row = this.#row;
    row.line = line;
    for (const [i, place] of this.#wanted.entries()) {
      row.starts[i] = all.starts[place]!;
      row.ends[i] = all.ends[place]!;
      row.escaped[i] = all.escaped[place]!;
    }
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

function newRow(): CsvRow {
  return {
    bytes: new Uint8Array(0),
    starts: new Int32Array(1024),
    ends: new Int32Array(1024),
    escaped: new Uint8Array(1024),
    line: 1,
  };
}

/** The bytes of wanted field `i`, doubled quotes made single. A view where nothing had to change. */
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
