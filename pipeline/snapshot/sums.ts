/**
 * The list of hashes beside the shards, in the form `sha256sum` writes and checks.
 *
 * @module
 */

const LINE = /^([0-9a-f]{64}) [ *]([a-z]+(?:\/[a-z0-9]+)*(?:\.[a-z]+)+)$/;

/**
 * Reads the list: path to SHA-256, hex.
 *
 * @throws {SyntaxError} When a line is no hash and path, or a path stands twice.
 */
export function parseSums(text: string): Map<string, string> {
  const sums = new Map<string, string>();
  const lines = text.split("\n");
  if (lines.pop() !== "") throw new SyntaxError("Cannot read SHA256SUMS: the last line is cut");
  for (const [i, line] of lines.entries()) {
    const [, sha256, path] = LINE.exec(line) ?? [];
    if (sha256 === undefined || path === undefined || sums.has(path)) {
      throw new SyntaxError(`Cannot read SHA256SUMS: line ${i + 1} is malformed`);
    }
    sums.set(path, sha256);
  }
  return sums;
}

/** SHA-256 of bytes, hex. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
