/**
 * Decodes shards from stored bytes to records. Web APIs only.
 *
 * @module
 */

import { gunzip } from "../../bytes.ts";
import { messageOf } from "../../text.ts";
import { type CarrierRecord, isCount, isObject, type LeftCarrier } from "./record.ts";
import { isLeftRow, leftCarrierOf, recordOf } from "./rows.ts";

export interface DecodedShard<T> {
  value: T;
  /** Length of the JSON text, in bytes. */
  textBytes: number;
}

/** `dockets/<n>.json.gz`: prefix, then docket number, then USDOT numbers in order of precedence. */
export type DocketShard = Record<string, Record<string, number[]>>;

/** The keys a shard may contain: `shard * width` and the following `width - 1`. */
export interface ShardRange {
  shard: number;
  width: number;
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });
/** Takes a third of the time, and replaces invalid UTF-8 with U+FFFD. */
const LENIENT = new TextDecoder();
/** Four times the size of a hundred records at all their limits. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;

/**
 * Maximum number of arrays and objects in a shard, also four times that of a hundred records at all their
 * limits. They have a separate limit because, once parsed, empty ones take 500 times the size of their text.
 */
const MOST_BRACKETS = 65_536;

/** The text of `carriers/<n>.json.gz`: an array with each row on a line of its own. */
export function carrierText(rows: readonly unknown[][]): string {
  return carrierLines(rows.map((row) => JSON.stringify(row)));
}

/** As {@link carrierText}, from the JSON text of each row. */
export function carrierLines(lines: readonly string[]): string {
  return `[\n${lines.join(",\n")}\n]`;
}

/** A carrier shard whose rows are parsed on demand. */
export interface CarrierShard {
  text: string;
  /** Where each row begins, by USDOT number. A string per row would take a sixth more memory. */
  starts: Int32Array;
}

/** The rows of `carriers/<n>.json.gz`; errors as {@link decodeShardText}. */
export async function decodeCarrierShard(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<DecodedShard<CarrierShard>> {
  const { value, textBytes } = await decodeShardText(bytes);
  return { value: carrierShard(value), textBytes };
}

/** Finds the rows of a carrier shard: a line break inside a string is escaped. */
export function carrierShard(text: string): CarrierShard {
  const starts: number[] = [];
  for (let at = text.indexOf("\n["); at >= 0; at = text.indexOf("\n[", at + 1)) starts.push(at + 1);
  return { text, starts: Int32Array.from(starts) };
}

/**
 * Reads one row of a carrier shard, without parsing the others where it can: a record, or a carrier that
 * left the census.
 *
 * @returns Null when the shard does not have it.
 * @throws {SyntaxError} When the JSON is damaged.
 * @throws {TypeError} When the shard, or the record, is not what the format says.
 */
export function carrierIn(
  shard: CarrierShard,
  { dot, ...range }: ShardRange & { dot: number },
): CarrierRecord | LeftCarrier | null {
  const found = findRow(shard, dot);
  const row = found === undefined
    ? parseRows(shard.text, range).find(([number]) => number === dot)
    : parseJson(found);
  if (row === undefined) return null;
  return isLeftRow(row) ? toLeft(row, dot) : toRecord(row, dot);
}

/** The text of a USDOT number's row; numbers ascend. */
function findRow({ text, starts }: CarrierShard, dot: number): string | undefined {
  let low = 0;
  let high = starts.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const start = starts[middle]!;
    const number = parseInt(text.slice(start + 1, start + 10));
    // A row ends with a comma or the last line break.
    if (number === dot) return text.slice(start, (starts[middle + 1] ?? text.length) - 2);
    if (number < dot) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** All records of a carrier shard, without carriers that left; errors as {@link carrierIn}. */
export async function decodeCarriers(
  bytes: Uint8Array<ArrayBuffer>,
  range: ShardRange,
): Promise<CarrierRecord[]> {
  return (await decodeCarrierRows(bytes, range)).records;
}

/** All rows of a carrier shard; errors as {@link carrierIn}. */
export async function decodeCarrierRows(
  bytes: Uint8Array<ArrayBuffer>,
  range: ShardRange,
): Promise<{ records: CarrierRecord[]; left: LeftCarrier[] }> {
  const { value: text } = await decodeShardText(bytes);
  const rows = parseRows(text, range);
  return {
    records: rows.filter((row) => !isLeftRow(row)).map((row) => toRecord(row, row[0])),
    left: rows.filter((row) => isLeftRow(row)).map((row) => toLeft(row, row[0])),
  };
}

function toLeft(row: unknown, dot: unknown): LeftCarrier {
  const left = leftCarrierOf(row);
  if (left?.dot !== dot) throw new TypeError(`row ${dot} is malformed`);
  return left as LeftCarrier;
}

function toRecord(row: unknown, dot: unknown): CarrierRecord {
  const record = recordOf(row);
  if (record?.dot !== dot) throw new TypeError(`record ${dot} is malformed`);
  return record as CarrierRecord;
}

/** The rows of a shard; their USDOT numbers ascend and belong to it. */
function parseRows(text: string, { shard, width }: ShardRange): unknown[][] {
  const rows = parseJson(text);
  if (!Array.isArray(rows)) throw new TypeError("Cannot read carrier shard: not an array");
  const end = (shard + 1) * width;
  let previous = shard * width - 1;
  for (const row of rows) {
    const dot = Array.isArray(row) ? row[0] : undefined;
    if (!isCount(dot) || dot <= previous || dot >= end) {
      throw new TypeError("Cannot read carrier shard: USDOT numbers out of order or out of range");
    }
    previous = dot;
  }
  return rows;
}

/** Decodes a docket shard; errors as {@link carrierIn}. */
export async function decodeDockets(
  bytes: Uint8Array<ArrayBuffer>,
  { shard, width }: ShardRange,
): Promise<DecodedShard<DocketShard>> {
  const { value: text, textBytes } = await decodeShardText(bytes);
  const value = parseJson(text);
  const first = shard * width;
  if (!isObject(value)) throw new TypeError("Cannot read docket shard: not an object");
  for (const [prefix, numbers] of Object.entries(value)) {
    if (!isObject(numbers)) {
      throw new TypeError(`Cannot read docket shard: "${prefix}" is malformed`);
    }
    for (const [digits, dots] of Object.entries(numbers)) {
      const number = Number(digits);
      const inRange = /^\d{1,8}$/.test(digits) && number >= first && number < first + width;
      if (!inRange || !isDotList(dots)) {
        throw new TypeError(`Cannot read docket shard: "${prefix}" ${digits} is malformed`);
      }
    }
  }
  return { value: value as DocketShard, textBytes };
}

/** The USDOT numbers of a docket, empty when no carrier has it. */
export function findDocket(shard: DocketShard, prefix: string, number: number): number[] {
  // hasOwn: a prefix comes from a caller and may be "constructor".
  if (!Object.hasOwn(shard, prefix)) return [];
  const numbers = shard[prefix]!;
  return Object.hasOwn(numbers, number) ? numbers[number]! : [];
}

/**
 * The text of a shard.
 *
 * @throws {SyntaxError} When the gzip stream is damaged or the text is not UTF-8.
 */
export async function decodeShardText(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<DecodedShard<string>> {
  try {
    const text = await gunzip(bytes, MAX_TEXT_BYTES);
    const textBytes = text.length;
    const lenient = LENIENT.decode(text);
    const value = lenient.includes("\uFFFD") ? UTF_8.decode(text) : lenient;
    // Freed immediately, because V8 lets such buffers pile up to 64 MB before it collects them.
    if (text !== bytes) text.buffer.transfer(0);
    return { value, textBytes };
  } catch (error) {
    throw undecodable(error);
  }
}

function parseJson(text: string): unknown {
  try {
    let brackets = 0;
    for (const bracket of "[{") {
      for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) brackets++;
    }
    if (brackets > MOST_BRACKETS) throw new RangeError(`more than ${MOST_BRACKETS} brackets`);
    return JSON.parse(text);
  } catch (error) {
    throw undecodable(error);
  }
}

function undecodable(error: unknown): SyntaxError {
  return new SyntaxError(`Cannot decode shard: ${messageOf(error)}`, { cause: error });
}

function isDotList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 &&
    value.every((dot) => Number.isSafeInteger(dot) && dot > 0);
}
