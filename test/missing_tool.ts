/**
 * Tests that need a tool from outside the repository.
 *
 * @module
 */

import { note } from "../pipeline/io.ts";

/**
 * Reports that tests are skipped because a tool is missing. Returns true.
 *
 * @throws {Error} In CI, where a skipped test would go unnoticed.
 */
export function missingTool(tool: string): true {
  if (Deno.env.get("CI")) throw new Error(`Cannot test without ${tool}: CI must install it`);
  note(`Skipped: tests that need ${tool}`);
  return true;
}
