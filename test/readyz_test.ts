import assert from "node:assert/strict";
import { type Run, start, withSnapshot } from "./run_main.ts";

/** What `/readyz` says: status, and the states of snapshot and store. */
async function readiness(run: Run): Promise<[number, string, string]> {
  const response = await fetch(`${await run.address}/readyz`);
  const { snapshot, store } = await response.json();
  return [response.status, snapshot.state, store.state];
}

/** Runs a service whose store is a file, and puts it to the test. */
async function withStore(
  work: (place: { run: Run; folder: string; store: string }) => Promise<void>,
  options: { fileBlocks?: number } = {},
): Promise<void> {
  await withSnapshot(async (folder) => {
    const store = `${folder}/kv.sqlite`;
    const env = { SNAPSHOT_URL: folder, KV_PATH: store };
    const first = start(env);
    // Old data: the clock of the process is the machine's.
    assert.deepEqual(await readiness(first), [200, "stale", "ok"]);
    if (options.fileBlocks === undefined) {
      await work({ run: first, folder, store });
      return void await first.stop("SIGTERM");
    }
    await first.stop("SIGTERM");
    const second = start(env, options);
    await work({ run: second, folder, store });
    await second.stop("SIGTERM");
  });
}

Deno.test("/readyz fails when the snapshot root is gone, though what is cached still answers", async () => {
  await withStore(async ({ run, folder }) => {
    const lookup = async (): Promise<number> => {
      const response = await fetch(`${await run.address}/api/v1/carriers/295017`);
      await response.body?.cancel();
      return response.status;
    };
    assert.equal(await lookup(), 200);
    await Deno.rename(`${folder}/s`, `${folder}/gone`);
    assert.equal(await lookup(), 200);
    assert.deepEqual(await afterHolding(run), [503, "stale", "ok"]);
  });
});

Deno.test("/readyz fails when the file of the store was deleted, though it still takes writes", async () => {
  await withStore(async ({ run, store }) => {
    await Deno.remove(store);
    assert.deepEqual(await afterHolding(run), [503, "stale", "failing"]);
  });
});

Deno.test("/readyz fails when the store cannot grow, though it can be read", async () => {
  await withStore(async ({ run }) => {
    assert.deepEqual(await readiness(run), [503, "stale", "failing"]);
  }, { fileBlocks: 0 });
});

/** The answer once the previous finding, which is repeated for 3 seconds, is too old. */
async function afterHolding(run: Run): Promise<[number, string, string]> {
  for (let tries = 0; tries < 50; tries++) {
    const found = await readiness(run);
    if (found[0] !== 200) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return await readiness(run);
}
