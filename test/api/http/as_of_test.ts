import assert from "node:assert/strict";
import { AS_OF_READS } from "../../../api/state/slots.ts";
import { MemorySource, type Objects, record } from "../../pipeline/snapshot/memory.ts";
import { putChain } from "../../pipeline/snapshot/memory_chain.ts";
import { steady, until } from "../../until.ts";
import { call, surfaceOver, testApp } from "./service.ts";

Deno.test("concurrent lookups as of a past day are limited, and other lookups do not wait for them", async () => {
  const objects: Objects = new Map();
  putChain(objects, [
    { dataDate: "2026-10-01", carriers: Array.from({ length: 30 }, (_, i) => record(100 * i + 1)) },
    { dataDate: "2026-10-03", carriers: [record(5)] },
  ]);
  const { deps, source } = surfaceOver(objects);
  const { app } = testApp({ ...deps, source });
  await call(app, "/api/v1/carriers/1?as_of=2026-10-01");
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const get = MemorySource.prototype.get.bind(source);
  let reading = 0;
  source.get = async (path) => {
    if (path.startsWith("s/2026-10-01-0/carriers/")) {
      reading++;
      await gate;
    }
    return await get(path);
  };
  const ask = (i: number, peer: string) =>
    call(app, `/api/v1/carriers/${100 * i + 1}?as_of=2026-10-01`, { peer });
  const one = Array.from({ length: 5 }, (_, i) => ask(i, "192.0.2.1"));
  await until("reads begin", () => reading >= AS_OF_READS.perClient);
  await steady(() => reading);
  assert.equal(reading, AS_OF_READS.perClient);
  const others = Array.from({ length: 25 }, (_, i) => ask(i + 5, `192.0.3.${i}`));
  await until("reads go on", () => reading >= AS_OF_READS.total);
  await steady(() => reading);
  assert.equal(reading, AS_OF_READS.total);
  assert.equal((await call(app, "/api/v1/carriers/5")).status, 200);
  open();
  for (const { status } of await Promise.all([...one, ...others])) assert.equal(status, 200);
  assert.equal(reading, 30);
});
