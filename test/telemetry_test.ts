import assert from "node:assert/strict";
import { startOne } from "./run_main.ts";
import { serve } from "./serve.ts";
import { until } from "./until.ts";

const OPERATIONS = new URL("../pipeline/publish/OPERATIONS.md", import.meta.url);

Deno.test("the runtime sends the metrics that the documents name, and one span per request", async () => {
  const text = await Deno.readTextFile(OPERATIONS);
  const section = text.split("**Metrics and traces**")[1]!.split("\n## ")[0]!;
  const wanted = new Set(
    [...section.matchAll(/`((?:http|v8js)\.[\w.]+)`/g)].map(([, name]) => name),
  );
  assert.equal(wanted.size, 5);
  let spans = 0;
  await using collector = serve(async (request) => {
    const sent = await request.text();
    for (const [, name] of sent.matchAll(/"name":\s*"([\w.]+)"/g)) wanted.delete(name!);
    if (sent.includes('"/api/v1/carriers/295017"')) spans++;
    return Response.json({});
  });
  await using run = await startOne({
    OTEL_DENO: "true",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_METRIC_EXPORT_INTERVAL: "200",
    OTEL_BSP_SCHEDULE_DELAY: "200",
  });
  await run.get("/api/v1/carriers/295017");
  // This also waits for the garbage collector, which has a metric of its own.
  await until(() => `${[...wanted]} missing, ${spans} spans`, async () => {
    await run.get("/agents.md");
    return wanted.size === 0 && spans > 0;
  });
  // It is killed: with OTEL_DENO a process that exits may hang in the runtime (denoland/deno#33157), as it
  // did here on Nov 24, 2026 for 20 minutes.
});
