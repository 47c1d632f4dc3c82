import assert from "node:assert/strict";
import { Pins } from "../../../api/state/idempotency.ts";
import { Jobs } from "../../../api/state/jobs.ts";
import { KeyedHash } from "../../../api/state/keyed_hash.ts";
import { EVALUATIONS, Slots } from "../../../api/state/slots.ts";
import { StorageBudget } from "../../../api/state/storage_budget.ts";
import { NEVER_LATE, type Objects, putSnapshot, record } from "../../pipeline/snapshot/memory.ts";
import { surfaceOver } from "../http/service.ts";
import { FakeKv } from "./fake_kv.ts";

/** Jobs on a snapshot of one carrier, whose clients may store so many bytes. */
function jobsWith(perClient: number, slots: Slots = new Slots(EVALUATIONS, NEVER_LATE)): Jobs {
  const objects: Objects = new Map();
  putSnapshot(objects, { id: "a", carriers: [record(7)] });
  const { deps } = surfaceOver(objects);
  const kv = new FakeKv();
  const budget = new StorageBudget(deps.clock, { perClient, total: 1e9 });
  const pins = new Pins({ ...deps, kv, hash: new KeyedHash(kv), budget });
  const foreground = { open: 0, cameAt: -Infinity };
  const sleep = () => Promise.resolve();
  return new Jobs({ ...deps, kv, pins, budget, slots, foreground, sleep });
}

const FULL = { code: "rate_limited" };

Deno.test("a job occupies four bytes for each number, and what is stored beside it", async () => {
  const dots = (count: number) => Array<number>(count).fill(7);
  const beside = (id: string) => [{ key: ["beside", id], value: new Uint8Array(1_000) }];
  await assert.rejects(jobsWith(10_000).create({ client: "a", dots: dots(2_501) }), FULL);
  await jobsWith(10_000).create({ client: "a", dots: dots(2_500) });
  await assert.rejects(jobsWith(10_000).create({ client: "a", dots: dots(2_251), beside }), FULL);
  await jobsWith(10_000).create({ client: "a", dots: dots(2_250), beside });
});

Deno.test("a key replays its job when its client may store nothing more", async () => {
  // A job and its key count as a kilobyte each.
  const jobs = jobsWith(2_048);
  const asked = { client: "a", dots: [7], key: "k" };
  const { view } = await jobs.create(asked);
  assert.deepEqual(await jobs.create(asked), { view, replayed: true });
  await assert.rejects(jobs.create({ ...asked, key: "l" }), FULL);
});

Deno.test("an id that is too long for a key of the store is of no job", async () => {
  await assert.rejects(jobsWith(2_048).find("a".repeat(3_000)), { code: "job_not_found" });
});

/** A job of 400 numbers that client "a" may read, another client that waits for its slot, and the timers that measure. */
async function twoReaders() {
  const measures: (() => void)[] = [];
  const slots = new Slots({ ...EVALUATIONS, total: 1 }, (ms, then) => {
    if (ms !== EVALUATIONS.patienceMs) measures.push(then);
    return () => {};
  });
  const jobs = jobsWith(10_000, slots);
  const { view } = await jobs.create({ client: "a", dots: Array<number>(400).fill(7) });
  const job = await jobs.find(view.id);
  const itemsFor = (client: string, control: AbortController) =>
    jobs.items(job, { client, control, finish: (item) => item });
  const control = new AbortController();
  const items = await itemsFor("a", control);
  return {
    items,
    control,
    other: () => itemsFor("b", new AbortController()),
    measure: () => measures.shift()!(),
  };
}

Deno.test("while others wait, a client keeps its slot as long as it reads its job", async () => {
  for (const reads of [0, 5]) {
    const { items, control, other, measure } = await twoReaders();
    await items.next();
    const others = other();
    for (let i = 0; i < reads; i++) await items.next();
    measure();
    assert.equal(control.signal.aborted, reads === 0);
    if (reads > 0) await items.return();
    await (await others).return();
  }
});

Deno.test("a reader's slot is free once it has read to the end, disconnected, or does not begin", async () => {
  for (const how of ["end", "disconnect", "idle"]) {
    const { items, control, other, measure } = await twoReaders();
    const others = other();
    if (how === "end") assert.equal((await Array.fromAsync(items)).flat().length, 400);
    else if (how === "disconnect") control.abort();
    else measure();
    await (await others).return();
  }
});
