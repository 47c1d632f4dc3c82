/**
 * A CSV scanner over bytes (RFC 4180), for multi-gigabyte files of which only a few columns are needed.
 *
 * It keeps offsets and decodes nothing. It rejects what a fast library accepts (`udsv` silently merges a
 * short row with the next one and drops text after a closing quote), and it resumes at the next physical
 * line, so a stray quote costs one line, not the rest of the file.
 *
 * @module
 */

import { BAD_QUOTE, type CsvRow, CsvRowReader, fieldBytes, newRow } from "./csv_row.ts";

const LF = 10;
const CR = 13;
const QUOTE = 34;
const COMMA = 44;

/** Why a row cannot be read. */
export type CsvProblem = "ragged_row" | "bad_quote" | "row_too_long" | "blank_line";

/** Receives what the scanner finds, in file order. */
interface CsvHandler {
  /** Returns the places of the wanted columns. */
  header(names: string[]): readonly number[];
  row(row: CsvRow): void;
  /** `column` counts bytes from 1 in the line where reading failed. */
  problem(problem: CsvProblem, at: { line: number; column: number; detail: string }): void;
}

export interface CsvOptions {
  /** A longer row is refused, which also bounds the search for a closing quote. @default {65536} */
  maxRowBytes?: number;
}

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
  #failedAt = 0;
  #wanted: readonly number[] = [];
  #index = new CsvIndex();
  #reader = new CsvRowReader();
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
   * @returns Whether the file ended with a line break. A complete file does.
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
    this.#reader.reset(buffer, length);
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
      const reader = this.#reader;
      const next = reader.read(position, final);
      this.#failedAt = reader.failedAt;
      if (next >= 0) {
        position = this.#deliver(position, next);
      } else if (next === BAD_QUOTE) {
        position = this.#refuse("bad_quote", position, "text after a closing quote");
      } else if (length - position > this.#maxRowBytes) {
        position = reader.inQuotes
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

  /** Delivers the row at `position` if it is complete, unquoted and of the right width; otherwise returns 0. */
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

  /** Passes a row that could be split to the handler; returns where the next one begins. */
  #deliver(position: number, next: number): number {
    const { row: all, columns, lineBreaks } = this.#reader;
    const line = this.#line;
    if (next - position > this.#maxRowBytes) {
      return this.#refuse("row_too_long", position, `${next - position} bytes`);
    }
    if (this.#width === 0) {
      this.#width = columns;
      this.#line += 1 + lineBreaks;
      const decoder = new TextDecoder();
      this.#wanted = this.#handler.header(
        Array.from({ length: this.#width }, (_, i) => decoder.decode(fieldBytes(all, i)).trim()),
      );
      return next;
    }
    if (columns !== this.#width) {
      if (columns === 1 && all.ends[0] === all.starts[0]) {
        this.#handler.problem("blank_line", { line, column: 1, detail: "" });
        this.#line++;
        return next;
      }
      this.#failedAt = Math.max(position, next - 1);
      const detail = `${columns} fields instead of ${this.#width}`;
      return this.#refuse("ragged_row", position, detail);
    }
    this.#line += 1 + lineBreaks;
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

  /** Skips the physical line at `position` only: a lost quote may have swallowed good rows. */
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

const BLOCK_BYTES = 1 << 17;

// How far to advance for each byte.
const IS_COMMA = new Uint8Array(256);
IS_COMMA[COMMA] = 1;

/**
 * Offsets of the commas of one block at a time, with a cursor at the next row. Fields are a few bytes
 * long, so a loop that branches at each field's end mispredicts most of them; storing every offset and
 * advancing by 0 or 1 is several times as fast.
 */
class CsvIndex {
  readonly commas = new Int32Array(BLOCK_BYTES + 1);
  /** Index in {@link commas} of the first comma at or after the row's start. */
  cursor = 0;
  #buffer: Uint8Array = new Uint8Array(0);
  #length = 0;
  #count = 0;
  #start = 0;
  #end = 0;
  #nextQuote = 0;

  /** Starts over with the bytes before `length`. */
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
   * Moves the cursor to the row at `position` if that is plain: complete, shorter than a block, without
   * a quote, of `width` fields.
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
