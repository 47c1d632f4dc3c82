import assert from "node:assert/strict";
import { lookUpItems } from "../../../api/operations/items.ts";
import { ServiceError } from "../../../api/operations/errors.ts";
import { KvUnavailable } from "../../../api/state/kv.ts";
import type { Fault } from "../../pipeline/snapshot/memory.ts";
import type { KvFault } from "./fake_kv.ts";
import { BASE_URL, itemsOf, readItems, World } from "./jobs_world.ts";

// Every tenth number from 5 to 395 is known, in four shards; slices of 32 and 18.
const DOTS = [0, ...Array.from({ length: 49 }, (_, i) => 400 - 5 * i)];

const idempotency = { key: "k", fingerprint: "f" };

interface Item {
  dot: string;
  carrier?: { legal_name: string; snapshot: { id: string } };
  error?: { code: string };
}

/** Each item is that of its number, from the first snapshot; returns how many could not be read. */
function checkItems(items: Item[]): number {
  assert.deepEqual(items.map(({ dot }) => dot), DOTS.map(String));
  for (const { dot, carrier, error } of items) {
    if (error?.code === "upstream_unavailable" && dot !== "0") continue;
    if (dot === "0") assert.equal(error?.code, "invalid_dot_number");
    else if (Number(dot) % 10 !== 5) assert.equal(error?.code, "not_found");
    else assert.deepEqual([carrier!.legal_name, carrier!.snapshot.id], [`CARRIER ${dot} g1`, "g1"]);
  }
  return items.filter(({ error }) => error?.code === "upstream_unavailable").length;
}

/** Asks for a job until there is an answer, and works on it with whatever befalls the store. */
async function runJob(world: World): Promise<string | null> {
  const { jobs, runner } = world.process();
  let id: string | null = null;
  for (let attempt = 0; attempt < 3 && id === null; attempt++) {
    try {
      const { response } = await jobs.create({
        client: "a",
        dots: DOTS,
        baseUrl: BASE_URL,
        idempotency,
      });
      id = JSON.parse(new TextDecoder().decode(response.body)).id;
    } catch (error) {
      assert.ok(error instanceof KvUnavailable || error instanceof ServiceError, String(error));
    }
  }
  // A swap between making and working.
  world.swap();
  if (id !== null) runner.kick(id);
  await runner.sweep();
  await runner.idle();
  return id;
}

for (const fault of ["error", "lost", "conflict"] satisfies KvFault[]) {
  for (const lasting of [false, true]) {
    const how = lasting ? "from the n-th call of the store on" : "at the n-th call of the store";
    Deno.test(`a job is made at most once and ends right with "${fault}" ${how}, for every n`, async () => {
      for (let n = 1;; n++) {
        const world = new World({ lookUp: lookUpItems });
        let hit = false;
        world.kv.options = {
          fault: ({ number }) => {
            if (number < n || (number > n && !lasting)) return undefined;
            hit = true;
            return fault;
          },
        };
        const answered = await runJob(world);
        world.kv.options = {};
        world.check();
        await world.finishAll();
        const process = world.process();
        const again = await process.jobs.create({
          client: "a",
          dots: DOTS,
          baseUrl: BASE_URL,
          idempotency,
        });
        const { id } = JSON.parse(new TextDecoder().decode(again.response.body));
        if (answered !== null) assert.deepEqual([id, again.replayed], [answered, true]);
        if (!again.replayed) await world.finishAll();
        const made = [...world.kv.entries.values()].filter(({ key }) => key[0] === "job");
        assert.deepEqual(made.map(({ key }) => key[1]), [id], `made ${made.length} jobs, n=${n}`);
        if (again.replayed) assert.equal(checkItems(await itemsOf(process, id) as Item[]), 0);
        world.check();
        if (!hit) return assert.ok(n > 10, `only ${n} calls`);
        if (lasting && n > 60) return;
      }
    });
  }
}

for (const fault of ["error", "missing", "truncated", "garbage"] satisfies Fault[]) {
  for (const lasting of [false, true]) {
    const how = lasting ? "from the n-th read on" : "at the n-th read";
    Deno.test(`a job ends with every item right or upstream_unavailable with "${fault}" ${how}, for every n`, async () => {
      for (let n = 1;; n++) {
        const world = new World({ lookUp: lookUpItems });
        let hit = false;
        world.source.fault = (read) => {
          if (read < n || (read > n && !lasting)) return null;
          hit = true;
          return fault;
        };
        const id = await runJob(world);
        if (id === null) {
          assert.ok(lasting && n <= 2, `no job, n=${n}`);
          continue;
        }
        const { job, results } = await world.process().jobs.get(id);
        assert.equal(job.status, "succeeded");
        const missing = checkItems(await readItems(results) as Item[]);
        if (!lasting) assert.equal(missing, 0, `n=${n}`);
        assert.deepEqual(world.open, {});
        world.check();
        if (!hit) return assert.ok(n > 5, `only ${n} reads`);
      }
    });
  }
}
