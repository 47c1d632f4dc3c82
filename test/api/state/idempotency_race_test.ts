import assert from "node:assert/strict";
import fc from "fast-check";
import { ServiceError } from "../../../api/operations/errors.ts";
import { answer, IdempotencyWorld, LEASE, request } from "./idempotency_world.ts";

/** What came of requests that reached the store at the same time. */
interface Race {
  runs: string[];
  answers: { name: string; replayed: boolean }[];
  errors: string[];
}

async function race(
  scheduler: fc.Scheduler,
  { world, bodies, length, late }: {
    world: IdempotencyWorld;
    bodies: readonly string[];
    length: number;
    /** Another that is under way already. */
    late?: Promise<unknown>;
  },
): Promise<Race> {
  const result: Race = { runs: [], answers: [], errors: [] };
  world.kv.options = { turn: (label) => scheduler.schedule(Promise.resolve(), label) };
  const racing = bodies.map(async (body, i) => {
    const name = `${body} ${i}`;
    try {
      const { response, replayed } = await world.process().run(request(body), async () => {
        result.runs.push(name);
        await scheduler.schedule(Promise.resolve(), `work of ${name}`);
        return answer(name, length);
      });
      const [, told] = response.headers[0]!;
      assert.deepEqual(response, answer(told, length));
      result.answers.push({ name: told, replayed });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      result.errors.push(error.code);
    }
  });
  await scheduler.waitFor(Promise.all([...racing, late]));
  world.kv.options = {};
  return result;
}

const lengths = fc.constantFrom(10, 70_000);

Deno.test("of requests that race with one key exactly one works; others wait or get its answer", async () => {
  const bodies = fc.constantFrom(["x", "x"], ["x", "x", "x"], ["x", "x", "y"], ["x", "y"]);
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), bodies, lengths, async (scheduler, bodies, length) => {
      const world = new IdempotencyWorld();
      const { runs, answers, errors } = await race(scheduler, { world, bodies, length });
      assert.equal(runs.length, 1);
      const won = runs[0]!.slice(0, 1);
      assert.ok(answers.every(({ name }) => name === runs[0]));
      assert.equal(answers.filter(({ replayed }) => !replayed).length, 1);
      assert.equal(answers.length + errors.length, bodies.length);
      const losers = bodies.filter((body) => body !== won).length;
      assert.equal(errors.filter((code) => code === "idempotency_key_reused").length, losers);
    }),
    { numRuns: 150 },
  );
});

Deno.test("of requests that race to take a key over exactly one works, and the late one gives way", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), lengths, async (scheduler, length) => {
      const world = new IdempotencyWorld();
      const slow = Promise.withResolvers<ReturnType<typeof answer>>();
      const late = world.process().run(request("x"), () => slow.promise).then(
        ({ response }) => response.headers[0]![1],
        (error: ServiceError) => error.code,
      );
      while (world.kv.commits === 0) await new Promise((resolve) => setTimeout(resolve));
      world.clock.advance(LEASE);
      slow.resolve(answer("late", length));
      const { runs, answers } = await race(scheduler, {
        world,
        bodies: ["x", "x"],
        length,
        late,
      });
      const told = [...answers.map(({ name }) => name)];
      const outcome = await late;
      if (outcome !== "request_in_progress") told.push(outcome);
      // Either the late one stored its answer before it was taken over, or one of the others works.
      assert.equal(new Set(told).size, 1, told.join());
      assert.ok(runs.length <= 1);
      const { response } = await world.process().run(
        request("x"),
        () => Promise.reject(new Error("worked twice")),
      );
      assert.deepEqual(response, answer(told[0]!, length));
    }),
    { numRuns: 150 },
  );
});
