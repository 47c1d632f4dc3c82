import assert from "node:assert/strict";
import { snapshotRoot } from "./pipeline/commands/snapshot_root.ts";
import { start } from "./run_main.ts";
import { smoke } from "./smoke.ts";

Deno.test("smoke() finds nothing wrong with a service on its snapshot", async () => {
  await using place = await snapshotRoot();
  const run = start({ SNAPSHOT_URL: place.root });
  assert.deepEqual(await smoke(`${await run.address}/`, { tries: 1 }), []);
  await run.stop("SIGTERM");
});

Deno.test("smoke() names each answer that is not as it should be", async () => {
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(`{"openapi":"3.1.0"}`),
  );
  const problems = await smoke(`http://127.0.0.1:${server.addr.port}`, { tries: 2, pauseMs: 1 });
  assert.deepEqual(problems, [
    `/healthz: the body lacks "alive":true`,
    `/readyz: the body lacks "ready":true`,
    `/api/v1/mcs150-due-date?dot=286764: the body lacks "next_due"`,
    "/api/v1/carriers/286764: the body lacks GENERAL TRANSPORT",
    "/api/v1/carriers?q=general%20transport: the body lacks 286764",
    "/carriers/286764: the body lacks GENERAL TRANSPORT",
    "/api/v1/carriers/12A: status 200, expected 400",
  ]);
});
