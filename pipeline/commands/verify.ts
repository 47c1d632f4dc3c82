/**
 * `snapshot verify`.
 *
 * @module
 */

import type { Command } from "commander";
import { SYSTEM_CLOCK } from "../clock.ts";
import { note, print } from "../io.ts";
import { type Progress, startProgress } from "../progress.ts";
import { openSource } from "../snapshot/open_source.ts";
import { lookUpFailures } from "../search/query/golden.ts";
import type { Source } from "../snapshot/source.ts";
import {
  GOLDEN_LOOKUPS,
  MAX_PROBLEMS,
  type Verification,
  type VerifyOptions,
  verifySnapshot,
} from "../snapshot/verify.ts";
import { withInterrupt } from "./shared.ts";

const HELP = `
Reads every object of the current snapshot through the reader that the service uses, checks it against
the hashes and counts of the manifest, then looks up ${GOLDEN_LOOKUPS} carriers by number, docket and name.
The hashes can also be checked without this program: cd DIR/s/<id> && sha256sum -c SHA256SUMS

Examples:
  $ deno task snapshot verify snapshots
  $ deno task snapshot verify https://cdn.example.org/fmcsa

Exit codes: 0 valid, 1 not (each problem on a line of standard output), 2 wrong arguments,
130 interrupted.`;

export function registerVerify(program: Command): void {
  program.command("verify")
    .description("check every object of a snapshot against its manifest")
    .argument("<location>", "snapshot root: a folder or an http(s) address")
    .addHelpText("after", HELP)
    .action((location: string) => withInterrupt((signal) => run(location, signal)));
}

async function run(location: string, signal: AbortSignal): Promise<void> {
  const { snapshot, objects, bytes, carriers, problems } = await verifyWithProgress(
    openSource(location),
    { clock: SYSTEM_CLOCK, signal },
  );
  for (const problem of problems) print(problem);
  const found = `${objects} objects, ${(bytes / 1e6).toFixed(1)} MB, ${carriers} carriers`;
  if (problems.length === 0) {
    print(`${snapshot} is valid: ${found}`);
  } else {
    const count = problems.length < MAX_PROBLEMS ? problems.length : `at least ${MAX_PROBLEMS}`;
    const what = count === 1 ? "problem" : "problems";
    note(`${snapshot || location} is not valid: ${count} ${what} (${found} read)`);
    Deno.exitCode = 1;
  }
}

/** Verifies with a progress display. */
export async function verifyWithProgress(
  source: Source,
  options: Omit<VerifyOptions, "lookUp">,
): Promise<Verification> {
  let progress: Progress | undefined;
  return await verifySnapshot(source, {
    ...options,
    lookUp: lookUpFailures,
    onProgress(done, total): void {
      progress ??= startProgress({ label: "verify", unit: "objects", total });
      progress.update(done);
    },
  }).finally(() => progress?.end());
}
