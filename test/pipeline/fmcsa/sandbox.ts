/**
 * A folder to download into, with a clock, waits and messages under control.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type FetchedFile,
  fetchFile,
  type FetchOptions,
} from "../../../pipeline/fmcsa/download.ts";
import { readSidecar } from "../../../pipeline/fmcsa/part.ts";
import type { FileServer } from "./file_server.ts";

/** What the clock of every download shows. */
export const NOW = Date.parse("2026-10-08T12:00:00Z");

/** A folder to download into, and what the download said and did. */
export interface Sandbox {
  dir: string;
  to: string;
  waits: number[];
  said: string[];
  /** Bytes of the file that the running fetch has. */
  done: number;
  fetch(url: string, more?: Partial<FetchOptions>): Promise<FetchedFile>;
  names(): Promise<string[]>;
}

/** Runs a test in its own folder. */
export async function withSandbox(work: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  const to = `${dir}/census.csv`;
  const waits: number[] = [];
  const said: string[] = [];
  try {
    const sandbox: Sandbox = {
      dir,
      to,
      waits,
      said,
      done: 0,
      fetch: (url, more) =>
        fetchFile({
          url,
          to,
          clock: { now: () => NOW },
          sleep: (ms) => Promise.resolve(void waits.push(ms)),
          say: (line) => said.push(line),
          progress: () => ({ update: (done) => sandbox.done = done, end() {} }),
          ...more,
        }),
      async names(): Promise<string[]> {
        const names: string[] = [];
        for await (const entry of Deno.readDir(dir)) names.push(entry.name);
        return names.sort();
      },
    };
    await work(sandbox);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** Hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Checks that file and sidecar are complete and nothing else is left. */
export async function assertWhole(
  sandbox: Sandbox,
  file: FetchedFile,
  body: Uint8Array,
): Promise<void> {
  assert.equal(file.sha256, sha256(body));
  assert.equal(file.bytes, body.length);
  assert.equal(sha256(await Deno.readFile(sandbox.to)), file.sha256);
  assert.equal((await readSidecar(sandbox.to))?.sha256, file.sha256);
  assert.deepEqual(await sandbox.names(), ["census.csv", "census.csv.json", "census.csv.lock"]);
}

/** Makes a cut wait for its bytes to arrive: a client may lose those that come with the hang-up. */
export function cutExactly(sandbox: Sandbox, server: FileServer): void {
  server.behavior.onCut = async (at) => {
    for (let i = 0; sandbox.done < at && i < 5000; i++) await sleep(1);
  };
}

/** Leaves a part of `bytes` bytes behind, as an interrupted run does. */
export async function leavePart(
  sandbox: Sandbox,
  server: FileServer,
  bytes: number,
): Promise<void> {
  sandbox.done = 0;
  cutExactly(sandbox, server);
  server.behavior.cuts.push(bytes);
  await assert.rejects(sandbox.fetch(server.url, { retries: 0 }), /cut|reading a body/);
  assert.equal((await Deno.stat(`${sandbox.to}.part`)).size, bytes);
  server.requests.length = 0;
}

/** Checks the pauses between attempts: what the server asked for, or from half to all of a back-off. */
export function assertWaits({ waits }: Sandbox, backOffs: number[]): void {
  assert.equal(waits.length, backOffs.length, String(waits));
  for (const [i, most] of backOffs.entries()) {
    assert.ok(waits[i]! >= most / 2 && waits[i]! <= most, String(waits));
  }
}

/** The ranges requested so far. */
export function ranges(server: FileServer): (string | null)[] {
  return server.requests.map((headers) => headers.get("range"));
}
