/**
 * `deno task bench:publish DIR [NEXT]`: a snapshot, the same again and the one of the next day to an S3
 * server on this machine.
 *
 * @module
 */

import { Command } from "commander";
import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { print } from "../../pipeline/io.ts";
import { startProgress } from "../../pipeline/progress.ts";
import { takeInventory } from "../../pipeline/publish/inventory.ts";
import { openStore } from "../../pipeline/publish/open_store.ts";
import { publish, type Published } from "../../pipeline/publish/publish.ts";
import { type Store, storeSource } from "../../pipeline/publish/store.ts";
import { folderSource } from "../../pipeline/snapshot/open_source.ts";
import type { PointerEntry } from "../../pipeline/snapshot/manifest.ts";
import type { Source } from "../../pipeline/snapshot/source.ts";
import { BUCKET } from "../pipeline/publish/s3_server.ts";
import { s3Environment } from "../pipeline/publish/world.ts";
import { cpuMicroseconds } from "./measure.ts";

const HELP = `
The server keeps objects in memory, in a process of its own on this machine, and checks every body against
its sums: the figures are the cost of publishing here, without a network.

Examples:
  $ deno task bench:publish snapshots
  $ deno task bench:publish snapshots snapshots-of-the-next-day`;

const [dir, next] = new Command("bench:publish")
  .description("time publishing to a local S3 server")
  .argument("<dir>", "snapshot root")
  .argument("[next]", "snapshot root of the next day")
  .addHelpText("after", HELP)
  .parse(Deno.args, { from: "user" }).args;

const server = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", new URL("../pipeline/publish/s3_server.ts", import.meta.url).pathname],
  stdout: "piped",
}).spawn();
try {
  const lines = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const env = s3Environment({ url: (await lines.read()).value!.trim() });
  const store = openStore(`s3://${BUCKET}`, { clock: SYSTEM_CLOCK, env: (name) => env[name] });
  const first = await timed("first", { store, built: folderSource(dir!) });
  await timed("again", { store, built: folderSource(dir!) });
  if (next !== undefined) {
    const second = await timed("next day", { store, built: folderSource(next) });
    await compare(store, first.pointer, second.pointer);
  }
} finally {
  server.kill();
  await server.status;
}

async function timed(
  what: string,
  { store, built }: { store: Store; built: Source },
): Promise<Published> {
  const [clientBefore, serverBefore] = await cpu();
  const began = performance.now();
  const progress = startProgress({ label: what, unit: "objects" });
  const done = await publish(built, store, {
    clock: SYSTEM_CLOCK,
    owner: "bench:publish",
    onProgress: (count) => progress.update(count),
  });
  progress.end();
  const seconds = (performance.now() - began) / 1000;
  const [client, serving] = await cpu();
  print(
    `${what.padEnd(9)} ${done.objects} objects sent, ${done.skipped} skipped, ` +
      `${(done.bytes / 1e6).toFixed(1)} MB, ${seconds.toFixed(1)} s; ` +
      `CPU ${((client - clientBefore) / 1e6).toFixed(1)} s, ` +
      `server ${((serving - serverBefore) / 1e6).toFixed(1)} s`,
  );
  return done;
}

async function cpu(): Promise<[client: number, server: number]> {
  return [await cpuMicroseconds(Deno.pid), await cpuMicroseconds(server.pid)];
}

/** What a copy on the server could have spared. */
async function compare(store: Store, a: PointerEntry, b: PointerEntry): Promise<void> {
  const [before, after] = [
    await takeInventory(storeSource(store), a),
    await takeInventory(storeSource(store), b),
  ];
  const known = new Set(before.items.map(({ sha256 }) => sha256));
  const equal = new Set(after.items.filter(({ sha256 }) => known.has(sha256)).map((i) => i.path));
  let bytes = 0;
  for await (const object of store.list(`s/${b.snapshot}/`)) {
    if (equal.has(object.path)) bytes += object.bytes;
  }
  print(`equal in both: ${equal.size} of ${after.items.length} objects, ${bytes / 1e6} MB`);
}
