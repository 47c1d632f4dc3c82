/**
 * `snapshot publish`, `status`, `rollback` and `gc`: manage what is published at a target.
 *
 * @module
 */

import { realpath } from "node:fs/promises";
import type { Command } from "commander";
import { z } from "zod";
import { SYSTEM_CLOCK } from "../clock.ts";
import { note, print } from "../io.ts";
import { startProgress } from "../progress.ts";
import type { WriterOptions } from "../publish/lease.ts";
import { gc } from "../publish/gc.ts";
import { openStore } from "../publish/open_store.ts";
import { publish } from "../publish/publish.ts";
import { rollback } from "../publish/rollback.ts";
import { DOLLARS_PER_GB, storageCost } from "../publish/retention.ts";
import { type ChainStatus, type Status, statusOf, type StoredSnapshot } from "../publish/status.ts";
import { type Store, storeSource } from "../publish/store.ts";
import type { Pointer } from "../snapshot/manifest.ts";
import { POINTER_PATH } from "../snapshot/paths.ts";
import { folderSource, openSource } from "../snapshot/sources/open_source.ts";
import type { Source } from "../snapshot/source.ts";
import { escapeInvisible, messageOf, plural } from "../text.ts";
import { argument, interruptible, parseReason } from "./shared.ts";

const TARGET = "a folder or s3://bucket/prefix";

export function openTarget(target: string): Store {
  return openStore(target, { env: (name) => Deno.env.get(name) });
}

/** Opens a root for reading: a folder, an http(s) URL, or s3://bucket/prefix with its keys in the environment. */
export function openRoot(location: string): Source {
  return /^s3:/i.test(location) ? storeSource(openTarget(location)) : openSource(location);
}

/** Options that identify this process as the owner of the lease. */
function writer(signal: AbortSignal): WriterOptions {
  return { clock: SYSTEM_CLOCK, owner: `process ${Deno.pid} on ${Deno.hostname()}`, signal };
}

interface CacheArguments {
  publicUrl?: string;
  purgeUrl?: string;
}

const parseUrl = argument(z.url({ protocol: /^https?$/ }), "Give an http(s) address.");

function addCacheOptions(command: Command): Command {
  return command
    .option("--public-url <url>", "URL where readers find the target", parseUrl)
    .option("--purge-url <url>", "URL to notify when the pointer has moved", parseUrl);
}

const PURGE_TIMEOUT_MS = 10_000;

/** Notifies `purgeUrl`, if set, that the pointer has moved. Only notes a failure, because caches expire anyway. */
async function purgeCache(
  { publicUrl, purgeUrl }: CacheArguments,
  { snapshot, previous }: Pointer,
): Promise<void> {
  if (purgeUrl === undefined) return;
  const token = Deno.env.get("PURGE_TOKEN");
  const base = publicUrl?.replace(/\/*$/, "/") ?? "";
  const move = { snapshot, previous: previous?.snapshot ?? null, pointer: base + POINTER_PATH };
  const problem = await fetch(purgeUrl, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(move),
    signal: AbortSignal.timeout(PURGE_TIMEOUT_MS),
  }).then(async ({ body, ok, status }) => {
    await body?.cancel();
    return ok ? undefined : ` answered with status ${status}`;
  }).catch((error) => `: ${messageOf(error).replaceAll(purgeUrl, "the address")}`);
  if (problem === undefined) return;
  // Only the host, because the rest of the URL may contain a secret.
  note(`Cannot purge at ${new URL(purgeUrl).host}${problem}. Caches expire by themselves`);
}

export interface PublishArguments extends CacheArguments {
  first?: boolean;
  force?: string;
  atOnce?: number;
  keepDays?: number;
  keepMonthEnds?: number;
}

export function registerPublish(program: Command): void {
  addPublishOptions(program.command("publish"))
    .description("upload a snapshot and make it the one that readers see")
    .argument("<dir>", "snapshot root, the --out of a build")
    .argument("<target>", TARGET)
    .option("--first", "confirm that nothing is published there yet")
    .option("--force <reason>", "publish although a gate failed, or begin a new chain", parseReason)
    .action(interruptible(
      async (signal, dir: string, target: string, options: PublishArguments) =>
        print(await publishWithProgress(dir, target, { ...options, signal })),
    ));
}

const parsePositive = argument(
  z.string().regex(/^[1-9]\d{0,3}$/).transform(Number),
  "Give a number from 1 to 9999.",
);

const parseKept = argument(
  z.string().regex(/^\d{1,4}$/).transform(Number),
  "Give a number from 0 to 9999.",
);

export function addPublishOptions(command: Command): Command {
  return addCacheOptions(command)
    .option("--keep-days <n>", "days of which every snapshot is kept", parseKept)
    .option("--keep-month-ends <n>", "months whose last snapshot is kept", parseKept)
    .option("--at-once <n>", "objects uploaded at a time", parsePositive, 16);
}

/** Publishes a snapshot, with progress and notes on standard error. Returns a sentence on what is now current. */
export async function publishWithProgress(
  dir: string,
  target: string,
  { signal, keepDays, keepMonthEnds, ...options }: PublishArguments & { signal: AbortSignal },
): Promise<string> {
  const [from, to] = await Promise.all([dir, target].map((path) => realpath(path).catch(() => "")));
  if (from !== "" && from === to) {
    throw new RangeError(`Cannot publish ${dir} to itself: name another folder`);
  }
  const began = performance.now();
  const { publicUrl } = options;
  const progress = startProgress({ label: "publish", unit: "objects" });
  const keeps = {
    ...(keepDays !== undefined && { days: keepDays }),
    ...(keepMonthEnds !== undefined && { month_ends: keepMonthEnds }),
  };
  const { objects, bytes, skipped, overridden, isMoved, isKeepsNew, pointer } = await publish(
    folderSource(dir),
    openTarget(target),
    {
      ...options,
      ...writer(signal),
      keeps,
      ...(publicUrl !== undefined && { publicSource: openSource(publicUrl) }),
      onProgress: progress.update,
    },
  ).finally(progress.end);
  for (const { message } of overridden) note(`Overridden by --force: ${message}`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  note(`Sent ${sizeOf({ objects, bytes })}; ${skipped} were there already; ${seconds} s`);
  if (isKeepsNew) note(`From now on ${keepsWords(pointer.keeps)} are kept`);
  const { snapshot, sequence, previous } = pointer;
  if (!isMoved) return `${snapshot} was current already`;
  await purgeCache(options, pointer);
  const before = previous === undefined ? "" : `; before it ${previous.snapshot}`;
  return `${snapshot} is current, number ${sequence}${before}`;
}

export function registerStatus(program: Command): void {
  program.command("status")
    .description("print what is published at a target")
    .argument("<target>", TARGET)
    .option("--json", "print one JSON object")
    .action(interruptible(async (signal, target: string, { json }: { json?: boolean }) => {
      const status = await statusOf(openTarget(target), { clock: SYSTEM_CLOCK, signal });
      for (const line of json ? [JSON.stringify(status)] : lines(status)) {
        print(escapeInvisible(line));
      }
      if (status.pointer === null) Deno.exitCode = 1;
    }));
}

function lines({ target, pointer, age_days, orders, chain, snapshots, lease }: Status): string[] {
  const facts: [string, string | undefined][] = pointer === null
    ? [["current", `nothing is published at ${target}`]]
    : [
      ["current", pointer.snapshot],
      ["data of", `${pointer.data_date}, ${age_days} days ago`],
      ["orders", orders ?? undefined],
      ["published", pointer.published_at],
      ["number", pointer.sequence?.toString()],
      ["reason", pointer.reason],
      ["withdrawn", pointer.withdrawn],
      ["previous", pointer.previous?.snapshot],
    ];
  if (chain !== null) {
    facts.push(["chain", chainWords(chain)], ["kept", keptWords(chain)]);
    facts.push(...chain.problems.map((problem): [string, string] => ["problem", problem]));
  }
  facts.push(["lease", lease === null ? "free" : `${lease.owner}, until ${lease.expires}`]);
  // Not listed one by one: there are hundreds, and gc keeps them all.
  const isArchived = (one: StoredSnapshot) => one.kept !== null && one.isSearchRemoved;
  const archived = snapshots.filter(isArchived).length;
  return [
    ...facts.flatMap(([name, value]) => value === undefined ? [] : `${name.padEnd(10)} ${value}`),
    ...snapshots.filter((one) => !isArchived(one))
      .map((one) => lineOf(one, ["gc removes it", "gc removes its *"])),
    ...(archived === 0 ? [] : [`${archived} more without search index; --json lists them`]),
  ];
}

/** Maximum number of gaps to list, newest first. */
const GAPS = 3;

/** Example: `402 snapshots since 2025-10-20, 2 days missing: after 2026-01-01 (2)`. */
function chainWords({ snapshots, first_day, gaps }: ChainStatus): string {
  const begun = `${plural(snapshots, "snapshot")} since ${first_day}`;
  if (gaps.length === 0) return `${begun}, no day missing`;
  const missing = plural(gaps.reduce((sum, { days }) => sum + days, 0), "day");
  const newest = gaps.slice(-GAPS).reverse().map(({ after, days }) => `after ${after} (${days})`);
  const more = gaps.length > GAPS ? ", ..." : "";
  return `${begun}, ${missing} missing: ${newest.join(", ")}${more}`;
}

/**
 * Example: `403 snapshots from 2025-08-31 (401 for the last 400 days, 2 for 60 month ends), 394 of them without search
 * index`.
 */
function keptWords(chain: ChainStatus): string {
  const { kept, kept_first_day, kept_month_ends, keeps, without_search } = chain;
  const rule = keeps === null
    ? "no limit"
    : `${kept - kept_month_ends} for the last ${keeps.days} days, ` +
      `${kept_month_ends} for ${keeps.month_ends} month ends`;
  return `${plural(kept, "snapshot")} from ${kept_first_day} (${rule}), ` +
    `${without_search} of them without search index`;
}

function keepsWords(keeps: Pointer["keeps"]): string {
  return `${keeps!.days} days and ${keeps!.month_ends} month ends`;
}

function lineOf(
  { id, kept, losesSearch, ...size }: StoredSnapshot,
  [gone, searchGone]: [gone: string, searchGone: string],
): string {
  const parts = size.export === undefined ? "search index" : "search index and export";
  const search = losesSearch ? `; ${searchGone.replace("*", parts)}` : "";
  return `${id}  ${sizeOf(size)}  ${kept === null ? gone : `kept: ${kept}${search}`}`;
}

/** Example: `82798 objects, 470.7 MB`. */
function sizeOf({ objects, bytes }: Pick<StoredSnapshot, "objects" | "bytes">): string {
  return `${objects} objects, ${(bytes / 1e6).toFixed(1)} MB`;
}

interface RollbackArguments extends CacheArguments {
  reason?: string;
}

export function registerRollback(program: Command): void {
  addCacheOptions(program.command("rollback"))
    .description("go back to a snapshot that was published before")
    .argument("<target>", TARGET)
    .argument("[id]", "the snapshot to go to (default: the previous one)")
    .option("--reason <text>", "why; kept in the pointer", parseReason)
    .action(interruptible(
      async (signal, target: string, to: string | undefined, options: RollbackArguments) => {
        const { reason } = options;
        const pointer = await rollback(openTarget(target), { to, reason, ...writer(signal) });
        await purgeCache(options, pointer);
        const { snapshot, data_date, previous, sequence } = pointer;
        print(
          `${snapshot} (data of ${data_date}) is current, number ${sequence}; ` +
            `withdrawn ${previous?.snapshot}`,
        );
      },
    ));
}

export function registerGc(program: Command): void {
  program.command("gc")
    .description("remove snapshots that no reader can still need")
    .argument("<target>", TARGET)
    .action(
      interruptible((signal, target: string) => collectGarbage(target, { say: print, signal })),
    );
}

/** Removes snapshots that no reader can still need. Reports what was removed, what is kept and its storage cost. */
export async function collectGarbage(
  target: string,
  { say, signal }: { say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const { chain, snapshots } = await gc(openTarget(target), writer(signal));
  for (const one of snapshots) {
    if (one.kept !== null && !one.losesSearch) continue;
    say(escapeInvisible(lineOf(one, ["removed", "* removed"])));
  }
  const kept = snapshots.filter((one) => one.kept !== null);
  const removed = kept.filter(({ losesSearch }) => losesSearch);
  const parts = removed.flatMap((one) => [one.search ?? [], one.export ?? []].flat());
  const bytes = sumOfBytes(kept) - sumOfBytes(parts);
  const after = { ...chain!, without_search: chain!.without_search + removed.length };
  say(
    `Kept: ${keptWords(after)}; in all ${plural(kept.length, "snapshot")} of ` +
      `${(bytes / 1e9).toFixed(1)} GB, on R2 about $${storageCost(bytes).toFixed(2)} a month at ` +
      `$${DOLLARS_PER_GB} per GB`,
  );
}

function sumOfBytes(parts: readonly { bytes: number }[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}
