/**
 * What the form for lists sends: pasted text or one file, of bounded size and shape.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { readBytes } from "../../api/http/body.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { decodeText } from "./decode.ts";

/** A list as it was sent. */
export interface Upload {
  /** What was pasted, empty for nothing; kept to be shown again. */
  pasted: string;
  /** Bytes of the chosen file, null for none. Its name is not looked at. */
  file: Uint8Array | null;
}

/** Bytes of a form. */
export const MOST_BYTES = 4 * 1024 * 1024;

/** Milliseconds in which a form must have arrived: people's lines are slow. */
const ARRIVAL_MS = 60_000;

/** Parts of a form; ours has two. */
const MOST_PARTS = 10;

const BOUNDARY = /^multipart\/form-data; *boundary=("?)([\w'()+,.\/:=?-]{1,70})\1$/i;

/**
 * Reads the form.
 *
 * @throws {ServiceError} `unsupported_media_type`, `payload_too_large` or `invalid_body`.
 */
export async function readUpload(request: Request): Promise<Upload> {
  const boundary = BOUNDARY.exec(request.headers.get("content-type") ?? "")?.[2];
  if (boundary === undefined) {
    throw new ServiceError(
      "unsupported_media_type",
      "Cannot read the form: it is not multipart/form-data",
    );
  }
  const signal = AbortSignal.timeout(ARRIVAL_MS);
  const bytes = await readBytes(request, { limitBytes: MOST_BYTES, signal }).catch((error) => {
    throw error instanceof ServiceError && error.code === "payload_too_large" ? tooLarge() : error;
  });
  const form = await parse(bytes, boundary);
  const texts = form.getAll("text").filter((value) => typeof value === "string");
  // A field without a chosen file is sent as a file of no bytes.
  const files = form.getAll("file").filter((value) => value instanceof File && value.size > 0);
  if (texts.length > 1 || files.length > 1) throw broken("it holds several lists; send one");
  const [text = ""] = texts as string[];
  const [file] = files as File[];
  return { pasted: text, file: file === undefined ? null : await file.bytes() };
}

/**
 * The text of a list and how it came.
 *
 * @throws {ServiceError} `invalid_body` without text, and with both kinds.
 */
export function textOf({ pasted, file }: Upload): { text: string; pasted: boolean } {
  const typed = pasted.trim() !== "";
  if (file !== null && typed) {
    throw new ServiceError(
      "invalid_body",
      "Cannot tell which list to check: choose a file or paste numbers, not both",
    );
  }
  if (file !== null) return { text: decodeText(file), pasted: false };
  if (typed) return { text: decodeText(new TextEncoder().encode(pasted)), pasted: true };
  throw new ServiceError("invalid_body", "Cannot find a list: paste numbers or choose a file");
}

async function parse(bytes: Uint8Array<ArrayBuffer>, boundary: string): Promise<FormData> {
  // Many small parts would take the parser seconds.
  if (partsOf(bytes, boundary) > MOST_PARTS) throw broken("it has too many parts");
  const headers = { "Content-Type": `multipart/form-data; boundary=${boundary}` };
  try {
    return await new Response(bytes, { headers }).formData();
  } catch (error) {
    throw broken("it is cut off or not well-formed", error);
  }
}

function partsOf(bytes: Uint8Array, boundary: string): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const mark = `--${boundary}`;
  let parts = 0;
  for (let at = buffer.indexOf(mark); at >= 0 && parts <= MOST_PARTS + 1; parts++) {
    at = buffer.indexOf(mark, at + mark.length);
  }
  // The last mark ends the form.
  return parts - 1;
}

function tooLarge(): ServiceError {
  return new ServiceError(
    "payload_too_large",
    `Cannot read a list of more than ${MOST_BYTES / 1024 / 1024} MB: keep only the column with ` +
      "the USDOT numbers, or split it",
  );
}

function broken(why: string, cause?: unknown): ServiceError {
  return new ServiceError("invalid_body", `Cannot read the form: ${why}`, { cause });
}
