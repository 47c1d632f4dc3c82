import assert from "node:assert/strict";
import { tempDir } from "./pipeline/compile/files.ts";
import { type Run, startOne } from "./run_main.ts";
import { until } from "./until.ts";

/** The answer of `/readyz`: status, and the states of snapshot and store. */
async function readiness(run: Run): Promise<[number, string, string]> {
  const { status, text } = await run.get("/readyz");
  const { snapshot, store } = JSON.parse(text);
  return [status, snapshot.state, store.state];
}

/** Old data, because the process uses the machine's clock. */
const READY = [200, "stale", "ok"];

Deno.test("/readyz fails when the snapshot root is gone, though cached data still answers", async () => {
  await using run = await startOne();
  assert.deepEqual(await readiness(run), READY);
  const lookup = async (): Promise<number> => (await run.get("/api/v1/carriers/295017")).status;
  assert.equal(await lookup(), 200);
  await Deno.rename(`${run.folder}/s`, `${run.folder}/gone`);
  assert.equal(await lookup(), 200);
  assert.deepEqual(await afterHolding(run), [503, "stale", "ok"]);
});

Deno.test("/readyz fails when the store's file was deleted, though it still accepts writes", async () => {
  await using dir = await tempDir();
  const KV_PATH = `${dir.path}/kv.sqlite`;
  await using run = await startOne({ KV_PATH });
  assert.deepEqual(await readiness(run), READY);
  await Deno.remove(KV_PATH);
  assert.deepEqual(await afterHolding(run), [503, "stale", "failing"]);
});

Deno.test("/readyz fails when the store can't grow, though it can be read", async () => {
  await using dir = await tempDir();
  const KV_PATH = `${dir.path}/kv.sqlite`;
  {
    await using first = await startOne({ KV_PATH });
    assert.deepEqual(await readiness(first), READY);
    await first.stop("SIGTERM");
  }
  await using run = await startOne({ KV_PATH }, { fileBlocks: 0 });
  assert.deepEqual(await readiness(run), [503, "stale", "failing"]);
});

/** The answer after the previous result, which is repeated for 3 seconds, has expired. */
async function afterHolding(run: Run): Promise<[number, string, string]> {
  let found = await readiness(run);
  await until("/readyz fails", async () => {
    found = await readiness(run);
    return found[0] !== 200;
  });
  return found;
}

Deno.test("a damaged store fails batches, jobs and /readyz, never lookups, and a new one is used without a restart", async () => {
  await using dir = await tempDir();
  const file = `${dir.path}/kv.sqlite`;
  await Deno.writeFile(file, new Uint8Array(8_192).fill(7));
  for (const RATE_LIMIT_STATE of ["memory", "kv"]) {
    await using run = await startOne({ KV_PATH: file, RATE_LIMIT_STATE });
    const statusOf = async (path: string, init?: RequestInit): Promise<number> =>
      (await run.get(path, init)).status;
    const job = (): Promise<number> => {
      const headers = { "Content-Type": "application/json" };
      return statusOf("/api/v1/jobs", { method: "POST", headers, body: '{"dots":["295017"]}' });
    };
    assert.equal(await statusOf("/api/v1/carriers/295017"), 200);
    assert.deepEqual([await job(), await statusOf("/readyz")], [503, 503]);
    if (RATE_LIMIT_STATE === "memory") continue;
    await Deno.remove(file);
    await until("the store works", async () => await statusOf("/readyz") === 200);
    assert.equal(await job(), 202);
    assert.equal((await run.stop("SIGTERM")).code, 0);
  }
});
