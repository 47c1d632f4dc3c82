/**
 * What zod found wrong, in the words of this service.
 *
 * @module
 */

import type { z } from "zod";

/** The first thing wrong with a JSON value: where, as `a.b.0` (empty for the whole), and what. */
export function firstIssue({ issues: [issue] }: z.ZodError): { path: string; what: string } {
  const { path, message } = issue!;
  const bare = message.replace(/^Invalid input: /, "");
  const missing = issue!.code === "invalid_type" && bare.endsWith(", received undefined");
  return {
    path: path.join("."),
    what: missing ? "it is missing" : bare.charAt(0).toLowerCase() + bare.slice(1),
  };
}
