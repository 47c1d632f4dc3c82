/**
 * What the commands on a target share.
 *
 * @module
 */

import type { Command } from "commander";
import { SYSTEM_CLOCK } from "../clock.ts";
import { note } from "../io.ts";
import { keepsConditions, lookBeforeWrite, openStore } from "../publish/open_store.ts";
import type { Store } from "../publish/store.ts";

/** Text for the help of each. */
export const TARGET_HELP = `
TARGET is a folder, or s3://bucket/prefix with these in the environment: S3_ENDPOINT (such as
https://ACCOUNT.r2.cloudflarestorage.com), AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, and if need be
AWS_REGION (auto) and AWS_SESSION_TOKEN.`;

/** Text about locks for the help of those that write. */
export const LEASE_HELP = `
Only one publish, rollback or gc works on a target at a time: publish.lock says who, and runs out a
minute after its holder died. The server must keep the conditions of writes (If-Match, If-None-Match),
as R2, S3 and MinIO do; this is tried first. --last-writer-wins does without: two that start in the same
moment may then undo each other's pointer, though readers still see a whole snapshot.`;

/** An option of those that write. */
export function addWriterOptions(command: Command): Command {
  return command.option(
    "--last-writer-wins",
    "work on a server that ignores the conditions of writes",
  );
}

/** Opens a target to read it. */
export function openTarget(target: string): Store {
  return openStore(target, { clock: SYSTEM_CLOCK, env: (name) => Deno.env.get(name) });
}

/**
 * Opens a target to write to it.
 *
 * @throws {Error} When its server ignores conditions and that was not allowed.
 */
export async function openForWriting(
  target: string,
  { lastWriterWins = false, signal }: { lastWriterWins?: boolean; signal: AbortSignal },
): Promise<Store> {
  const store = openTarget(target);
  if (!/^s3:/i.test(target) || await keepsConditions(store, signal)) return store;
  if (!lastWriterWins) {
    throw new Error(
      `Cannot work on ${store.name}: its server ignores If-Match or If-None-Match on writes, so two ` +
        "publishers could undo each other's pointer. Use a server that keeps them, or make sure that " +
        "there is only one publisher and give --last-writer-wins",
    );
  }
  note(`${store.name} ignores the conditions of writes: the last writer wins`);
  return lookBeforeWrite(store);
}

/** Who works, for the message to others. */
export function ownerName(): string {
  return `process ${Deno.pid} on ${Deno.hostname()}`;
}
