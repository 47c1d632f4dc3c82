/**
 * Reads one CSV row byte by byte: the header, and rows with quotes or of the wrong width.
 *
 * @module
 */

const LF = 10;
const CR = 13;
const QUOTE = 34;
const COMMA = 44;

/** The row does not end within the bytes so far. */
const NEED_MORE = -1;

/** A closing quote is followed by something other than a comma or line end. */
export const BAD_QUOTE = -2;

/**
 * Fields of one row; a scanner passes the wanted ones, in the order they are wanted. Reused for the next
 * row when the handler returns.
 */
export interface CsvRow {
  bytes: Uint8Array;
  /** Offset of each wanted field's first byte, quotes left out. */
  starts: Int32Array;
  /** Offset after each wanted field's last byte. */
  ends: Int32Array;
  /** 1 where the field contains doubled quotes that {@link fieldBytes} must make single. */
  escaped: Uint8Array;
  /** Line of the file the row begins on, from 1. */
  line: number;
}

/**
 * Splits rows. The two bytes after the end must be a line end and a quote: they stop the inner loops,
 * which have no bounds check.
 */
export class CsvRowReader {
  /** Every field of the row read last. */
  readonly row = newRow();
  /** Number of fields in that row. */
  columns = 0;
  /** Line ends inside its quoted fields. */
  lineBreaks = 0;
  /** Whether reading stopped inside a quoted field. */
  inQuotes = false;
  /** Offset of what could not be read. */
  failedAt = 0;
  #buffer: Uint8Array = new Uint8Array(0);
  #length = 0;

  /** Starts over with the bytes before `length`. */
  reset(buffer: Uint8Array, length: number): void {
    this.#buffer = this.row.bytes = buffer;
    this.#length = length;
  }

  /** Reads the row at `position`; returns the offset after it, or a negative code. */
  read(position: number, final: boolean): number {
    const { starts, ends, escaped } = this.row;
    const buffer = this.#buffer;
    let column = 0;
    let start = position;
    let i = position;
    this.lineBreaks = 0;
    this.inQuotes = false;
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

  /** Reads a quoted field; returns the offset of the comma or line end after it, or a negative code. */
  #readQuoted(column: number, { open, final }: { open: number; final: boolean }): number {
    const { starts, ends, escaped } = this.row;
    const buffer = this.#buffer;
    const length = this.#length;
    let doubled = 0;
    let i = open + 1;
    for (;;) {
      let byte: number;
      while ((byte = buffer[i]!) !== QUOTE) {
        if (byte === LF) this.lineBreaks++;
        i++;
      }
      if (i >= length || (i + 1 === length && !final)) {
        this.inQuotes = true;
        this.failedAt = open;
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
    this.failedAt = i;
    return BAD_QUOTE;
  }

  /** The offset after a row that ends at `lineEnd`, unless that is only the end of what was pushed. */
  #rowEnd(lineEnd: number, { column, final }: { column: number; final: boolean }): number {
    this.columns = column;
    if (lineEnd < this.#length) return lineEnd + 1;
    this.failedAt = lineEnd;
    return final ? this.#length : NEED_MORE;
  }
}

export function newRow(): CsvRow {
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
