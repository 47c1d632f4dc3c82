/** The publisher is killed with SIGKILL at each of its writes while readers look on. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { folderStore } from "../../../pipeline/publish/folder_store.ts";
import { publish } from "../../../pipeline/publish/publish.ts";
import type { Store } from "../../../pipeline/publish/store.ts";
import { folderSource } from "../../../pipeline/snapshot/open_source.ts";
import { httpSource } from "../../../pipeline/snapshot/http_source.ts";
import { tempDir } from "../compile/files.ts";
import { BUCKET, serveS3 } from "./s3_server.ts";
import {
  bucketStore,
  builtContent,
  contentOf,
  type Days,
  MovedClock,
  options,
  pollWhole,
  s3Environment,
  twoDays,
  writeRoot,
} from "./world.ts";

const CHILD = fileURLToPath(new URL("./publish_child.ts", import.meta.url));

function start(dir: string, target: string, env: Record<string, string>): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", CHILD, "publish", dir, target, "--first"],
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** After a kill: readers have the first day or the second, and the next publish ends as if there was none. */
async function checkRecovery(store: Store, { days, what }: { days: Days; what: string }) {
  const { bytes } = (await store.get("current.json"))!;
  const { snapshot } = JSON.parse(new TextDecoder().decode(bytes));
  assert.ok([days.first.id, days.second.id].includes(snapshot), `${what}: ${snapshot}`);
  const clock = new MovedClock();
  clock.ahead = 61_000; // Past the lease of the dead
  const { pointer } = await publish(days.second.source, store, options({ clock }));
  assert.deepEqual([pointer.snapshot, pointer.sequence], [days.second.id, 2], what);
  assert.deepEqual(await contentOf(store), builtContent(days.first, days.second), what);
  return snapshot === days.second.id;
}

Deno.test("publish to S3 killed after each write: no reader sees a mixed snapshot, a rerun converges", async () => {
  await using dir = await tempDir();
  const days = await twoDays("small");
  await writeRoot(`${dir.path}/second`, days.second);
  await using server = serveS3();
  const store = bucketStore(server);
  await publish(days.first.source, store, options());
  const before = new Map(server.objects);
  const source = httpSource(`${server.url}/${BUCKET}`, { fetch });
  let at = 0;
  let moved = 0;
  for (let code: number | null = null; code === null;) {
    at++;
    server.objects.clear();
    for (const [key, stored] of before) server.objects.set(key, stored);
    const poll = pollWhole(source, days);
    const child = start(`${dir.path}/second`, `s3://${BUCKET}`, s3Environment(server));
    const output = child.output();
    let writes = 0;
    server.way.after = async ({ method }) => {
      if (method === "GET" || ++writes !== at) return;
      child.kill("SIGKILL");
      await child.status;
    };
    const ended = await output;
    server.way.after = () => {};
    code = ended.signal === "SIGKILL" ? null : ended.code;
    assert.ok(code === null || code === 0, new TextDecoder().decode(ended.stderr));
    if (await checkRecovery(store, { days, what: `write ${at}` })) moved++;
    await poll.stop();
    assert.ok(poll.seen.length <= 2, poll.seen.join());
  }
  // Lease, probes, each object, pointer, lease: and after the pointer's write it was killed too
  assert.ok(at > builtContent(days.second).size + 4, `${at} writes`);
  assert.ok(moved >= 2 && moved < 5, `${moved}`);
});

Deno.test("publish to a folder killed at each change of the disk: the same", async () => {
  await using dir = await tempDir();
  const days = await twoDays("small");
  await writeRoot(`${dir.path}/second`, days.second);
  let at = 0;
  let moved = 0;
  for (let code: number | null = null; code === null;) {
    at++;
    const target = `${dir.path}/public${at}`;
    const store = folderStore(target, new MovedClock());
    await publish(days.first.source, store, options());
    const poll = pollWhole(folderSource(target), days);
    const env = { KILL_AT: String(at) };
    const ended = await start(`${dir.path}/second`, target, env).output();
    code = ended.signal === "SIGKILL" ? null : ended.code;
    assert.ok(code === null || code === 0, new TextDecoder().decode(ended.stderr));
    if (await checkRecovery(store, { days, what: `change ${at}` })) moved++;
    await poll.stop();
    assert.ok(poll.seen.length <= 2, poll.seen.join());
    await Deno.remove(target, { recursive: true });
  }
  assert.ok(at > builtContent(days.second).size * 2, `${at} changes`);
  assert.ok(moved >= 2, `${moved}`);
});
