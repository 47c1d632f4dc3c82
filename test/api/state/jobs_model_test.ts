import assert from "node:assert/strict";
import fc from "fast-check";
import type { ServiceError } from "../../../api/operations/errors.ts";
import {
  BASE_URL,
  dotsUpTo,
  macrotask,
  plainItem,
  type Process,
  readItems,
  World,
} from "./jobs_world.ts";

const LIMITS = { clientItems: 400, items: 600, jobs: 4 };
const PROCESSES = 2;

interface ModelJob {
  dots: number[];
  snapshot: string;
  done: number;
  finished: number | null;
}

/** What callers may rely on, told from what they have seen. */
class Model {
  readonly jobs = new Map<string, ModelJob>();
  readonly keys = new Map<string, { id: string; size: number }>();

  /** Checks a look at a job; `found` is null when there was none. */
  look(id: string, found: Found | null, now: number): void {
    const job = this.jobs.get(id)!;
    const over = job.finished !== null && now >= job.finished + 3_600_000;
    if (found === null) return assert.ok(over || job.finished === null, "gone before its time");
    assert.ok(!over, "there after its time");
    assert.equal(found.total, job.dots.length);
    assert.ok(found.done >= job.done, "progress is lost");
    assert.equal(found.status === "succeeded", found.items !== null);
    if (found.items !== null) {
      assert.deepEqual(
        found.items,
        job.dots.map((dot) => JSON.parse(plainItem(dot, job.snapshot))),
      );
      job.finished ??= Date.parse(found.finished_at!);
      assert.equal(found.finished_at, new Date(job.finished).toISOString());
    } else assert.equal(job.finished, null, "finished and then not");
    job.done = found.done;
  }
}

interface Found {
  status: string;
  total: number;
  done: number;
  finished_at: string | null;
  items: unknown[] | null;
}

interface Real {
  world: World;
  processes: Process[];
  /** Serves requests, never held up. */
  front: Process;
}

type Command = fc.AsyncCommand<Model, Real>;

function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      await run(model, real);
      real.world.check();
      const open = Object.values(real.world.open);
      const items = (of: typeof open) => of.reduce((sum, job) => sum + job.items, 0);
      assert.ok(open.length <= LIMITS.jobs && items(open) <= LIMITS.items);
      for (const { client } of open) {
        assert.ok(items(open.filter((job) => job.client === client)) <= LIMITS.clientItems);
      }
    },
  };
}

/** Until the process waits for permits or has nothing to do. */
async function settle({ kv, runner }: Process): Promise<void> {
  let idle = false;
  runner.idle().then(() => idle = true);
  for (let quiet = 0; quiet < 2;) {
    await macrotask();
    quiet = idle || kv.waiting.length > 0 ? quiet + 1 : 0;
  }
}

async function look({ front }: Real, id: string): Promise<Found | null> {
  try {
    const { job, results } = await front.jobs.get(id);
    return { ...job, items: results === null ? null : await readItems(results) };
  } catch (error) {
    assert.equal((error as ServiceError).code, "job_not_found");
    return null;
  }
}

function held(world: World): Process {
  const process = world.process();
  process.kv.permits = 0;
  return process;
}

function create(client: string, { size, key }: { size: number; key: string | null }): Command {
  return command(
    `create(${client}, ${size}, ${key})`,
    async (model, { world, front, processes }) => {
      const before = world.open;
      const known = key === null ? undefined : model.keys.get(client + key);
      const dots = dotsUpTo(size);
      const idempotency = key === null ? undefined : { key, fingerprint: String(size) };
      try {
        const { id, replayed, response } = await front.jobs.create({
          client,
          dots,
          baseUrl: BASE_URL,
          idempotency,
        });
        const made = JSON.parse(new TextDecoder().decode(response.body));
        assert.equal(replayed, known !== undefined);
        assert.equal(made.id, known?.id ?? id);
        assert.ok(known === undefined || known.size === size);
        if (replayed) return;
        const snapshot = `g${world.generation}`;
        model.jobs.set(made.id, { dots, snapshot, done: 0, finished: null });
        if (key !== null) model.keys.set(client + key, { id: made.id, size });
        processes[size % PROCESSES]!.runner.kick(made.id);
      } catch (error) {
        const { code } = error as ServiceError;
        if (code === "idempotency_key_reused") return assert.notEqual(known?.size, size);
        assert.equal(code, "rate_limited", String(error));
        const open = Object.values(before);
        const sum = (of: typeof open) => of.reduce((total, job) => total + job.items, size);
        const most = Math.max(
          ...open.map((job) => sum(open.filter((other) => other.client === job.client))),
        );
        assert.ok(
          open.length === LIMITS.jobs || sum(open) > LIMITS.items || most > LIMITS.clientItems,
          "refused below the limits",
        );
      }
    },
  );
}

function at<T>(list: readonly T[], index: number): T | undefined {
  return list.length === 0 ? undefined : list[index % list.length];
}

const which = fc.nat(PROCESSES - 1);
const commands = [
  fc.record({
    client: fc.constantFrom("a", "b"),
    size: fc.constantFrom(1, 31, 32, 33, 97, 250),
    key: fc.constantFrom(null, null, "k", "l"),
  }).map(({ client, ...rest }) => create(client, rest)),
  fc.nat(5).map((n) =>
    command(`poll(${n})`, async (model, real) => {
      const id = at([...model.jobs.keys()], n);
      if (id !== undefined) model.look(id, await look(real, id), real.world.clock.now());
    })
  ),
  fc.tuple(which, fc.integer({ min: 1, max: 6 })).map(([p, steps]) =>
    command(`step(${p}, ${steps})`, async (_, { processes }) => {
      processes[p]!.kv.permit(steps);
      await settle(processes[p]!);
      processes[p]!.kv.permits = 0;
    })
  ),
  which.map((p) =>
    command(`kill(${p})`, (_, { world, processes }) => {
      processes[p]!.kv.dead = true;
      processes[p] = held(world);
      return Promise.resolve();
    })
  ),
  which.map((p) =>
    command(`stop(${p})`, async (_, { world, processes }) => {
      const stopped = processes[p]!.runner.stop();
      processes[p]!.kv.permit(Infinity);
      await stopped;
      processes[p] = held(world);
    })
  ),
  which.map((p) =>
    command(`sweep(${p})`, (_, { processes }) => {
      // It waits for steps like all that the process does.
      processes[p]!.runner.sweep();
      return Promise.resolve();
    })
  ),
  fc.constantFrom(1_000, 29_999, 30_001, 600_000, 3_600_000).map((ms) =>
    command(`advance(${ms})`, (_, { world }) => Promise.resolve(world.clock.advance(ms)))
  ),
  fc.constant(command("swap", (_, { world }) => Promise.resolve(world.swap()))),
];

Deno.test("jobs keep to the model whatever is made, stepped, killed, stopped and swept", async () => {
  let finished = 0;
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: "max" }), async (list) => {
      const world = new World({ limits: LIMITS });
      const front = world.process();
      const processes = Array.from({ length: PROCESSES }, () => held(world));
      const model = new Model();
      const real = { world, front, processes };
      await fc.asyncModelRun(() => ({ model, real }), list);
      const now = world.clock.now();
      const live = [...model.jobs].filter(([, { finished }]) => finished === null);
      const early = await Promise.all(live.map(([id]) => look(real, id)));
      await world.finishAll();
      // Zombies wake up after all has ended.
      for (const { kv, runner } of processes) {
        kv.permit(Infinity);
        await runner.idle();
      }
      world.check();
      for (const [i, [id]] of live.entries()) {
        // One that finished unseen and is over by now can be told by the look before only.
        if (early[i] === null) continue;
        model.look(id, early[i]!, now);
        model.look(id, await look(real, id), world.clock.now());
        finished++;
      }
      world.clock.advance(3_600_000);
      for (const id of model.jobs.keys()) assert.equal(await look(real, id), null);
      await front.runner.sweep();
      const left = new Set([...world.kv.entries.values()].map(({ key }) => key[0]));
      assert.deepEqual(left.difference(new Set(["jobs_open", "idempotency"])), new Set());
    }),
    { numRuns: 150, endOnFailure: false },
  );
  assert.ok(finished > 50, `only ${finished} jobs came to an end`);
});
