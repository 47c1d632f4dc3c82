/**
 * Reads what a request asks beside its body: path and query parameters, and an idempotency key.
 *
 * @module
 */

import { ServiceError } from "../operations/errors.ts";
import { INTEGER_PATTERN, type Operation } from "../operations/operation.ts";

/**
 * Collects the path and query parameters that the operation knows and ignores others. Wrong values are
 * reported by the operation's schema, in the same words as on every other surface.
 *
 * @throws {ServiceError} When a known query parameter is given more than once.
 */
export function readParameters(
  operation: Operation,
  request: { url: string; path: Record<string, string> },
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  let query: URLSearchParams | undefined;
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    let text: string | undefined;
    if (parameter.in === "path") {
      text = request.path[name];
    } else {
      query ??= queryOf(request.url);
      const values = query.getAll(name);
      if (values.length > 1) {
        throw new ServiceError(
          parameter.code,
          `Cannot read ${name}: it is given ${values.length} times`,
        );
      }
      text = values[0];
    }
    if (text !== undefined) {
      input[name] = parameter.integer && INTEGER_PATTERN.test(text) ? Number(text) : text;
    }
  }
  return input;
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}

export const MAX_KEY = 200;

/**
 * Reads `Idempotency-Key`; null if there is none. Its draft defines it as a quoted string. A value without
 * quotes is accepted too, and is the same key.
 *
 * @throws {ServiceError} `invalid_body` when it is not 1 to 200 characters, contains control characters, or
 *   is given more than once.
 */
export function readIdempotencyKey(headers: Headers): string | null {
  const value = headers.get("idempotency-key");
  if (value === null) return null;
  const key = value.startsWith('"') ? unquoted(value) : value;
  // Several header lines arrive joined by a comma and a space.
  if (key === null || (key === value && key.includes(", "))) {
    throw invalidKey(
      "Cannot read Idempotency-Key: give one string, quoted when it contains a comma",
    );
  }
  if (key.length === 0 || key.length > MAX_KEY) {
    throw invalidKey(
      `Cannot use Idempotency-Key of ${key.length} characters: give 1 to ${MAX_KEY}`,
    );
  }
  // deno-lint-ignore no-control-regex -- they are what is looked for
  if (/[\x00-\x1f\x7f]/.test(key)) {
    throw invalidKey("Cannot use Idempotency-Key: it contains control characters");
  }
  return key;
}

/** The content of a Structured Fields string (RFC 9651); null if the text is not one. */
function unquoted(text: string): string | null {
  const match = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text);
  return match === null ? null : match[1]!.replace(/\\(.)/g, "$1");
}

function invalidKey(message: string): ServiceError {
  return new ServiceError("invalid_body", message);
}
