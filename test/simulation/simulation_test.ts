import assert from "node:assert/strict";
import { FUZZ_SEED, seedsOf } from "../fuzz.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { type Mutation, simulate } from "./simulation.ts";

const SEEDS = 25;
const MUTANT_SEEDS = 150;

Deno.test("every answer comes from one published snapshot and is never older than promised, as of any retained day, whatever publisher, CDN and services do", async () => {
  const seeds = seedsOf(SEEDS);
  let answers = 0;
  let unavailable = 0;
  for (const seed of seeds) {
    const outcome = await simulate(seed);
    const replay = `FUZZ_SEED=${seed} deno task test test/simulation`;
    assert.deepEqual(outcome.violations, [], `replay with: ${replay}`);
    assert.ok(outcome.moves > 3, replay);
    answers += outcome.answers;
    unavailable += outcome.unavailable;
  }
  // A simulation with few answers or without faults would prove nothing.
  assert.ok(answers > 30 * seeds.length, `${answers} answers`);
  assert.ok(unavailable > seeds.length, `${unavailable} unavailable`);
});

Deno.test("a seed of the simulation replays", async () => {
  const trace = async (seed: number): Promise<string> => (await simulate(seed)).trace;
  for (const seed of seedsOf(3)) assert.equal(await trace(seed), await trace(seed));
  assert.notEqual(await trace(FUZZ_SEED), await trace(FUZZ_SEED + 1));
});

/** Pins nothing: each read of an answer goes to whatever is current at that time. */
class Unpinned extends SnapshotReader {
  override use: SnapshotReader["use"] = (work) =>
    super.use((snapshot) =>
      work({
        ...snapshot,
        id: snapshot.id,
        manifest: snapshot.manifest,
        manifestSha256: snapshot.manifestSha256,
        find: (dot) => super.use((other) => other.find(dot)),
        carrier: (dot) => super.use((other) => other.carrier(dot)),
        chain: () => snapshot.chain(),
        docket: (prefix, number) => super.use((other) => other.docket(prefix, number)),
        read: (path) => snapshot.read(path),
      })
    );
}

/** `from` is the first seed that shows the fault. The test starts there, and tries the seeds before it last. */
const MUTANTS: Record<string, { mutation: Mutation; caught: RegExp; from?: number }> = {
  "a reader that does not pin": {
    mutation: { reader: (source, options) => new Unpinned(source, options) },
    caught: /something of g\d+ in an answer from g\d+|a wrong item/,
  },
  "a reader that caches the pointer forever": {
    mutation: {
      reader: (source, options) => new SnapshotReader(source, { ...options, pointerAge: Infinity }),
    },
    caught: /s after the pointer moved/,
  },
  "a reader that believes what an edge still caches": {
    mutation: {
      source: (source) => ({
        name: source.name,
        async get(path, signal) {
          const bytes = await source.get(path, signal);
          if (bytes === null || path !== "current.json") return bytes;
          const { sequence: _, ...pointer } = JSON.parse(new TextDecoder().decode(bytes));
          return new TextEncoder().encode(JSON.stringify(pointer));
        },
      }),
    },
    caught: /after the pointer had been seen to move/,
    from: 60,
  },
  "a cache that returns objects of another snapshot": {
    mutation: {
      source(source) {
        const cached = new Map<string, Uint8Array<ArrayBuffer>>();
        return {
          name: source.name,
          async get(path, signal) {
            const name = /(?:carriers|dockets)\/.*/.exec(path)?.[0];
            if (name === undefined) return await source.get(path, signal);
            const bytes = cached.get(name) ?? await source.get(path, signal);
            if (bytes !== null) cached.set(name, bytes);
            return bytes;
          },
        };
      },
    },
    caught: /something of g\d+ in an answer from g\d+|another holder/,
  },
  "a publisher that moves the pointer first": {
    mutation: { rules: { pointerFirst: true } },
    caught: /no answer without faults/,
  },
  "a publisher that deletes at once": {
    mutation: { rules: { deletesAtOnce: true } },
    caught: /no answer without faults|could not be read without faults/,
  },
  "a publisher that deletes days that are kept": {
    mutation: { rules: { forgetsChain: true } },
    caught: /no answer as of 2026-10-\d\d without faults/,
    from: 59,
  },
  "a build that follows a withdrawn snapshot": {
    mutation: { rules: { followsLastBuild: true } },
    caught: /as of 2026-10-\d\d g\d+ instead of g\d+/,
  },
};

for (const [name, { mutation, caught, from = 0 }] of Object.entries(MUTANTS)) {
  Deno.test(`the simulation catches ${name}`, async () => {
    const seen: string[] = [];
    for (let n = 0; n < MUTANT_SEEDS; n++) {
      const seed = (from + n) % MUTANT_SEEDS;
      seen.push(...(await simulate(seed, mutation)).violations);
      if (seen.some((violation) => caught.test(violation))) return;
    }
    assert.fail(`not caught; seen: ${seen.slice(0, 5)}`);
  });
}
