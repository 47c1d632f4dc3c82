/**
 * Paths of a snapshot's objects, checked before they reach a folder or an address.
 *
 * @module
 */

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
