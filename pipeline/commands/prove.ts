/**
 * `snapshot prove` and `verify-record`: proofs of what a snapshot said of a carrier.
 *
 * @module
 */

import type { Command } from "commander";
import { z } from "zod";
import { note, print, printRaw } from "../io.ts";

import { checkProof, makeProof } from "../snapshot/proof.ts";
import { SnapshotReader } from "../snapshot/reader.ts";
import { escapeInvisible } from "../text.ts";
import { argument, dotArgument } from "./shared.ts";
import { openRoot } from "./target.ts";

/** Exit code of a proof whose parts fit each other, but that was compared with nothing. */
const NOT_COMPARED = 3;

const parseDay = argument(z.iso.date(), "Give a day as YYYY-MM-DD.");

export function registerProve(program: Command): void {
  program.command("prove")
    .description("print a file that proves what a snapshot says of a carrier")
    .argument("<target>", "snapshot root: a folder or an http(s) address")
    .argument("<dot>", "USDOT number", dotArgument)
    .option("--as-of <day>", "of the snapshot that answers for that day", parseDay)
    .option("--to <day>", "chain to the snapshot of that day (default: the current one)", parseDay)
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

/** The snapshot of a day, or the current one. */
async function snapshotOf(reader: SnapshotReader, day: string | undefined) {
  return day === undefined
    ? await reader.current()
    : await reader.useAsOf(day, (one) => Promise.resolve(one));
}

export function registerVerifyRecord(program: Command): void {
  program.command("verify-record")
    .description("check a file of prove, offline")
    .argument("<file>", "a file of prove")
    .option(
      "--manifest <sha256>",
      "SHA-256 of a manifest that you saved, or that was attested",
      parseHash,
    )
    .action(verifyRecord);
}

const parseHash = argument(
  z.string().regex(/^[0-9a-f]{64}$/),
  "Give 64 hexadecimal digits, lower case.",
);

async function verifyRecord(
  file: string,
  { manifest: saved }: { manifest?: string },
): Promise<void> {
  const proven = await checkProof(await Deno.readTextFile(file), saved);
  const { carrier, manifest: { data_date, notice }, manifestSha256, later, anchor } = proven;
  const { dot } = carrier;
  print(escapeInvisible(`USDOT number ${dot} in our snapshot of data of ${data_date}:`));
  print(JSON.stringify(carrier, null, 2).replace(/.+/g, escapeInvisible));
  if (notice !== undefined) print(escapeInvisible(`Notice: ${notice}`));
  if (anchor !== undefined) {
    print(
      "Proven: we published this on or before the day on which that manifest hash was saved or attested,",
    );
    print("and it is unchanged since. Not proven: that it is true, or that the carrier is safe.");
    return;
  }
  print("The parts fit each other. This proves nothing until a manifest hash is compared:");
  print(`  manifest        ${manifestSha256}  (data of ${data_date})`);
  const { manifest, manifestSha256: last } = later ?? {};
  if (manifest !== undefined) print(`  later.manifest  ${last}  (data of ${manifest.data_date})`);
  print("Give one that you saved with --manifest, or check GitHub's attestation of one:");
  print(`  jq -j .manifest ${file} > manifest.json`);
  print("  gh attestation verify manifest.json --repo OWNER/REPOSITORY");
  Deno.exitCode = NOT_COMPARED;
}
