/**
 * What was thrown, in words. Web APIs only.
 *
 * @module
 */

/** The message of an error; of anything else its text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
