/**
 * First pass over the census: splits rows, keeps the wanted fields as bytes, sets them aside by USDOT
 * range. Decoding waits for the second pass, which runs on every core.
 *
 * @module
 */

import { CENSUS_COLUMNS, CENSUS_WANTED } from "../regulator/columns.ts";
import type { CsvRow } from "../regulator/csv.ts";
import { parseDay } from "../regulator/fields.ts";
import { type FirstPass, readRows, rowUsdotNumber } from "./first_pass.ts";
import { SpillWriter } from "./spill.ts";

const FIELDS = CENSUS_WANTED.length;
const DOT = CENSUS_WANTED.indexOf("DOT_NUMBER");
const FILED = CENSUS_WANTED.indexOf("MCS150_DATE");

/** Bytes before a row's fields: its size, USDOT number and line, and the length of each field. */
export const CENSUS_HEAD_BYTES = 12 + 2 * FIELDS;

/** Runs the first pass over the census file into `dir`. */
export async function spillCensus(
  path: string,
  options: { dir: string; latest: number; progress: (bytes: number) => void },
): Promise<FirstPass> {
  const spill = new SpillWriter(options.dir);
  let newest = 0;
  const pass = await readRows(path, {
    known: CENSUS_COLUMNS,
    wanted: CENSUS_WANTED,
    progress: options.progress,
    row(row, places, problem): boolean {
      const dot = rowUsdotNumber(row, { place: places[DOT]!, problem, blank: "bad_usdot_number" });
      if (dot === undefined) return false;
      spillRow(spill, { row, places, dot });
      newest = Math.max(newest, filedDay(row, places[FILED]!, options.latest));
      return true;
    },
  });
  spill.close();
  return { ...pass, newest };
}

function spillRow(
  spill: SpillWriter,
  { row, places, dot }: { row: CsvRow; places: readonly number[]; dot: number },
): void {
  const { bytes: from, starts, ends, escaped } = row;
  let size = CENSUS_HEAD_BYTES;
  for (let i = 0; i < FIELDS; i++) size += ends[places[i]!]! - starts[places[i]!]!;
  const { bytes, offset } = spill.reserve(dot, size);
  let at = offset + CENSUS_HEAD_BYTES;
  for (let i = 0; i < FIELDS; i++) {
    const place = places[i]!;
    const start = starts[place]!;
    const end = ends[place]!;
    const before = at;
    if (escaped[place] === 1) {
      for (let k = start; k < end; k++) {
        bytes[at++] = from[k]!;
        if (from[k] === 34) k++;
      }
    } else {
      for (let k = start; k < end; k++) bytes[at++] = from[k]!;
    }
    const length = at - before;
    bytes[offset + 12 + 2 * i] = length & 0xff;
    bytes[offset + 13 + 2 * i] = length >> 8;
  }
  // Fields whose doubled quotes became single leave a gap, hence a size of its own.
  putUint32(bytes, offset, size);
  putUint32(bytes, offset + 4, dot);
  putUint32(bytes, offset + 8, row.line);
}

function putUint32(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value & 0xff;
  bytes[offset + 1] = (value >>> 8) & 0xff;
  bytes[offset + 2] = (value >>> 16) & 0xff;
  bytes[offset + 3] = value >>> 24;
}

function filedDay(row: CsvRow, place: number, latest: number): number {
  const start = row.starts[place]!;
  if (row.ends[place]! - start < 8) return 0;
  let text = "";
  for (let i = start; i < start + 8; i++) text += String.fromCharCode(row.bytes[i]!);
  return Math.max(parseDay(text, latest), 0);
}
