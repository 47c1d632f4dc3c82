import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const CHILD = fileURLToPath(new URL("./kill_child.ts", import.meta.url));

/**
 * Runs a command in a process that is killed at its nth disk change.
 *
 * @returns The number of changes when it ended by itself; undefined when it was killed.
 */
export async function runKilled(args: string[], killAt = Infinity): Promise<number | undefined> {
  const { signal, code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", CHILD, ...args],
    env: { KILL_AT: String(killAt) },
  }).output();
  if (signal === "SIGKILL") return undefined;
  const said = new TextDecoder().decode(stderr);
  assert.equal(code, 0, said);
  return Number(/^(\d+) changes$/m.exec(said)![1]);
}

/** Points from the first change to the last: about twelve, and the last three, which make the result visible. */
export function momentsOf(changes: number): Set<number> {
  const spread = Array.from({ length: 12 }, (_, i) => 1 + Math.floor(i * changes / 12));
  return new Set([...spread, changes - 2, changes - 1, changes]);
}
