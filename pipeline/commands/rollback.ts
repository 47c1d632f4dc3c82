/**
 * `snapshot rollback`.
 *
 * @module
 */

import type { Command } from "commander";
import { SYSTEM_CLOCK } from "../clock.ts";
import { print } from "../io.ts";
import { rollback } from "../publish/rollback.ts";
import {
  addCacheOptions,
  addWriterOptions,
  CACHE_HELP,
  type CacheArguments,
  LEASE_HELP,
  openForWriting,
  ownerName,
  purgeCache,
  TARGET_HELP,
  withInterrupt,
} from "./shared.ts";

const HELP = `
Points TARGET to the previous snapshot, or to ID, after checking that it is complete there. Readers see
it within a minute. The snapshot rolled back from is marked as withdrawn: publish refuses it, so a daily
run does not bring it back. Run it again without ID to undo the rollback.
${TARGET_HELP}
${CACHE_HELP}
${LEASE_HELP}

Examples:
  $ deno task snapshot rollback s3://carriers --reason "half of the dockets are missing"
  $ deno task snapshot rollback s3://carriers 2026-10-03-ce74adc4ae154896

Exit codes: 0 done, 1 not done (the message says why), 2 wrong arguments, 130 interrupted.`;

interface RollbackArguments extends CacheArguments {
  reason?: string;
  lastWriterWins?: boolean;
}

export function registerRollback(program: Command): void {
  addCacheOptions(addWriterOptions(program.command("rollback")))
    .description("go back to a snapshot that was published before")
    .argument("<target>", "a folder or s3://bucket/prefix")
    .argument("[id]", "the snapshot to go to (default: the previous one)")
    .option("--reason <text>", "why; kept in the pointer")
    .addHelpText("after", HELP)
    .action((target: string, id: string | undefined, options: RollbackArguments) =>
      withInterrupt(async (signal) => {
        const store = await openForWriting(target, { ...options, signal });
        const pointer = await rollback(store, {
          ...options,
          clock: SYSTEM_CLOCK,
          owner: ownerName(),
          signal,
          ...(id !== undefined && { to: id }),
        });
        await purgeCache(options, pointer);
        const { snapshot, data_date, previous, sequence } = pointer;
        print(
          `${snapshot} (data of ${data_date}) is current, number ${sequence}; ` +
            `withdrawn ${previous?.snapshot}`,
        );
      })
    );
}
