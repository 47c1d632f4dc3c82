/**
 * `deno task bench:publish DIR [NEXT]`: publishes a snapshot, the same one again and one built with `--previous DIR`
 * to an S3 server on this machine, which keeps objects in memory and checks every body: no network is involved.
 *
 * @module
 */

import { SYSTEM_CLOCK } from "../../pipeline/clock.ts";
import { print } from "../../pipeline/io.ts";
import { openStore } from "../../pipeline/publish/open_store.ts";
import { publish } from "../../pipeline/publish/publish.ts";
import { storeSource } from "../../pipeline/publish/store.ts";
import { listContents } from "../../pipeline/snapshot/contents.ts";
import type { PointerEntry } from "../../pipeline/snapshot/manifest.ts";
import { folderSource } from "../../pipeline/snapshot/sources/open_source.ts";
import { BUCKET } from "../pipeline/publish/s3_server.ts";
import { s3Environment } from "../pipeline/publish/world.ts";
import { start } from "../run_main.ts";
import { printTable } from "./harness.ts";
import { cpuSeconds, ownCpuSeconds } from "./processes.ts";

const [first, next] = Deno.args as [string, string?];
const clock = SYSTEM_CLOCK;
await using server = await start({}, { args: ["run", "-A", "test/pipeline/publish/s3_server.ts"] });
const env = s3Environment({ url: server.address });
const store = openStore(`s3://${BUCKET}`, { env: (name) => env[name] });
const table = [["", "sent", "skipped", "MB", "seconds", "CPU s", "server's CPU s"]];
const a = await timed("first", first);
await timed("again", first);
const b = next === undefined ? undefined : await timed("next day", next);
printTable(table);
if (b !== undefined) {
  const known = new Set((await listed(a)).map(({ sha256 }) => sha256));
  const after = await listed(b);
  const equal = new Set(after.filter(({ sha256 }) => known.has(sha256)).map(({ path }) => path));
  let bytes = 0;
  for await (const object of store.list(`s/${b.snapshot}/`)) {
    if (equal.has(object.path)) bytes += object.bytes;
  }
  print(`equal in both: ${equal.size} of ${after.length} objects, ${bytes / 1e6} MB`);
}

/** Publishes a snapshot and adds a row to the table. */
async function timed(label: string, root: string): Promise<PointerEntry> {
  const read = (): number[] => [
    performance.now() / 1000,
    ownCpuSeconds(),
    cpuSeconds(server),
  ];
  const before = read();
  const options = { clock, owner: "bench:publish", first: true };
  const { objects, skipped, bytes, pointer } = await publish(folderSource(root), store, options);
  const costs = read().map((after, at) => (after - before[at]!).toFixed(1));
  table.push([label, String(objects), String(skipped), (bytes / 1e6).toFixed(1), ...costs]);
  return pointer;
}

async function listed(entry: PointerEntry) {
  return (await listContents(storeSource(store), entry)).objects;
}
