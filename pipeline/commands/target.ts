/**
 * `snapshot publish`, `status`, `rollback` and `gc`: what readers of a target see.
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
import { openStore } from "../publish/open_store.ts";
import { publish } from "../publish/publish.ts";
import { rollback } from "../publish/rollback.ts";
import { gc, type Status, statusOf, type StoredSnapshot } from "../publish/status.ts";
import type { Store } from "../publish/store.ts";
import { type Pointer, POINTER_PATH } from "../snapshot/manifest.ts";
import { folderSource, openSource } from "../snapshot/open_source.ts";
import { messageOf, plain } from "../text.ts";
import { argument, interruptible, parseReason } from "./shared.ts";

const TARGET = "a folder or s3://bucket/prefix";

export function openTarget(target: string): Store {
  return openStore(target, { env: (name) => Deno.env.get(name) });
}

/** Names this process to others that want the lease. */
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

/** Posts a move of the pointer to `purgeUrl`, if there is one; a failure is only reported. */
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
  // The rest of the address may be a secret.
  note(`Cannot purge at ${new URL(purgeUrl).host}${problem}. Caches expire by themselves`);
}

export interface PublishArguments extends CacheArguments {
  first?: boolean;
  force?: string;
  atOnce?: number;
}

export function registerPublish(program: Command): void {
  addPublishOptions(program.command("publish"))
    .description("upload a snapshot and make it the one that readers see")
    .argument("<dir>", "snapshot root, the --out of a build")
    .argument("<target>", TARGET)
    .option("--first", "confirm that there is nothing to compare with")
    .option("--force <reason>", "publish although a gate failed", parseReason)
    .action(interruptible(
      async (signal, dir: string, target: string, options: PublishArguments) =>
        print(await publishWithProgress(dir, target, { ...options, signal })),
    ));
}

const parsePositive = argument(
  z.string().regex(/^[1-9]\d{0,3}$/).transform(Number),
  "Give a number from 1 to 9999.",
);

export function addPublishOptions(command: Command): Command {
  return addCacheOptions(command)
    .option("--at-once <n>", "objects uploaded at a time", parsePositive, 16);
}

/** Publishes with a progress display and notes on standard error; returns in a sentence what is current. */
export async function publishWithProgress(
  dir: string,
  target: string,
  { signal, ...options }: PublishArguments & { signal: AbortSignal },
): Promise<string> {
  const [from, to] = await Promise.all([dir, target].map((path) => realpath(path).catch(() => "")));
  if (from !== "" && from === to) {
    throw new RangeError(`Cannot publish ${dir} to itself: name another folder`);
  }
  const began = performance.now();
  const { publicUrl } = options;
  const progress = startProgress({ label: "publish", unit: "objects" });
  const { objects, bytes, skipped, overridden, isMoved, pointer } = await publish(
    folderSource(dir),
    openTarget(target),
    {
      ...options,
      ...writer(signal),
      ...(publicUrl !== undefined && { publicSource: openSource(publicUrl) }),
      onProgress: progress.update,
    },
  ).finally(progress.end);
  for (const { message } of overridden) note(`Overridden by --force: ${message}`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  note(`Sent ${sizeOf({ objects, bytes })}; ${skipped} were there already; ${seconds} s`);
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
      for (const line of json ? [JSON.stringify(status)] : lines(status)) print(plain(line));
      if (status.pointer === null) Deno.exitCode = 1;
    }));
}

function lines({ target, pointer, age_days, snapshots, lease }: Status): string[] {
  const facts: [string, string | undefined][] = pointer === null
    ? [["current", `nothing is published at ${target}`]]
    : [
      ["current", pointer.snapshot],
      ["data of", `${pointer.data_date}, ${age_days} days ago`],
      ["published", pointer.published_at],
      ["number", pointer.sequence?.toString()],
      ["reason", pointer.reason],
      ["withdrawn", pointer.withdrawn],
      ["previous", pointer.previous?.snapshot],
    ];
  facts.push(["lease", lease === null ? "free" : `${lease.owner}, until ${lease.expires}`]);
  return [
    ...facts.flatMap(([name, value]) => value === undefined ? [] : `${name.padEnd(10)} ${value}`),
    ...snapshots.map((one) => lineOf(one, "gc removes it")),
  ];
}

function lineOf({ id, kept, ...size }: StoredSnapshot, elseWhat: string): string {
  return `${id}  ${sizeOf(size)}  ${kept === null ? elseWhat : `kept: ${kept}`}`;
}

/** `82798 objects, 470.7 MB`. */
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
    .action(interruptible((signal, target: string) => collect(target, { say: print, signal })));
}

/** Removes what no reader can still need; says of each snapshot what became of it. */
export async function collect(
  target: string,
  { say, signal }: { say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  for (const one of await gc(openTarget(target), writer(signal))) {
    say(plain(lineOf(one, "removed")));
  }
}
