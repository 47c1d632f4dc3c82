/**
 * From an HTTP request to the JSON input of an operation.
 *
 * @module
 */

import { ServiceError } from "../operations/errors.ts";
import { INTEGER_PATTERN, type Operation } from "../operations/operation.ts";

/**
 * Collects path and query parameters that the operation knows; others are ignored. What is wrong with
 * a value is left for the operation's schema to say, in the same words as on every other surface.
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
