/**
 * `deno task bench:publish DIR [NEXT]`: a snapshot, the same again and the one of the next day to an S3
 * server on this machine.
 *
 * @module
 */

import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { print } from "../../pipeline/io.ts";
import { openStore } from "../../pipeline/publish/open_store.ts";
import { publish, type Published } from "../../pipeline/publish/publish.ts";
import { type Store, storeSource } from "../../pipeline/publish/store.ts";
import { listContents } from "../../pipeline/snapshot/contents.ts";
import type { PointerEntry } from "../../pipeline/snapshot/manifest.ts";
import { folderSource } from "../../pipeline/snapshot/open_source.ts";
import { BUCKET } from "../pipeline/publish/s3_server.ts";
import { s3Environment } from "../pipeline/publish/world.ts";
import { benchCommand, printTable, runBench } from "./harness.ts";
import { ownCpuSeconds, startServer } from "./processes.ts";

const HELP = `
The server keeps objects in memory, in its own process on this machine, and checks every body against its
checksums. The figures are the cost of publishing without a network.

Examples:
  $ deno task bench:publish snapshots
  $ deno task bench:publish snapshots snapshots-of-the-next-day`;

const command = benchCommand("publish", "time publishing to a local S3 server", HELP)
  .argument("<dir>", "snapshot root")
  .argument("[next]", "snapshot root of the next day");

await runBench(command, async (_, dir, next) => {
  await using server = await startServer(["test/pipeline/publish/s3_server.ts"]);
  const env = s3Environment({ url: server.address });
  const store = openStore(`s3://${BUCKET}`, { clock: SYSTEM_CLOCK, env: (name) => env[name] });
  const days = [["first", dir!], ["again", dir!], ...(next ? [["next day", next]] : [])] as const;
  const table = [["", "sent", "skipped", "MB", "seconds", "CPU s", "server's CPU s"]];
  const all: Published[] = [];
  for (const [what, root] of days) {
    const [began, cpu, serving] = [performance.now(), ownCpuSeconds(), server.cpuSeconds()];
    const owner = "bench:publish";
    const done = await publish(folderSource(root!), store, {
      clock: SYSTEM_CLOCK,
      owner,
      first: true,
    });
    all.push(done);
    const seconds = (performance.now() - began) / 1000;
    table.push([what!, String(done.objects), String(done.skipped), (done.bytes / 1e6).toFixed(1)]
      .concat(
        [seconds, ownCpuSeconds() - cpu, server.cpuSeconds() - serving].map((s) => s.toFixed(1)),
      ));
  }
  printTable(table);
  if (next) await compare(store, all[0]!.pointer, all[2]!.pointer);
  return all;
});

/** Prints what the second snapshot has in common with the first. */
async function compare(store: Store, a: PointerEntry, b: PointerEntry): Promise<void> {
  const before = await listContents(storeSource(store), a);
  const after = (await listContents(storeSource(store), b)).objects;
  const known = new Set(before.objects.map(({ sha256 }) => sha256));
  const equal = new Set(after.filter(({ sha256 }) => known.has(sha256)).map((i) => i.path));
  let bytes = 0;
  for await (const object of store.list(`s/${b.snapshot}/`)) {
    if (equal.has(object.path)) bytes += object.bytes;
  }
  print(`equal in both: ${equal.size} of ${after.length} objects, ${bytes / 1e6} MB`);
}
