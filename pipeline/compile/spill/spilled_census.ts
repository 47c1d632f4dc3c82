/**
 * Census rows between the two passes: the first keeps the wanted fields as bytes, in a file for each
 * USDOT range; the second, which runs on every core, decodes them.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { CensusFields } from "../../fmcsa/census_fields.ts";
import { CENSUS_COLUMNS, CENSUS_FIELDS, CENSUS_WANTED } from "../../fmcsa/columns.ts";
import type { CsvRow } from "../../fmcsa/csv_row.ts";
import { decodeField, isBelievableDay } from "../../fmcsa/fields.ts";
import { isoDay } from "../../dates.ts";
import { addProblem, type ProblemTallies } from "../../fmcsa/problems.ts";
import {
  digits,
  type FirstPass,
  type FirstPassTask,
  readRows,
  rowUsdotNumber,
} from "./first_pass.ts";
import { SpillWriter } from "./staging.ts";
import { isAscii } from "../../text.ts";

const FIELDS = CENSUS_FIELDS.length;
const DOT = CENSUS_WANTED.indexOf("DOT_NUMBER");
const FILED = CENSUS_WANTED.indexOf("MCS150_DATE");

/** The first column of each field in a row of wanted columns, and one after the last. */
const FIRST_COLUMN = Int32Array.from(
  [0, ...CENSUS_FIELDS].map((_, i) =>
    CENSUS_FIELDS.slice(0, i).reduce((sum, { columns }) => sum + columns.length, 0)
  ),
);

/** Bytes before a row's fields: its size, USDOT number and line, and the length of each field. */
const HEAD_BYTES = 12 + 2 * FIELDS;

/** Bit of the size that marks a row with bytes over 0x7f, whose fields need decoding. */
const NOT_ASCII = 2 ** 31;

const COMMA = 44;
const QUOTE = 34;
const QUESTION_MARK = 63;

/** Columns whose values may name a person or a place, which a report does not show. */
const PRIVATE = /DOT_NUMBER|NAME|STREET|CITY|STATE$|ZIP|COUNTRY|PHONE|DESC|CARSHIP|CLASSDEF/;

/** Runs the first pass over the census file. */
export async function spillCensus(task: FirstPassTask): Promise<FirstPass> {
  const spill = new SpillWriter(task.dir);
  let newest = 0;
  const pass = await readRows(task, {
    known: CENSUS_COLUMNS,
    wanted: CENSUS_WANTED,
    row(row, problem): boolean {
      const dot = rowUsdotNumber(row, { field: DOT, problem, blank: "bad_usdot_number" });
      if (dot === undefined) return false;
      spillRow(spill, row, dot);
      newest = Math.max(newest, filedDay(row, task.latest));
      return true;
    },
  });
  spill.close();
  return { ...pass, newest };
}

function spillRow(spill: SpillWriter, row: CsvRow, dot: number): void {
  const { bytes: from, starts, ends, escaped } = row;
  let most = HEAD_BYTES + CENSUS_WANTED.length;
  for (let i = 0; i < CENSUS_WANTED.length; i++) most += ends[i]! - starts[i]!;
  const { bytes, offset } = spill.reserve(dot, most);
  let at = offset + HEAD_BYTES;
  let seen = 0;
  for (let field = 0; field < FIELDS; field++) {
    const first = FIRST_COLUMN[field]!;
    const behind = FIRST_COLUMN[field + 1]!;
    const before = at;
    let end = at;
    for (let i = first; i < behind; i++) {
      if (i > first) bytes[at++] = COMMA;
      const stop = ends[i]!;
      if (starts[i] === stop) continue;
      const doubled = escaped[i] === 1;
      for (let k = starts[i]!; k < stop; k++) {
        const byte = from[k]!;
        // A comma separates the values of joined columns, so a field with a comma is not one of them.
        bytes[at++] = byte === COMMA && behind - first > 1 ? QUESTION_MARK : byte;
        seen |= byte;
        if (doubled && byte === QUOTE) k++;
      }
      end = at;
    }
    // Joined columns end with the last one that has a value.
    at = end;
    const length = at - before;
    bytes[offset + 12 + 2 * field] = length & 0xff;
    bytes[offset + 13 + 2 * field] = length >> 8;
  }
  const size = at - offset;
  spill.giveBack(dot, most - size);
  putUint32(bytes, offset, seen > 0x7f ? size + NOT_ASCII : size);
  putUint32(bytes, offset + 4, dot);
  putUint32(bytes, offset + 8, row.line);
}

function putUint32(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value & 0xff;
  bytes[offset + 1] = (value >>> 8) & 0xff;
  bytes[offset + 2] = (value >>> 16) & 0xff;
  bytes[offset + 3] = value >>> 24;
}

function filedDay(row: CsvRow, latest: number): number {
  const start = row.starts[FILED]!;
  if (row.ends[FILED]! - start < 8) return 0;
  const day = digits(row.bytes, start, start + 8);
  return isBelievableDay(day, latest) ? day : 0;
}

/** The fields of spilled census rows, one row at a time. */
export class SpilledCensus implements CensusFields {
  dot = 0;
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  /**
   * All bytes as Latin-1: string offsets equal byte offsets, and most fields are ASCII and need no decoding.
   */
  #latin1: string;
  #problems: ProblemTallies;
  #offset = 0;
  #ascii = true;
  #ends = new Uint32Array(FIELDS);
  /** Most dates occur in many rows. */
  #days = new Map<number, string>();

  constructor(bytes: Uint8Array<ArrayBuffer>, problems: ProblemTallies) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
    this.#latin1 = Buffer.from(bytes.buffer).toString("latin1");
    this.#problems = problems;
  }

  /** Offsets of the rows, by USDOT number. */
  inDotOrder(): Float64Array {
    const keys: number[] = [];
    for (let at = 0; at < this.#bytes.length; at += this.#view.getUint32(at, true) % NOT_ASCII) {
      // 17 bits of the USDOT number and 36 of the offset are exact in a double, which sorts without a
      // comparator.
      keys.push(this.#view.getUint32(at + 4, true) % 100_000 * 2 ** 36 + at);
    }
    const sorted = Float64Array.from(keys).sort();
    for (let i = 0; i < sorted.length; i++) sorted[i] = sorted[i]! % 2 ** 36;
    return sorted;
  }

  get line(): number {
    return this.#view.getUint32(this.#offset + 8, true);
  }

  seek(offset: number): void {
    this.#offset = offset;
    this.#ascii = this.#view.getUint32(offset, true) < NOT_ASCII;
    this.dot = this.#view.getUint32(offset + 4, true);
    let end = offset + HEAD_BYTES;
    for (let i = 0; i < FIELDS; i++) {
      end += this.#view.getUint16(offset + 12 + 2 * i, true);
      this.#ends[i] = end;
    }
  }

  isBlank(field: number): boolean {
    return this.#start(field) === this.#ends[field];
  }

  text(field: number): string {
    const start = this.#start(field);
    const end = this.#ends[field]!;
    if (start === end) return "";
    const text = this.#latin1.substring(start, end);
    if (this.#ascii || isAscii(text)) return text;
    const decoded = decodeField(this.#bytes.subarray(start, end));
    if (decoded.repair) this.problem(decoded.repair, CENSUS_FIELDS[field]!.name, decoded.text);
    return decoded.text;
  }

  #start(field: number): number {
    return field === 0 ? this.#offset + HEAD_BYTES : this.#ends[field - 1]!;
  }

  isoDay(day: number): string {
    let iso = this.#days.get(day);
    if (iso === undefined) this.#days.set(day, iso = isoDay(day));
    return iso;
  }

  problem(reason: keyof ProblemTallies, field: string, value: string): void {
    const shown = PRIVATE.test(field) ? "" : ` ${JSON.stringify(value.slice(0, 40))}`;
    addProblem(this.#problems, reason, {
      line: this.line,
      detail: `USDOT ${this.dot}: ${field}${shown}`,
    });
  }
}
