/**
 * The form of an answer: results one after the other, then how it ended.
 *
 * @module
 */

import type { AskResult, Elicitation, Failure } from "./schemas.ts";
import type { Understanding } from "./understanding.ts";

/** How an answer ends. */
export type Ending =
  | { type: "answer" }
  | { type: "elicitation"; elicitation: Elicitation }
  | { type: "failure"; error: Failure };

/** Results, then how it ended. */
export type Answers = AsyncGenerator<AskResult, Ending, void>;

/** A question that lacks nothing. */
export type Clear = Understanding & { outcome: "clear" };

/** Ends without an answer. */
export function failure(
  code: Failure["code"],
  message: string,
  details: NonNullable<Failure["details"]>,
): Ending {
  return { type: "failure", error: { code, message, details } };
}
