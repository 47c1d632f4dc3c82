import assert from "node:assert/strict";
import fc from "fast-check";
import { LIMIT, WINDOW_MS, World, type WorldFault } from "./rate_limit_world.ts";

/** In all, so that waiting once outlasts it. */
const MOST_PUT_BACK_MS = 50_000;

/** What the commands need to know: all else is in the promise that {@link World.check} looks at. */
interface Model {
  putBack: number;
}

type Step = fc.AsyncCommand<Model, World>;

class Take implements Step {
  constructor(readonly process: number, readonly client: string, readonly times: number) {}
  check = (): boolean => true;
  async run(_: Model, world: World): Promise<void> {
    const { process, client, times } = this;
    await Promise.all(Array.from({ length: times }, () => world.take(process, client)));
  }
  toString = (): string => `take(${this.process}, ${this.client}, ${this.times})`;
}

class Wait implements Step {
  constructor(readonly ms: number) {}
  check = (): boolean => true;
  run(_: Model, world: World): Promise<void> {
    return Promise.resolve(void (world.clock.passed += this.ms));
  }
  toString = (): string => `wait(${this.ms})`;
}

class PutBack implements Step {
  constructor(readonly ms: number) {}
  check = ({ putBack }: Model): boolean => putBack + this.ms <= MOST_PUT_BACK_MS;
  run(model: Model, world: World): Promise<void> {
    world.clock.putBack = model.putBack += this.ms;
    return Promise.resolve();
  }
  toString = (): string => `putBack(${this.ms})`;
}

class Kill implements Step {
  constructor(readonly process: number) {}
  check = (): boolean => true;
  run = (_: Model, world: World): Promise<void> => Promise.resolve(world.start(this.process));
  toString = (): string => `kill(${this.process})`;
}

class Fail implements Step {
  constructor(readonly faults: (WorldFault | undefined)[]) {}
  check = (): boolean => true;
  run(_: Model, world: World): Promise<void> {
    return Promise.resolve(void world.kv.faults.push(...this.faults));
  }
  toString = (): string => `fail(${this.faults.map((fault) => fault ?? "ok")})`;
}

class Land implements Step {
  check = (): boolean => true;
  run = (_: Model, world: World): Promise<void> => world.kv.land();
  toString = (): string => "land()";
}

/** With no fault left and all windows over, whoever asks is accepted, and as often as promised. */
class Rest implements Step {
  constructor(readonly process: number, readonly client: string) {}
  check = (): boolean => true;
  async run(_: Model, world: World): Promise<void> {
    world.kv.faults = [];
    world.clock.passed += WINDOW_MS + MOST_PUT_BACK_MS;
    for (let left = LIMIT - 1; left >= 0; left--) {
      const { accepted, degraded, remaining } = await world.take(this.process, this.client);
      assert.deepEqual({ accepted, degraded, remaining }, {
        accepted: true,
        degraded: false,
        remaining: left,
      });
    }
    assert.equal((await world.take(this.process, this.client)).accepted, false);
  }
  toString = (): string => `rest(${this.process}, ${this.client})`;
}

const process = fc.nat(2);
const client = fc.constantFrom("a", "b", "c");
const wait = fc.oneof(
  fc.constantFrom(0, 1, 999, 1_000, 2_499, 2_500, 2_501, 57_499, 57_500, 59_999, 60_000, 60_001),
  fc.nat(WINDOW_MS + 5_000),
);
const fault = fc.constantFrom<(WorldFault | undefined)[]>(
  undefined,
  "error",
  "lost",
  "conflict",
  "late",
);
const take = fc.tuple(process, client, fc.integer({ min: 1, max: 8 })).map((args) =>
  new Take(...args)
);
const steps: fc.Arbitrary<Step>[] = [
  take,
  take,
  wait.map((ms) => new Wait(ms)),
  fc.nat(20_000).map((ms) => new PutBack(ms)),
  process.map((index) => new Kill(index)),
  fc.array(fault, { minLength: 1, maxLength: 30 }).map((faults) => new Fail(faults)),
  fc.constant(new Land()),
  fc.tuple(process, client).map((args) => new Rest(...args)),
];

Deno.test("RateLimiter.take() keeps to the limit when anything fails", async () => {
  const property = fc.asyncProperty(
    fc.commands(steps, { maxCommands: 60, size: "max" }),
    async (commands) => {
      const world = new World({ processes: 3 });
      await fc.asyncModelRun(() => ({ model: { putBack: 0 }, real: world }), commands);
      world.check();
    },
  );
  await fc.assert(property, { numRuns: 300 });
});
