/**
 * The pointer and the manifest, from bytes to checked values.
 *
 * @module
 */

import { type Family, FORMAT, type Manifest, type Pointer } from "./manifest.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Parses `current.json`.
 *
 * @throws {SyntaxError} When the bytes are not JSON.
 * @throws {RangeError} When the format is not the one this code reads.
 * @throws {TypeError} When a member that the reader needs is missing or of another shape.
 */
export function parsePointer(bytes: Uint8Array): Pointer {
  const what = "current.json";
  const pointer = parseDocument(bytes, what);
  check(what, "snapshot", matches(pointer.snapshot, ID));
  check(what, "data_date", matches(pointer.data_date, DAY));
  check(what, "manifest_sha256", matches(pointer.manifest_sha256, SHA256));
  check(what, "sequence", pointer.sequence === undefined || isCount(pointer.sequence));
  return pointer as unknown as Pointer;
}

/**
 * Parses `manifest.json`; errors as {@link parsePointer}.
 */
export function parseManifest(bytes: Uint8Array): Manifest {
  const what = "manifest.json";
  const manifest = parseDocument(bytes, what);
  check(what, "data_date", matches(manifest.data_date, DAY));
  const window = manifest.window;
  check(what, "window", isObject(window) && matches(window.from, DAY) && matches(window.to, DAY));
  // Snapshots built before the member was added: their window ends on that date.
  manifest.inspections_date ??= (window as Manifest["window"]).to;
  check(what, "inspections_date", matches(manifest.inspections_date, DAY));
  const families = manifest.families;
  if (!isObject(families)) throw shapeError(what, "families");
  check(what, "families.carriers", isFamily(families.carriers));
  check(what, "families.dockets", isFamily(families.dockets));
  return manifest as unknown as Manifest;
}

/** Tells whether a family has the shard, by a binary search over its runs. */
export function hasShard(family: Family, shard: number): boolean {
  let low = 0;
  let high = family.runs.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = family.runs[middle]!;
    if (shard < first) high = middle - 1;
    else if (shard > last) low = middle + 1;
    else return true;
  }
  return false;
}

function parseDocument(bytes: Uint8Array, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new SyntaxError(`Cannot parse "${what}": not JSON in UTF-8`, { cause: error });
  }
  if (!isObject(value)) throw new TypeError(`Cannot read "${what}": not an object`);
  if (value.format !== FORMAT) {
    const found = JSON.stringify(value.format)?.slice(0, 20) ?? "none";
    throw new RangeError(`Cannot read "${what}": it has format ${found}, expected ${FORMAT}`);
  }
  return value;
}

function isFamily(value: unknown): boolean {
  if (!isObject(value) || !isCount(value.width) || value.width === 0) return false;
  if (!Array.isArray(value.runs)) return false;
  let before = -1;
  for (const run of value.runs as unknown[]) {
    if (!Array.isArray(run) || run.length !== 2 || !isCount(run[0]) || !isCount(run[1])) {
      return false;
    }
    if (run[0] <= before || run[1] < run[0]) return false;
    before = run[1];
  }
  return true;
}

function check(what: string, member: string, holds: boolean): void {
  if (!holds) throw shapeError(what, member);
}

function shapeError(what: string, member: string): TypeError {
  return new TypeError(`Cannot read "${what}": member "${member}" is missing or malformed`);
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
