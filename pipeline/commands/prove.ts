/**
 * `snapshot prove`: prints a proof of what a snapshot says about a carrier.
 *
 * @module
 */

import type { Command } from "commander";
import { note, printRaw } from "../io.ts";
import { makeProof } from "../snapshot/proof.ts";
import { SnapshotReader } from "../snapshot/reader.ts";
import { escapeInvisible } from "../text.ts";
import { dayArgument, dotArgument } from "./shared.ts";
import { openRoot } from "./target.ts";

export function registerProve(program: Command): void {
  program.command("prove")
    .description("print a file that proves what a snapshot says of a carrier")
    .argument("<target>", "snapshot root: a folder or an http(s) address")
    .argument("<dot>", "USDOT number", dotArgument)
    .option("--as-of <day>", "of the snapshot that answers for that day", dayArgument)
    .option(
      "--to <day>",
      "chain to the snapshot of that day (default: the current one)",
      dayArgument,
    )
    .action(prove);
}

async function prove(
  target: string,
  dot: number,
  { asOf, to }: { asOf?: string; to?: string },
): Promise<void> {
  const reader = new SnapshotReader(openRoot(target));
  const later = await snapshotOf(reader, to);
  const snapshot = await snapshotOf(reader, asOf);
  const proof = await makeProof(snapshot, { dot, later });
  if (proof === null) throw new Error(`USDOT number ${dot} is not in snapshot ${snapshot.id}`);
  printRaw(proof);
  note(escapeInvisible(`Snapshot ${snapshot.id}, manifest SHA-256 ${snapshot.manifestSha256}`));
  if (later.id === snapshot.id) return;
  note(escapeInvisible(`Chain to ${later.id}, manifest SHA-256 ${later.manifestSha256}`));
}

/** The snapshot that answers for a day; the current one without a day. */
async function snapshotOf(reader: SnapshotReader, day: string | undefined) {
  return day === undefined
    ? await reader.current()
    : await reader.useAsOf(day, (one) => Promise.resolve(one));
}
