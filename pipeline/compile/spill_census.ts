/**
 * First pass over the census: splits rows, keeps the wanted fields as bytes, sets them aside by USDOT
 * range. Decoding waits for the second pass, which runs on every core.
 *
 * @module
 */

import { CENSUS_COLUMNS, CENSUS_WANTED } from "../fmcsa/columns.ts";
import type { CsvRow } from "../fmcsa/csv_row.ts";
import { isBelievableDay } from "../fmcsa/fields.ts";
import {
  digits,
  type FirstPass,
  readRows,
  rowUsdotNumber,
  type SpillOptions,
} from "./first_pass.ts";
import { SpillWriter } from "./spill.ts";

const FIELDS = CENSUS_WANTED.length;
const DOT = CENSUS_WANTED.indexOf("DOT_NUMBER");
const FILED = CENSUS_WANTED.indexOf("MCS150_DATE");

/** Bit of the size that marks a row with bytes over 0x7f, whose fields need decoding. */
export const NOT_ASCII = 2 ** 31;

/** Bytes before a row's fields: its size, USDOT number and line, and the length of each field. */
export const CENSUS_HEAD_BYTES = 12 + 2 * FIELDS;

/** Runs the first pass over the census file into `dir`. */
export async function spillCensus(
  path: string,
  options: SpillOptions,
): Promise<FirstPass> {
  const spill = new SpillWriter(options.dir);
  let newest = 0;
  const pass = await readRows(path, {
    known: CENSUS_COLUMNS,
    wanted: CENSUS_WANTED,
    hash: options.hash,
    progress: options.progress,
    row(row, problem): boolean {
      const dot = rowUsdotNumber(row, { field: DOT, problem, blank: "bad_usdot_number" });
      if (dot === undefined) return false;
      spillRow(spill, { row, dot });
      newest = Math.max(newest, filedDay(row, options.latest));
      return true;
    },
  });
  spill.close();
  return { ...pass, newest };
}

function spillRow(
  spill: SpillWriter,
  { row, dot }: { row: CsvRow; dot: number },
): void {
  const { bytes: from, starts, ends, escaped } = row;
  let size = CENSUS_HEAD_BYTES;
  for (let i = 0; i < FIELDS; i++) size += ends[i]! - starts[i]!;
  const { bytes, offset } = spill.reserve(dot, size);
  let at = offset + CENSUS_HEAD_BYTES;
  let seen = 0;
  for (let i = 0; i < FIELDS; i++) {
    const end = ends[i]!;
    const before = at;
    const doubled = escaped[i] === 1;
    for (let k = starts[i]!; k < end; k++) {
      const byte = from[k]!;
      bytes[at++] = byte;
      seen |= byte;
      if (doubled && byte === 34) k++;
    }
    const length = at - before;
    bytes[offset + 12 + 2 * i] = length & 0xff;
    bytes[offset + 13 + 2 * i] = length >> 8;
  }
  // Fields whose doubled quotes became single leave a gap, hence a size of its own.
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
