/**
 * From the bytes of somebody's list to text, in the encodings that spreadsheets write.
 *
 * @module
 */

import { ServiceError } from "../../api/operations/errors.ts";

/** What a file begins with when it is no text, by what it is. */
const OTHER_KINDS: readonly [first: readonly number[], what: string, wayOut: string][] = [
  [[0x50, 0x4b, 3, 4], "an Excel workbook or another packed file", "save it as CSV first"],
  [[0xd0, 0xcf, 0x11, 0xe0], "an old Excel workbook", "save it as CSV first"],
  [[0x25, 0x50, 0x44, 0x46], "a PDF", "copy the numbers out of it and paste them"],
];

/**
 * Text with line feeds only. A byte order mark decides the encoding; without one it is UTF-8, or
 * Windows-1252 where it cannot be.
 *
 * @throws {ServiceError} `invalid_body` when it is no text.
 */
export function decodeText(bytes: Uint8Array): string {
  for (const [first, what, wayOut] of OTHER_KINDS) {
    if (first.every((byte, i) => bytes[i] === byte)) throw unreadable(`it is ${what}; ${wayOut}`);
  }
  const text = decode(bytes);
  if (text.includes("\0")) throw unreadable("it is not a text file; save the list as CSV or text");
  return text.replace(/\r\n?/g, "\n");
}

function decode(bytes: Uint8Array): string {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function unreadable(why: string): ServiceError {
  return new ServiceError("invalid_body", `Cannot read this file: ${why}`);
}
