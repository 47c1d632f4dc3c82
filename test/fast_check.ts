/**
 * What `fast-check` resolves to in tests (see `deno.json`): the library with the seed and runs of `fuzz.ts`.
 *
 * @module
 */

import library from "fast-check";
import { FUZZ_RUNS, FUZZ_SEED } from "./fuzz.ts";

const DEFAULT_RUNS = 100;

/** A failure prints the seed, and `FUZZ_SEED` replays it. */
function assert<T>(property: library.IRawProperty<T>, parameters: library.Parameters<T> = {}) {
  const numRuns = (parameters.numRuns ?? DEFAULT_RUNS) * FUZZ_RUNS;
  return library.assert(property, { ...parameters, seed: FUZZ_SEED, numRuns });
}

const fc: typeof library = { ...library, assert: assert as typeof library.assert };

/** The types that tests use. */
declare namespace fc {
  type Arbitrary<T> = library.Arbitrary<T>;
  type AsyncCommand<M extends object, R> = library.AsyncCommand<M, R>;
}

export default fc;
