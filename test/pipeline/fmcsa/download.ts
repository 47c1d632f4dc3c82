/**
 * A download from its own server into its own folder, with control of clock, waits and messages.
 *
 * @module
 */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type FetchedFile,
  fetchFile,
  fetchFiles,
  type FetchOptions,
} from "../../../pipeline/fmcsa/download.ts";
import { readSidecar } from "../../../pipeline/fmcsa/part.ts";
import { sha256 } from "../../../pipeline/sha256.ts";
import { type FileServer, serveFile, type ServerBehavior } from "./file_server.ts";

/** The time on the clock of every download. */
export const NOW = Date.parse("2026-10-08T12:00:00Z");

/** One download. */
export class Download implements AsyncDisposable {
  readonly server: FileServer;
  readonly dir = Deno.makeTempDirSync();
  readonly to = `${this.dir}/census.csv`;
  readonly waits: number[] = [];
  readonly said: string[] = [];
  /** How many bytes the running fetch has of the file. */
  done = 0;

  constructor(behavior: Partial<ServerBehavior> = {}) {
    this.server = serveFile(behavior);
  }

  fetch(more: Partial<FetchOptions> = {}): Promise<FetchedFile> {
    return fetchFile({
      url: this.server.url,
      to: this.to,
      clock: { now: () => NOW },
      sleep: (ms) => Promise.resolve(void this.waits.push(ms)),
      say: (line) => this.said.push(line),
      progress: () => ({ update: (done) => this.done = done, end() {} }),
      ...more,
    });
  }

  /** Fetches, and checks that file and sidecar are complete and nothing else remains. */
  async fetchWhole(
    more: Partial<FetchOptions> = {},
    body: Uint8Array = this.server.behavior.body,
  ): Promise<FetchedFile> {
    const file = await this.fetch(more);
    assert.deepEqual([file.sha256, file.bytes], [sha256(body), body.length]);
    assert.equal(sha256(await Deno.readFile(this.to)), file.sha256);
    assert.equal((await readSidecar(this.to))?.sha256, file.sha256);
    assert.deepEqual(await this.names(), ["census.csv", "census.csv.json", "census.csv.lock"]);
    return file;
  }

  async names(): Promise<string[]> {
    return (await Array.fromAsync(Deno.readDir(this.dir), ({ name }) => name)).sort();
  }

  /**
   * Delays each disconnect until the client has read the bytes before it, because a client may lose bytes that
   * arrive together with a disconnect.
   */
  cutExactly(): void {
    this.server.behavior.onCut = async (at) => {
      for (let i = 0; this.done < at && i < 5000; i++) await sleep(1);
    };
  }

  /** Leaves a part of `bytes` bytes, as an interrupted run does. */
  async leavePart(bytes = 200_000): Promise<void> {
    this.done = 0;
    this.cutExactly();
    this.server.behavior.cuts.push(bytes);
    await assert.rejects(this.fetch({ retries: 0 }), /cut|reading a body/);
    assert.equal((await Deno.stat(`${this.to}.part`)).size, bytes);
    this.server.requests.length = 0;
  }

  /** Checks the pauses between attempts: as the server requested, or 50 to 100% of a backoff. */
  assertWaits(backOffs: number[]): void {
    assert.equal(this.waits.length, backOffs.length, String(this.waits));
    for (const [i, most] of backOffs.entries()) {
      assert.ok(this.waits[i]! >= most / 2 && this.waits[i]! <= most, String(this.waits));
    }
  }

  /** The ranges requested so far. */
  ranges(): (string | null)[] {
    return this.server.requests.map((headers) => headers.get("range"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await Deno.remove(this.dir, { recursive: true });
  }
}

/** Fetches from two servers into a folder, without messages. */
export function fetchHere(
  to: string,
  { census, inspections }: Record<"census" | "inspections", FileServer>,
): ReturnType<typeof fetchFiles> {
  return fetchFiles({
    census: census.url,
    inspections: inspections.url,
    to,
    progress: () => ({ update() {}, end() {} }),
    say: () => {},
  });
}
