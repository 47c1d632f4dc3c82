import assert from "node:assert/strict";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { FAULTS, type Objects, putSnapshot, record } from "../../pipeline/snapshot/memory.ts";
import { call, testService } from "./service.ts";

const DOTS = [5, 105, 205, 305, 405];

/** Every record and docket of generation n contains n: in the name, the city and the holder of MC 1. */
function generation(objects: Objects, n: number): void {
  const carriers = DOTS.map((dot): CarrierRecord =>
    record(dot, { legal_name: `NAME g${n}`, city: `CITY g${n}` })
  );
  putSnapshot(objects, { id: `g${n}`, carriers, dockets: { MC: { 1: [100_000 + n, 5] } } });
}

function generationsIn(text: string): Set<string> {
  return new Set(text.match(/\bg\d+\b/g));
}

Deno.test("no answer mixes two snapshots while snapshots are replaced and deleted under load", async () => {
  const { app, objects, source, clock } = testService();
  generation(objects, 0);
  let stop = false;
  let answers = 0;
  const seen = new Set<string>();
  async function load(worker: number): Promise<void> {
    for (let i = worker; !stop; i++) {
      const target = i % 6 === 0 ? "/api/v1/mc/1" : `/api/v1/carriers/${DOTS[i % 5]}`;
      const { status, text, body, headers } = await call(app, target);
      if (status === 503) continue;
      assert.equal(status, 200);
      const id = headers.get("snapshot-id")!;
      if (i % 6 === 0) assert.equal(body.dot, String(100_000 + Number(id.slice(1))));
      else assert.deepEqual(generationsIn(text), new Set([id]));
      seen.add(id);
      answers++;
      if (i % 3 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  }
  const workers = Array.from({ length: 8 }, (_, worker) => load(worker));
  for (let n = 1; n <= 40; n++) {
    // Waits for at least four answers between two swaps, however slow the machine is.
    for (const enough = answers + 4; answers < enough;) {
      await new Promise((resolve) => setTimeout(resolve));
    }
    // Half of the swaps are found by polling, half by a missing shard.
    for (const path of [...objects.keys()]) if (path.startsWith("s/")) objects.delete(path);
    generation(objects, n);
    if (n % 2 === 0) clock.advance(60_000);
    source.fault = (read) => n % 5 === 0 && read % 4 === 0 ? FAULTS[read % FAULTS.length]! : null;
  }
  stop = true;
  await Promise.all(workers);
  assert.ok(answers > 100);
  assert.ok(seen.size > 5, `only ${[...seen]}`);
});

Deno.test("lookup() is correct or 503 when the n-th read fails, for every n and fault", async () => {
  for (const fault of FAULTS) {
    for (let n = 1; n <= 7; n++) {
      const { app, objects, source, clock } = testService();
      generation(objects, 0);
      source.fault = (read) => read === n ? fault : null;
      for (const target of ["/api/v1/carriers/5", "/api/v1/mc/1", "/api/v1/carriers/105"]) {
        const { status } = await call(app, target);
        assert.ok(status === 200 || (status === 503 && fault !== "slow"), `${fault} ${n}`);
      }
      generation(objects, 1);
      clock.advance(60_000);
      const late = await call(app, "/api/v1/carriers/205");
      if (late.status === 200) {
        assert.deepEqual(generationsIn(late.text), new Set([late.headers.get("snapshot-id")!]));
      }
    }
  }
});
