/**
 * Reads the upload form: pasted text or one file, of bounded size and shape, and the roles of its columns.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { readBytes } from "../../api/http/body.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { CHOICES, type ChosenRoles, type Role } from "./columns.ts";

export interface Upload {
  /** The pasted text, kept so that it can be shown again. */
  pasted: string;
  /** Bytes of the chosen file, null for none. Its name is ignored. */
  file: Uint8Array | null;
  /** The roles that the user chose for the columns; undefined if not asked yet. */
  chosen: ChosenRoles | undefined;
  /** The user's answer to whether numbers among other words are the carriers'; undefined if not asked yet. */
  words: boolean | undefined;
}

export const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Maximum size of a form in bytes. More than that of a list, because a list that is sent again as text
 * has CRLF line endings.
 */
const FORM_BYTES = 1.5 * MOST_BYTES;

/** Timeout for receiving a form, in milliseconds. People may have slow connections. */
const ARRIVAL_MS = 60_000;

/** Maximum number of columns that the user is asked about. */
export const MOST_ASKED = 20;

/** Maximum number of parts in a form: the list as text and as a file, and the roles of its columns. */
const MOST_PARTS = MOST_ASKED + 10;

const BOUNDARY = /^multipart\/form-data; *boundary=("?)([\w'()+,.\/:=?-]{1,70})\1$/i;

/**
 * Reads the form of an upload.
 *
 * @throws {ServiceError} As {@link readForm}, and `invalid_body` for several lists.
 */
export async function readUpload(request: Request): Promise<Upload> {
  const limits = { limitBytes: FORM_BYTES, arrivalMs: ARRIVAL_MS };
  const form = await readForm(request, limits).catch((error) => {
    throw error instanceof ServiceError && error.code === "payload_too_large" ? tooLarge() : error;
  });
  const texts = form.getAll("text").filter((value) => typeof value === "string");
  // Browsers send an empty file if none was chosen.
  const files = form.getAll("file").filter((value) => value instanceof File && value.size > 0);
  if (texts.length > 1 || files.length > 1) throw broken("it has several lists; send one");
  const [text = ""] = texts as string[];
  const [file] = files as File[];
  if (file !== undefined && file.size > MOST_BYTES) throw tooLarge();
  return {
    pasted: text,
    file: file === undefined ? null : await file.bytes(),
    chosen: rolesChosen(form.getAll("column")),
    words: { yes: true, no: false }[String(form.get("words"))],
  };
}

/**
 * Reads a form, as browsers send it.
 *
 * @throws {ServiceError} `unsupported_media_type`, `payload_too_large` or `invalid_body`.
 */
export async function readForm(
  request: Request,
  { limitBytes, arrivalMs }: { limitBytes: number; arrivalMs: number },
): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  const boundary = BOUNDARY.exec(type)?.[2];
  if (boundary === undefined && !/^application\/x-www-form-urlencoded\b/i.test(type)) {
    throw new ServiceError(
      "unsupported_media_type",
      "We can't read this form: send it from its page",
    );
  }
  const bytes = await readBytes(request, { limitBytes, signal: AbortSignal.timeout(arrivalMs) });
  if (boundary !== undefined) {
    // Parsing many small parts would take seconds. `marks` also has the text before the first
    // boundary and after the last.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    const marks = text.split(`--${boundary}`, MOST_PARTS + 3);
    if (marks.length > MOST_PARTS + 2) throw broken("it has too many parts");
  }
  try {
    return await new Response(bytes, { headers: { "Content-Type": type } }).formData();
  } catch (error) {
    throw broken("it is cut off or not well-formed", error);
  }
}

/** Returns the roles chosen for columns. Each is sent as `2:MC`, or as an empty text if the column is not used. */
function rolesChosen(values: readonly unknown[]): ChosenRoles | undefined {
  if (values.length === 0) return undefined;
  const roles = new Map<number, Role>();
  for (const value of values) {
    const [, place, role] = /^(\d{1,4}):(\w+)$/.exec(String(value)) ?? [];
    const known = CHOICES.find((choice) => choice === role);
    if (known !== undefined) roles.set(Number(place) - 1, known);
  }
  return roles;
}

/**
 * Returns the text of a list.
 *
 * @throws {ServiceError} `invalid_body` if there is no list, or both a text and a file.
 */
export function listText({ pasted, file }: Pick<Upload, "pasted" | "file">): string {
  const typed = pasted.trim() !== "";
  if (file !== null && typed) {
    throw new ServiceError(
      "invalid_body",
      "We can't tell which list to check: choose a file or paste numbers, not both",
    );
  }
  if (file !== null) return decodeUpload(file);
  if (typed) return decodeUpload(new TextEncoder().encode(pasted));
  throw new ServiceError("invalid_body", "There is no list yet: paste numbers or choose a file");
}

/** The first bytes that identify common kinds of files that are not text. */
const OTHER_KINDS: readonly [first: readonly number[], what: string, wayOut: string][] = [
  [[0x50, 0x4b, 3, 4], "an Excel workbook or another packed file", "save it as CSV first"],
  [[0xd0, 0xcf, 0x11, 0xe0], "an old Excel workbook", "save it as CSV first"],
  [[0x25, 0x50, 0x44, 0x46], "a PDF", "copy the numbers out of it and paste them"],
];

/**
 * Decodes an upload, with LF line endings. A byte order mark determines the encoding. Without one it is
 * UTF-8, or Windows-1252 if it is not valid UTF-8.
 *
 * @throws {ServiceError} `invalid_body` when it is not text.
 */
export function decodeUpload(bytes: Uint8Array): string {
  for (const [first, what, wayOut] of OTHER_KINDS) {
    if (first.every((byte, i) => bytes[i] === byte)) throw notText(`it is ${what}; ${wayOut}`);
  }
  const text = decode(bytes);
  if (text.includes("\0")) throw notText("it is not a text file; save the list as CSV or text");
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

function notText(why: string): ServiceError {
  return new ServiceError("invalid_body", `We can't read this file: ${why}`);
}

function tooLarge(): ServiceError {
  return new ServiceError(
    "payload_too_large",
    `We can't read a list of more than ${
      MOST_BYTES / 1024 / 1024
    } MB: keep only the columns with ` +
      "numbers and names, or split it",
  );
}

function broken(why: string, cause?: unknown): ServiceError {
  return new ServiceError("invalid_body", `We can't read the form: ${why}`, { cause });
}
