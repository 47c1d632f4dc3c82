/**
 * What a form sends.
 *
 * @module
 */

import { readBytes } from "../api/http/body.ts";
import { ServiceError } from "../api/operations/errors.ts";

/** Milliseconds in which a form must have arrived. */
const FORM_MS = 10_000;

/**
 * Reads the fields of a small form, `application/x-www-form-urlencoded`.
 *
 * @throws {ServiceError} `unsupported_media_type`, `payload_too_large` or `invalid_body`.
 */
export async function readFields(request: Request, limitBytes: number): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
    throw new ServiceError(
      "unsupported_media_type",
      "Cannot read this form: send it from its page",
    );
  }
  const bytes = await readBytes(request, { limitBytes, signal: AbortSignal.timeout(FORM_MS) });
  return new URLSearchParams(new TextDecoder().decode(bytes));
}
