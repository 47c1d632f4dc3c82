/**
 * What zod found wrong, in the words of this service.
 *
 * @module
 */

import type { z } from "zod";

/** The first thing wrong with a JSON value: where, as `a.b.0` (empty for the whole), and what. */
export function firstIssue({ issues: [issue] }: z.ZodError): { path: string; what: string } {
  const { path, message } = issue!;
  return {
    path: path.join("."),
    what: message.charAt(0).toLowerCase() + message.slice(1),
  };
}
