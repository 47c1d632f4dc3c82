/**
 * Paths of a snapshot's objects, checked before they reach a folder or an address.
 *
 * @module
 */

const KiB = 1024;
const MiB = 1024 * KiB;

/** Bytes of an object as stored, at most: a host that sends more is broken, or hostile. */
export function maxBytesOf(path: string): number {
  if (path === "current.json") return 64 * KiB;
  if (path.endsWith("/manifest.json")) return 4 * MiB;
  return /^s\/[^/]+\/(carriers|dockets)\//.test(path) ? 8 * MiB : 64 * MiB;
}

const OBJECT_PATH = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/**
 * Checks that a path names an object below the root: segments of letters, digits, `.`, `_` and `-`
 * that do not begin with a dot. So neither `..`, an absolute path, a drive, an escape nor a query
 * can leave the root.
 *
 * @throws {TypeError} When the path is of any other shape.
 */
export function checkObjectPath(path: string): void {
  if (path.length > 512 || !OBJECT_PATH.test(path)) {
    throw new TypeError(
      `Cannot read object ${JSON.stringify(path.slice(0, 80))}: not a plain path`,
    );
  }
}
