/**
 * What several commands share: argument checks, Ctrl-C, targets, the previous snapshot, reports.
 *
 * @module
 */

import { type Command, InvalidArgumentError } from "commander";
import { SYSTEM_CLOCK } from "../clock.ts";
import type { InputRole, SnapshotReport } from "../compile/report.ts";
import { dayNumber, isDay } from "../fmcsa/fields.ts";
import { note } from "../io.ts";
import { keepsConditions, lookBeforeWrite, openStore } from "../publish/open_store.ts";
import { purge } from "../publish/pointer.ts";
import type { Store } from "../publish/store.ts";
import { renderMarkdown } from "../report/markdown.ts";
import { renderPage } from "../report/page.tsx";
import { parsePointer, type Pointer, POINTER_PATH } from "../snapshot/manifest.ts";
import { openSource } from "../snapshot/open_source.ts";
import { retryingSource } from "../snapshot/resilient_source.ts";
import type { Source } from "../snapshot/source.ts";
import { messageOf } from "../text.ts";

/** Exit code of a program that a signal stopped: 128 + SIGINT. */
const INTERRUPTED = 130;

/** A day `YYYY-MM-DD` that exists. */
export function parseIsoDay(text: string): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayNumber(text) : 0;
  if (!isDay(Math.floor(day / 10_000), Math.floor(day / 100) % 100, day % 100)) {
    throw new InvalidArgumentError("Give a day as YYYY-MM-DD.");
  }
  return text;
}

/** A whole number of at least 1. */
export function parsePositive(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("Give a number from 1 to 9999.");
  return Number(text);
}

function parseUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return text;
  throw new InvalidArgumentError("Give an http(s) address.");
}

/**
 * Runs work that Ctrl-C (or SIGTERM) stops cleanly: the signal aborts, the work throws, the exit code
 * is 130. A second Ctrl-C has its usual meaning.
 */
export async function withInterrupt(
  work: (signal: AbortSignal) => Promise<void>,
  { hint = "nothing was changed, run it again" }: { hint?: string } = {},
): Promise<void> {
  const stop = new AbortController();
  const signals = ["SIGINT", "SIGTERM"] as const;
  const onSignal = (): void => {
    for (const name of signals) Deno.removeSignalListener(name, onSignal);
    stop.abort(new Error("Interrupted"));
  };
  for (const name of signals) Deno.addSignalListener(name, onSignal);
  try {
    await work(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    note(`Stopped: ${hint}`);
    Deno.exitCode = INTERRUPTED;
  } finally {
    if (!stop.signal.aborted) {
      for (const name of signals) Deno.removeSignalListener(name, onSignal);
    }
  }
}

/** Help on the argument TARGET. */
export const TARGET_HELP = `
TARGET is a folder, or s3://bucket/prefix with these in the environment: S3_ENDPOINT (such as
https://ACCOUNT.r2.cloudflarestorage.com), AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, and if need be
AWS_REGION (auto) and AWS_SESSION_TOKEN.`;

/** Help on locks, for the commands that write to a target. */
export const LEASE_HELP = `
Only one publish, rollback or gc works on a target at a time: publish.lock names it, and expires a
minute after its owner died. The server must honor the conditions of writes (If-Match, If-None-Match),
as R2, S3 and MinIO do; this is tested first. --last-writer-wins works without: two that start at the
same moment may then undo each other's pointer, though readers still see a whole snapshot.`;

/** Adds the option of the commands that write to a target. */
export function addWriterOptions(command: Command): Command {
  return command.option(
    "--last-writer-wins",
    "work on a server that ignores the conditions of writes",
  );
}

export function openTarget(target: string): Store {
  return openStore(target, { clock: SYSTEM_CLOCK, env: (name) => Deno.env.get(name) });
}

/**
 * Opens a target to write to it.
 *
 * @throws {Error} When its server ignores conditions, without `lastWriterWins`.
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
        "publishers could undo each other's pointer. Use a server that honors them, or make sure that " +
        "there is only one publisher and give --last-writer-wins",
    );
  }
  note(`${store.name} ignores the conditions of writes: the last writer wins`);
  return lookBeforeWrite(store);
}

/** Names this process to others that want the lease. */
export function ownerName(): string {
  return `process ${Deno.pid} on ${Deno.hostname()}`;
}

/** Help on the options of {@link CacheArguments}. */
export const CACHE_HELP = `
--purge-url receives a POST of {"snapshot", "previous", "pointer"} as JSON when the pointer has moved,
with the variable PURGE_TOKEN as bearer token when set. A failure there is only reported: caches keep
the pointer for a minute.`;

/** Where readers are. */
export interface CacheArguments {
  publicUrl?: string;
  purgeUrl?: string;
}

/** Adds the options of a command that moves a pointer. */
export function addCacheOptions(command: Command): Command {
  return command
    .option("--public-url <url>", "where readers find the target", parseUrl)
    .option("--purge-url <url>", "notified when the pointer has moved", parseUrl);
}

/** Notifies `purgeUrl`, if there is one, that the pointer has moved; reports when that fails. */
export async function purgeCache(
  { publicUrl, purgeUrl }: CacheArguments,
  pointer: Pointer,
): Promise<void> {
  if (purgeUrl === undefined) return;
  const base = publicUrl?.replace(/\/+$/, "");
  const token = Deno.env.get("PURGE_TOKEN");
  const problem = await purge(purgeUrl, {
    snapshot: pointer.snapshot,
    previous: pointer.previous?.snapshot ?? null,
    pointer: base === undefined ? POINTER_PATH : `${base}/${POINTER_PATH}`,
  }, token === undefined ? {} : { token });
  if (problem !== undefined) note(`Cannot purge at ${problem}. Caches expire by themselves`);
}

/** Opens the root of the previous snapshot; an http request that fails is retried a few times. */
export function openPrevious(location: string): Source {
  const source = openSource(location);
  if (!/^https?:/i.test(location)) return source;
  return retryingSource(source, { onFailure: (error) => note(`${messageOf(error)}; retrying`) });
}

/**
 * The id of the snapshot that is current at a root, if it was made from files of these hashes.
 *
 * @param hashes SHA-256 of each file, hex.
 */
export async function madeFrom(
  root: Source,
  hashes: Record<InputRole, string>,
): Promise<string | undefined> {
  const bytes = await root.get(POINTER_PATH);
  if (bytes === null) return undefined;
  const { snapshot, sources } = parsePointer(bytes);
  const isSame = (["census", "inspections"] as const).every((role) =>
    sources.some((file) => file.role === role && file.sha256 === hashes[role])
  );
  return isSame ? snapshot : undefined;
}

/** Where to write what people read after a run. */
export interface ReportArguments {
  /** A file that receives a summary in Markdown, at its end. */
  summary?: string;
  /** A folder for `report.json` and `report.html`. */
  report?: string;
}

export function addReportOptions(command: Command): Command {
  return command
    .option("--summary <file>", "append a summary in Markdown, also when a bound is broken")
    .option(
      "--report <dir>",
      "write report.json and report.html there, also when a bound is broken",
    );
}

/** Writes the verdict, a sentence, and the report if there is one. */
export async function writeReports(
  { summary, report: dir }: ReportArguments,
  { verdict, found }: { verdict: string; found?: SnapshotReport | undefined },
): Promise<void> {
  if (summary !== undefined) {
    await Deno.writeTextFile(summary, renderMarkdown(verdict, found), { append: true });
  }
  if (dir !== undefined && found !== undefined) {
    await Deno.mkdir(dir, { recursive: true });
    await Deno.writeTextFile(`${dir}/report.json`, JSON.stringify(found.report, null, 2) + "\n");
    await Deno.writeTextFile(`${dir}/report.html`, renderPage(found));
  }
}
