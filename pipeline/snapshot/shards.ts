/**
 * Shards from stored bytes to records. Web APIs only.
 *
 * @module
 */

import { gunzip } from "../bytes.ts";
import { messageOf } from "../text.ts";
import { type CarrierRecord, isObject } from "./record.ts";

/** A decoded shard with an estimate of its memory. */
export interface DecodedShard<T> {
  value: T;
  /** Length of the JSON text, in bytes. */
  textBytes: number;
}

/** `carriers/<n>.json.gz`: records in ascending order of `dot`. */
export type CarrierShard = CarrierRecord[];

/** `dockets/<n>.json.gz`: prefix, then docket number, then USDOT numbers in order of precedence. */
export type DocketShard = Record<string, Record<string, number[]>>;

/** The keys a shard may contain: `shard * width` and the following `width - 1`. */
export interface ShardRange {
  shard: number;
  width: number;
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });
/** A hundred census rows of the longest size, and as much again. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/**
 * Decodes a carrier shard and checks that each record belongs to it, in ascending order. The other
 * members of a record are checked by {@link isRecord}: a malformed one does not refuse the rest.
 *
 * @throws {SyntaxError} When the gzip stream or the JSON is damaged.
 * @throws {TypeError} When the JSON is not what the format says.
 */
export async function decodeCarriers(
  bytes: Uint8Array<ArrayBuffer>,
  range: ShardRange,
): Promise<DecodedShard<CarrierShard>> {
  const { value: text, textBytes } = await decodeText(bytes);
  return { value: parseCarriers(text, range), textBytes };
}

/** Parses the text of a carrier shard; errors as {@link decodeCarriers}. */
export function parseCarriers(text: string, { shard, width }: ShardRange): CarrierShard {
  const value = parseJson(text);
  if (!Array.isArray(value)) throw new TypeError("Cannot read carrier shard: not an array");
  const end = (shard + 1) * width;
  let previous = shard * width - 1;
  for (const record of value as Partial<CarrierRecord>[]) {
    const dot = record?.dot;
    if (!Number.isSafeInteger(dot) || dot! <= previous || dot! >= end) {
      throw new TypeError("Cannot read carrier shard: USDOT numbers out of order or out of range");
    }
    previous = dot!;
  }
  return value as CarrierShard;
}

/** Decodes a docket shard; errors as {@link decodeCarriers}. */
export async function decodeDockets(
  bytes: Uint8Array<ArrayBuffer>,
  { shard, width }: ShardRange,
): Promise<DecodedShard<DocketShard>> {
  const { value: text, textBytes } = await decodeText(bytes);
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

/** Finds a carrier in its shard by binary search. */
export function findCarrier(shard: CarrierShard, dot: number): CarrierRecord | null {
  let low = 0;
  let high = shard.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const record = shard[middle]!;
    if (record.dot === dot) return record;
    if (record.dot < dot) low = middle + 1;
    else high = middle - 1;
  }
  return null;
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
export async function decodeText(bytes: Uint8Array<ArrayBuffer>): Promise<DecodedShard<string>> {
  try {
    const text = await gunzip(bytes, MAX_TEXT_BYTES);
    const textBytes = text.length;
    const value = UTF_8.decode(text);
    // Freed at once: V8 lets such buffers pile up to 64 MB before it collects them.
    if (text !== bytes) text.buffer.transfer(0);
    return { value, textBytes };
  } catch (error) {
    throw undecodable(error);
  }
}

/**
 * Reads one record from the text of a carrier shard without parsing the others, which is most of the
 * work when one is wanted.
 *
 * @returns Null when it is not seen: then parse the whole shard, to know whether it exists.
 */
export function recordIn(text: string, dot: number): CarrierRecord | null {
  // Only a record begins so: a quote inside a string has a backslash before it.
  const mark = '{"dot":';
  const start = text.indexOf(`${mark}${dot},`);
  if (start < 0 || !text.endsWith("}]")) return null;
  const next = text.indexOf(`,${mark}`, start);
  try {
    const record: CarrierRecord = JSON.parse(text.slice(start, next < 0 ? -1 : next));
    return record.dot === dot ? record : null;
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
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
