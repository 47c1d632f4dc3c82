/**
 * Shards from stored bytes to records. Web APIs only.
 *
 * @module
 */

import { concat } from "../concat.ts";
import type { CarrierRecord } from "./record.ts";

/** A decoded shard with an estimate of its memory. */
export interface Decoded<T> {
  value: T;
  /** Length of the JSON text, in bytes. */
  textBytes: number;
}

/** `carriers/<n>.json.gz`: records in ascending order of `dot`. */
export type CarrierShard = CarrierRecord[];

/** `dockets/<n>.json.gz`: prefix, then docket number, then USDOT numbers in order of precedence. */
export type DocketShard = Record<string, Record<string, number[]>>;

/** The keys a shard may hold. */
export interface ShardRange {
  shard: number;
  width: number;
}

const GZIP_MAGIC = [0x1f, 0x8b];
const UTF_8 = new TextDecoder("utf-8", { fatal: true });
/** A hundred census rows of the longest size, and as much again. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/**
 * Decodes a carrier shard and checks that each record belongs to it, in ascending order. What else a
 * record says is checked by {@link isRecord}: one that is malformed is no reason to refuse the others.
 *
 * @throws {SyntaxError} When the gzip stream or the JSON is damaged.
 * @throws {TypeError} When the JSON is not what the format says.
 */
export async function decodeCarriers(
  bytes: Uint8Array<ArrayBuffer>,
  range: ShardRange,
): Promise<Decoded<CarrierShard>> {
  const { value, textBytes } = await decodeJson(bytes);
  if (!Array.isArray(value)) throw new TypeError("Cannot read carrier shard: not an array");
  const end = (range.shard + 1) * range.width;
  let before = range.shard * range.width - 1;
  for (const record of value as Partial<CarrierRecord>[]) {
    const dot = record?.dot;
    if (!Number.isSafeInteger(dot) || dot! <= before || dot! >= end) {
      throw new TypeError("Cannot read carrier shard: USDOT numbers out of order or out of range");
    }
    before = dot!;
  }
  return { value: value as CarrierShard, textBytes };
}

/** Decodes a docket shard; ranges and errors as {@link decodeCarriers}. */
export async function decodeDockets(
  bytes: Uint8Array<ArrayBuffer>,
  range: ShardRange,
): Promise<Decoded<DocketShard>> {
  const { value, textBytes } = await decodeJson(bytes);
  const first = range.shard * range.width;
  if (!isObject(value)) throw new TypeError("Cannot read docket shard: not an object");
  for (const [prefix, numbers] of Object.entries(value)) {
    if (!isObject(numbers)) {
      throw new TypeError(`Cannot read docket shard: "${prefix}" is malformed`);
    }
    for (const [text, dots] of Object.entries(numbers)) {
      const number = Number(text);
      const inRange = /^\d{1,8}$/.test(text) && number >= first && number < first + range.width;
      if (!inRange || !isDotList(dots)) {
        throw new TypeError(`Cannot read docket shard: "${prefix}" ${text} is malformed`);
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

/** Finds the USDOT numbers of a docket, empty when nobody holds it. */
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
export async function decodeText(bytes: Uint8Array<ArrayBuffer>): Promise<Decoded<string>> {
  try {
    // Some hosts serve .gz objects with "Content-Encoding: gzip", and fetch then unpacks them.
    const packed = bytes[0] === GZIP_MAGIC[0] && bytes[1] === GZIP_MAGIC[1];
    const text = packed ? await gunzip(bytes) : bytes;
    const textBytes = text.length;
    const value = UTF_8.decode(text);
    // Given back at once: V8 lets such buffers pile up to 64 MB before it collects them.
    if (packed) text.buffer.transfer(0);
    return { value, textBytes };
  } catch (error) {
    throw undecodable(error);
  }
}

/**
 * Reads one record out of the text of a carrier shard without parsing the others, which is most of
 * the work when one is wanted.
 *
 * @returns Null when it is not seen: then parse the whole shard, to know whether it is there.
 */
export function recordIn(text: string, dot: number): CarrierRecord | null {
  // Only a record begins so: a quote inside a string has a backslash before it.
  const mark = '{"dot":';
  const start = text.indexOf(`${mark}${dot},`);
  if (start < 0 || !text.endsWith("}]")) return null;
  const next = text.indexOf(`,${mark}`, start);
  try {
    const record: CarrierRecord = JSON.parse(text.slice(start, next < 0 ? -1 : next));
    return isRecord(record) && record.dot === dot ? record : null;
  } catch {
    return null;
  }
}

async function decodeJson(bytes: Uint8Array<ArrayBuffer>): Promise<Decoded<unknown>> {
  const { value: text, textBytes } = await decodeText(bytes);
  try {
    return { value: JSON.parse(text), textBytes };
  } catch (error) {
    throw undecodable(error);
  }
}

function undecodable(error: unknown): SyntaxError {
  const detail = error instanceof Error ? error.message : String(error);
  return new SyntaxError(`Cannot decode shard: ${detail}`, { cause: error });
}

async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const stream = new DecompressionStream("gzip");
  // A pipe would cost as much again. What goes wrong is told by the readable side.
  const writer = stream.writable.getWriter();
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  for await (const chunk of stream.readable) {
    length += chunk.length;
    if (length > MAX_TEXT_BYTES) throw new RangeError(`more than ${MAX_TEXT_BYTES} bytes unpacked`);
    chunks.push(chunk);
  }
  return concat(chunks, length);
}

type Check = (value: unknown) => boolean;

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const isText: Check = (value) => typeof value === "string";
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isDay: Check = (value) => typeof value === "string" && DAY.test(value);
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const oneOf = (codes: string): Check => (value) =>
  typeof value === "string" && value.length === 1 && codes.includes(value);
const isKind: Check = (value) =>
  isObject(value) && isCount(value.inspections) && isCount(value.out_of_service);

/** What a member of a record must be where it is present. */
const MEMBERS: Record<keyof CarrierRecord, Check> = {
  dot: isCount,
  legal_name: isText,
  dba_name: isText,
  city: isText,
  state: isText,
  country: isText,
  status: oneOf("AIP"),
  operation: oneOf("ABC"),
  roles: isTexts,
  classes: isTexts,
  power_units: isCount,
  drivers: isCount,
  hazmat: (value) => typeof value === "boolean",
  mcs150_date: isDay,
  added: isDay,
  rating: oneOf("SCU"),
  rating_date: isDay,
  dockets: (value) => Array.isArray(value) && value.every(isDocket),
  inspections: (value) =>
    isObject(value) && isCount(value.total) && isDay(value.last) && isCount(value.violations) &&
    isKind(value.vehicle) && isKind(value.driver) && isKind(value.hazmat),
};

const REQUIRED = ["dot", "legal_name", "status"] as const;
const CHECKS = Object.entries(MEMBERS);

function isDocket(value: unknown): boolean {
  return isObject(value) && isText(value.prefix) && isCount(value.number) &&
    (value.status === undefined || isText(value.status));
}

/** Whether every member is what the format says. */
export function isRecord(value: unknown): boolean {
  if (!isObject(value) || REQUIRED.some((name) => value[name] === undefined)) return false;
  for (const [name, check] of CHECKS) {
    const member = value[name];
    if (member !== undefined && !check(member)) return false;
  }
  return true;
}

function isDotList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 &&
    value.every((dot) => Number.isSafeInteger(dot) && dot > 0);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
