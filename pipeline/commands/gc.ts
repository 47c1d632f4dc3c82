/**
 * `snapshot gc`.
 *
 * @module
 */

import type { Command } from "commander";
import { SYSTEM_CLOCK } from "../clock.ts";
import { note, print } from "../io.ts";
import { plain } from "../text.ts";
import { gc } from "../publish/gc.ts";
import type { StoredSnapshot } from "../publish/status.ts";
import {
  addWriterOptions,
  LEASE_HELP,
  openForWriting,
  openTarget,
  ownerName,
  TARGET_HELP,
  withInterrupt,
} from "./shared.ts";

const HELP = `
Keeps the snapshot that the pointer names, the newest 3, each snapshot for 7 days after another replaced
it, and for a day what an interrupted publish has uploaded. Removes the rest.
${TARGET_HELP}
${LEASE_HELP}

Examples:
  $ deno task snapshot gc s3://carriers --dry-run
  $ deno task snapshot gc s3://carriers

Exit codes: 0 done, 1 failed (run it again), 2 wrong arguments, 130 interrupted.`;

interface GcArguments {
  dryRun?: boolean;
  lastWriterWins?: boolean;
}

export function registerGc(program: Command): void {
  addWriterOptions(program.command("gc"))
    .description("remove snapshots that no reader can still need")
    .argument("<target>", "a folder or s3://bucket/prefix")
    .option("--dry-run", "only list what would be removed")
    .addHelpText("after", HELP)
    .action((target: string, options: GcArguments) =>
      withInterrupt((signal) => collect(target, { ...options, say: print, signal }), {
        hint: "what readers see was not changed; run it again",
      })
    );
}

/** Removes what no reader can still need; says of each snapshot what became of it. */
export async function collect(
  target: string,
  { dryRun: isDryRun = false, lastWriterWins = false, say, signal }: GcArguments & {
    say: (line: string) => void;
    signal: AbortSignal;
  },
): Promise<void> {
  const store = isDryRun
    ? openTarget(target)
    : await openForWriting(target, { lastWriterWins, signal });
  const snapshots = await gc(store, {
    clock: SYSTEM_CLOCK,
    owner: ownerName(),
    isDryRun,
    signal,
    onRemove: ({ id }) => note(plain(`Removing ${id}`)),
  });
  for (const snapshot of snapshots) {
    const what = snapshot.kept === null
      ? (isDryRun ? "would be removed" : "removed")
      : `kept: ${snapshot.kept}`;
    say(plain(`${snapshot.id}  ${sizeOf(snapshot)}  ${what}`));
  }
}

/** `82798 objects, 470.7 MB`. */
export function sizeOf({ objects, bytes }: Pick<StoredSnapshot, "objects" | "bytes">): string {
  return `${objects} objects, ${(bytes / 1e6).toFixed(1)} MB`;
}
