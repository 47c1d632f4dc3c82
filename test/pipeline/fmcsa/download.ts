/**
 * A download from a server of its own into a folder of its own, with clock, waits and messages under
 * control.
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

/** What the clock of every download shows. */
export const NOW = Date.parse("2026-10-08T12:00:00Z");

/** One download. */
export class Download implements AsyncDisposable {
  readonly server: FileServer;
  readonly dir = Deno.makeTempDirSync();
  readonly to = `${this.dir}/census.csv`;
  readonly waits: number[] = [];
  readonly said: string[] = [];
  /** Bytes of the file that the running fetch has. */
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

  /** Fetches, and checks that file and sidecar are complete and nothing else is left. */
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

  /** Makes a cut wait for its bytes to arrive: a client may lose those that come with the hang-up. */
  cutExactly(): void {
    this.server.behavior.onCut = async (at) => {
      for (let i = 0; this.done < at && i < 5000; i++) await sleep(1);
    };
  }

  /** Leaves a part of `bytes` bytes behind, as an interrupted run does. */
  async leavePart(bytes = 200_000): Promise<void> {
    this.done = 0;
    this.cutExactly();
    this.server.behavior.cuts.push(bytes);
    await assert.rejects(this.fetch({ retries: 0 }), /cut|reading a body/);
    assert.equal((await Deno.stat(`${this.to}.part`)).size, bytes);
    this.server.requests.length = 0;
  }

  /** Checks the pauses between attempts: what the server asked for, or from half to all of a back-off. */
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

/** Fetches what two servers have into a folder, without a word. */
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
