/**
 * `snapshot publish`.
 *
 * @module
 */

import { realpath } from "node:fs/promises";
import type { Command } from "commander";
import { SYSTEM_CLOCK } from "../clock.ts";
import { messageOf } from "../text.ts";
import { note, print } from "../io.ts";
import { type Progress, startProgress } from "../progress.ts";
import { publish, type Published } from "../publish/publish.ts";
import { parsePointer, POINTER_PATH } from "../snapshot/manifest.ts";
import { folderSource, openSource } from "../snapshot/open_source.ts";
import type { Source } from "../snapshot/source.ts";
import { parsePositive, withInterrupt } from "./arguments.ts";
import { addWriterOptions, LEASE_HELP, openForWriting, ownerName, TARGET_HELP } from "./target.ts";
import { addCacheOptions, CACHE_HELP, type CacheArguments, tellCache } from "./tell_cache.ts";

const HELP = `
Uploads the current snapshot of DIR, reads a sample and some carriers back as the service would (over
--public-url when given, which is the better test), and only then moves the pointer. Readers see the old
snapshot until that one write, and whole snapshots always. Whatever stops a publish, run it again: objects
that are there already are not sent twice.
${TARGET_HELP}

The snapshot is compared with the one that is current in TARGET, by the reports of both. Refused without
--force REASON: what differs by more than days explain, data older than the current, a current report
that is missing or altered, and a snapshot that was rolled back from. The reason is kept in the pointer.
The first snapshot of a TARGET needs --first: there is nothing to compare it with.

${CACHE_HELP}
${LEASE_HELP}

Examples:
  $ deno task snapshot publish snapshots /var/www/carriers --first
  $ deno task snapshot publish snapshots s3://carriers --public-url https://data.example.org

Exit codes: 0 published or current already, 1 not published (the message says why), 2 wrong arguments,
130 interrupted.`;

/** Where a snapshot goes, beside the target itself. */
export interface PublishArguments extends CacheArguments {
  first?: boolean;
  force?: string;
  atOnce: number;
  lastWriterWins?: boolean;
}

/** Adds `publish` to the program. */
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
        { hint: "readers see what they saw before; run it again and it resumes where it stopped" },
      )
    );
}

/** Options of a command that publishes. */
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
  const { publicUrl, purgeUrl, signal, lastWriterWins = false } = options;
  if (await isSameFolder(dir, target)) {
    throw new RangeError(`Cannot publish ${dir} to itself: name another folder`);
  }
  const began = performance.now();
  const store = await openForWriting(target, { lastWriterWins, signal });
  const publicSource = publicUrl === undefined ? undefined : openSource(publicUrl);
  let progress: Progress | undefined;
  const done = await publish(folderSource(dir), store, {
    clock: SYSTEM_CLOCK,
    owner: ownerName(),
    ...(publicSource === undefined ? {} : { publicSource }),
    ...(options.first === undefined ? {} : { first: options.first }),
    ...(options.force === undefined ? {} : { force: options.force }),
    atOnce: options.atOnce,
    signal,
    onProgress(count, total): void {
      progress ??= startProgress({ label: "publish", unit: "objects", total });
      progress.update(count);
      if (count === total) progress.end();
    },
  }).finally(() => progress?.end());
  noteSent(done, (performance.now() - began) / 1000);
  const { isMoved, pointer } = done;
  if (!isMoved) return `${pointer.snapshot} was current already`;
  if (purgeUrl !== undefined) await tellCache(purgeUrl, { pointer, publicUrl });
  if (publicSource !== undefined) await noteCached(publicSource, done);
  return `${pointer.snapshot} is current, number ${pointer.sequence}` +
    (pointer.previous === undefined ? "" : `; before it ${pointer.previous.snapshot}`);
}

function noteSent({ objects, bytes, skipped, overridden }: Published, seconds: number): void {
  for (const { message } of overridden) note(`Overridden by --force: ${message}`);
  note(
    `Sent ${objects} objects, ${(bytes / 1e6).toFixed(1)} MB; ${skipped} were there already; ` +
      `${seconds.toFixed(1)} s`,
  );
}

async function noteCached(source: Source, { pointer }: Published): Promise<void> {
  try {
    const bytes = await source.get(POINTER_PATH);
    const seen = bytes === null ? "nothing" : parsePointer(bytes).snapshot;
    if (seen === pointer.snapshot) return;
    note(`${source.name} still shows ${seen}: its cache may hold the pointer for a minute`);
  } catch (error) {
    note(`Cannot look at the pointer from outside: ${messageOf(error)}`);
  }
}

async function isSameFolder(dir: string, target: string): Promise<boolean> {
  const [a, b] = await Promise.all([dir, target].map((path) => realpath(path).catch(() => null)));
  return a !== null && a === b;
}
