/**
 * Steps of a model test.
 *
 * @module
 */

import fc from "fast-check";

/** A step with its name and values, so that a failure shows what happened. */
export function step<W extends object, A extends unknown[]>(
  name: string,
  values: fc.Arbitrary<A>,
  run: (world: W, ...values: A) => unknown,
): fc.Arbitrary<fc.AsyncCommand<object, W>> {
  return values.map((values) => ({
    check: () => true,
    run: async (_, world) => void await run(world, ...values),
    toString: () => `${name}(${values.map((value) => JSON.stringify(value))})`,
  }));
}

/** Runs lists of steps, each in a new world, and `end` after each list. */
export async function assertSteps<W extends object>(
  steps: fc.Arbitrary<fc.AsyncCommand<object, W>>[],
  { world, end, numRuns }: {
    world: () => Promise<W> | W;
    end: (world: W) => Promise<void> | void;
    numRuns: number;
  },
): Promise<void> {
  const lists = fc.commands(steps, { maxCommands: 60, size: "max" });
  const property = fc.asyncProperty(lists, async (list) => {
    const real = await world();
    await fc.asyncModelRun(() => ({ model: {}, real }), list);
    await end(real);
  });
  await fc.assert(property, { numRuns, endOnFailure: false });
}
