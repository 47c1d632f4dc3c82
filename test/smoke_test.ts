import assert from "node:assert/strict";
import { snapshotRoot } from "./pipeline/commands/snapshot_root.ts";
import { start } from "./run_main.ts";
import { serve } from "./serve.ts";
import { smoke } from "./smoke.ts";

Deno.test("smoke() finds no problem with a service on its snapshot", async () => {
  await using place = await snapshotRoot();
  await using run = await start({ SNAPSHOT_URL: place.root });
  assert.deepEqual(await smoke(`${run.address}/`, { tries: 1 }), []);
});

Deno.test("smoke() names each wrong answer", async () => {
  await using server = serve(() => new Response(`{"openapi":"3.1.0"}`));
  const problems = await smoke(server.url, { tries: 2, pauseMs: 1 });
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
