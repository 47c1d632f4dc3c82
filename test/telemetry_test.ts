import assert from "node:assert/strict";
import { start, withSnapshot } from "./run_main.ts";

const OPERATIONS = new URL("../pipeline/publish/OPERATIONS.md", import.meta.url);

Deno.test("the runtime sends the metrics that the documents name, and a span a request", async () => {
  const text = await Deno.readTextFile(OPERATIONS);
  const section = text.split("**Metrics and traces**")[1]!.split("\n## ")[0]!;
  const wanted = new Set(
    [...section.matchAll(/`((?:http|v8js)\.[\w.]+)`/g)].map(([, name]) => name),
  );
  assert.equal(wanted.size, 5);
  let spans = 0;
  await using collector = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const sent = await request.text();
      for (const [, name] of sent.matchAll(/"name":\s*"([\w.]+)"/g)) wanted.delete(name!);
      if (sent.includes('"/api/v1/carriers/295017"')) spans++;
      return Response.json({});
    },
  );
  await withSnapshot(async (folder) => {
    const run = start({
      SNAPSHOT_URL: folder,
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.addr.port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_METRIC_EXPORT_INTERVAL: "200",
      OTEL_BSP_SCHEDULE_DELAY: "200",
    });
    const address = await run.address;
    const response = await fetch(`${address}/api/v1/carriers/295017`);
    await response.body?.cancel();
    // Until the garbage collector has run, too.
    while (wanted.size > 0 || spans === 0) await (await fetch(`${address}/agents.md`)).text();
    await run.stop("SIGTERM");
  });
});
