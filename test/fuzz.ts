/**
 * The seed and the number of runs of every randomized test. `FUZZ_SEED` sets another seed, and
 * `FUZZ_RUNS` multiplies the runs.
 *
 * @module
 */

/** The same in every run, so that an unchanged checkout always passes or always fails. */
export const FUZZ_SEED: number = numberIn("FUZZ_SEED", 20_261_005);

export const FUZZ_RUNS: number = numberIn("FUZZ_RUNS", 1);

/** The seeds of a test that runs once for each. */
export function seedsOf(count: number): number[] {
  return Array.from({ length: count * FUZZ_RUNS }, (_, i) => FUZZ_SEED + i);
}

function numberIn(name: string, otherwise: number): number {
  const text = Deno.env.get(name) || String(otherwise);
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name} must be 1 to 999999999: ${text}`);
  return Number(text);
}
