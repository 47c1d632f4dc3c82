/**
 * `snapshot publish`.
 *
 * @module
 */

import { realpath } from "node:fs/promises";
import type { Command } from "commander";
import { SYSTEM_CLOCK } from "../clock.ts";
import { note, print } from "../io.ts";
import { type Progress, startProgress } from "../progress.ts";
import { publish } from "../publish/publish.ts";
import { parsePointer, POINTER_PATH } from "../snapshot/manifest.ts";
import { folderSource, openSource } from "../snapshot/open_source.ts";
import type { Source } from "../snapshot/source.ts";
import { messageOf } from "../text.ts";
import {
  addCacheOptions,
  addWriterOptions,
  CACHE_HELP,
  type CacheArguments,
  LEASE_HELP,
  openForWriting,
  ownerName,
  parsePositive,
  purgeCache,
  TARGET_HELP,
  withInterrupt,
} from "./shared.ts";

const HELP = `
Uploads the current snapshot of DIR, reads a sample and some carriers back as the service would (over
--public-url when given, which is the better test), and only then moves the pointer. Readers see the old
snapshot until that one write, and always a whole snapshot. Whatever stops a publish, run it again: objects
that are there already are not sent twice.
${TARGET_HELP}

The snapshot is compared with the one that is current in TARGET, by the reports of both. Refused without
--force REASON: what differs by more than elapsed time explains, data older than the current, a current
report that is missing or altered, and a snapshot that was rolled back from. The reason is kept in the
pointer. The first snapshot of a TARGET needs --first: there is nothing to compare it with.
${CACHE_HELP}
${LEASE_HELP}

Examples:
  $ deno task snapshot publish snapshots /var/www/carriers --first
  $ deno task snapshot publish snapshots s3://carriers --public-url https://data.example.org

Exit codes: 0 published or current already, 1 not published (the message says why), 2 wrong arguments,
130 interrupted.`;

/** Options of a command that publishes. */
export interface PublishArguments extends CacheArguments {
  first?: boolean;
  force?: string;
  atOnce: number;
  lastWriterWins?: boolean;
}

export function registerPublish(program: Command): void {
  addPublishOptions(program.command("publish"))
    .description("upload a snapshot and make it the one that readers see")
    .argument("<dir>", "snapshot root, the --out of a build")
    .argument("<target>", "a folder or s3://bucket/prefix")
    .option("--first", "publish where nothing is current yet, without a comparison")
    .option("--force <reason>", "publish although a bound is broken")
    .addHelpText("after", HELP)
    .action((dir: string, target: string, options: PublishArguments) =>
      withInterrupt(
        async (signal) => print(await publishWithProgress(dir, target, { ...options, signal })),
        { hint: "readers see what they saw before; run it again to resume" },
      )
    );
}

/** Adds the options of a command that publishes. */
export function addPublishOptions(command: Command): Command {
  return addCacheOptions(addWriterOptions(command))
    .option("--at-once <n>", "objects uploaded at a time", parsePositive, 16);
}

/**
 * Publishes with a progress display, and notes on standard error.
 *
 * @returns In a sentence, what is current now.
 */
export async function publishWithProgress(
  dir: string,
  target: string,
  options: PublishArguments & { signal: AbortSignal },
): Promise<string> {
  if (await isSameFolder(dir, target)) {
    throw new RangeError(`Cannot publish ${dir} to itself: name another folder`);
  }
  const began = performance.now();
  const store = await openForWriting(target, options);
  const { publicUrl } = options;
  const publicSource = publicUrl === undefined ? undefined : openSource(publicUrl);
  let progress: Progress | undefined;
  const { objects, bytes, skipped, overridden, isMoved, pointer } = await publish(
    folderSource(dir),
    store,
    {
      ...options,
      clock: SYSTEM_CLOCK,
      owner: ownerName(),
      ...(publicSource && { publicSource }),
      onProgress(count, total): void {
        progress ??= startProgress({ label: "publish", unit: "objects", total });
        progress.update(count);
        if (count === total) progress.end();
      },
    },
  ).finally(() => progress?.end());
  for (const { message } of overridden) note(`Overridden by --force: ${message}`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  note(
    `Sent ${objects} objects, ${(bytes / 1e6).toFixed(1)} MB; ${skipped} were there already; ` +
      `${seconds} s`,
  );
  const { snapshot, sequence, previous } = pointer;
  if (!isMoved) return `${snapshot} was current already`;
  await purgeCache(options, pointer);
  if (publicSource !== undefined) await noteCached(publicSource, snapshot);
  return `${snapshot} is current, number ${sequence}` +
    (previous === undefined ? "" : `; before it ${previous.snapshot}`);
}

/** Reports when readers still get another pointer. */
async function noteCached(source: Source, snapshot: string): Promise<void> {
  try {
    const bytes = await source.get(POINTER_PATH);
    const seen = bytes === null ? "nothing" : parsePointer(bytes).snapshot;
    if (seen === snapshot) return;
    note(`${source.name} still shows ${seen}: its cache may keep the pointer for a minute`);
  } catch (error) {
    note(`Cannot read the pointer at the public address: ${messageOf(error)}`);
  }
}

async function isSameFolder(dir: string, target: string): Promise<boolean> {
  const [a, b] = await Promise.all([dir, target].map((path) => realpath(path).catch(() => null)));
  return a !== null && a === b;
}
