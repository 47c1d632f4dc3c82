/**
 * Days of publishing, caching, failing and reading in virtual time, determined by the seed.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { batchCarriers } from "../../api/operations/batch.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { lookupCarrier, lookupMc } from "../../api/operations/lookup.ts";
import type { ManyContext } from "../../api/operations/many.ts";
import { lookupOperation, type Operation, perform } from "../../api/operations/operation.ts";
import { type Fetch, httpSource } from "../../pipeline/snapshot/sources/http_source.ts";
import {
  NotKept,
  type ReaderOptions,
  SnapshotReader,
  SnapshotUnavailable,
} from "../../pipeline/snapshot/reader.ts";
import { SharedCache } from "../../pipeline/snapshot/shared_cache.ts";
import type { Source } from "../../pipeline/snapshot/source.ts";
import { resilientSource } from "../../pipeline/snapshot/sources/resilient_source.ts";
import { Random } from "../synthetic/random.ts";
import { VirtualTime } from "../pipeline/virtual_time.ts";
import { NO_FAULTS, ROOT, startCdn } from "./cdn.ts";
import {
  AS_OF_DOT,
  judge,
  type SimulatedAnswer,
  type SimulatedQuestion,
  Witness,
} from "./checker.ts";
import { DOTS, OriginStore, type PublisherRules, startPublisher } from "./publisher.ts";

/** Parts that a mutant replaces. */
export interface Mutation {
  rules?: PublisherRules;
  /** Between the CDN and the reader. */
  source?: (source: Source) => Source;
  reader?: (source: Source, options: ReaderOptions) => SnapshotReader;
}

/** The result of a run. */
interface SimulationResult {
  /** Each with its virtual second. */
  violations: string[];
  /** Requests answered from a snapshot. */
  answers: number;
  unavailable: number;
  moves: number;
  /** Everything that happened to readers, in order: the same for the same seed. */
  trace: string;
}

/** A batch that waits in virtual time. */
const BATCH = (sleep: VirtualTime["sleep"]): Operation =>
  lookupOperation({
    ...batchCarriers,
    run(input, context) {
      const waiting: ManyContext = { ...context, sleep };
      return batchCarriers.run(input, waiting);
    },
  });

/** One process of the service: the real reader and operations on the CDN's edges. */
class SimulatedService {
  readonly witness = new Witness();
  readonly #reader: SnapshotReader;
  readonly #cache = new SharedCache<string>(4_000);

  constructor(
    readonly parts: { time: VirtualTime; fetch: Fetch },
    { source: change = (source) => source, reader }: Mutation,
  ) {
    const { time, fetch } = parts;
    const timing = { clock: time, after: time.after };
    const edge = httpSource(ROOT, { fetch, after: time.after });
    const resilient = resilientSource(edge, { ...timing, log: () => {} });
    const source = change(this.witness.watch(resilient, () => time.now()));
    // A small cache, so that shards are fetched again.
    const options = { ...timing, cacheBytes: 1_500 };
    this.#reader = reader?.(source, options) ?? new SnapshotReader(source, options);
  }

  /** Answers as the real service does, and never throws. */
  async answer(question: SimulatedQuestion): Promise<SimulatedAnswer> {
    const begun = this.parts.time.now();
    if (typeof question === "object") return await this.#answerAsOf(question, begun);
    const [operation, input]: [Operation, object] = question === "mc"
      ? [lookupMc, { mc: "1" }]
      : question === "batch"
      ? [BATCH(this.parts.time.sleep), { dots: DOTS.map(String) }]
      : [lookupCarrier, { dot: `${question}` }];
    try {
      const { answer, snapshotId } = await perform(operation, input, {
        today: "2026-10-05",
        baseUrl: "https://carriers.example",
        reader: this.#reader,
        finish: JSON.stringify,
        keep: (key, make) =>
          this.#cache.get(key, async () => {
            const value = await make();
            return { value, bytes: value.length };
          }),
      });
      return { question, id: snapshotId, text: answer, begun };
    } catch (error) {
      if (!(error instanceof ServiceError)) return { question, id: null, text: `${error}`, begun };
      return { question, id: error.snapshotId ?? null, text: error.code, begun };
    }
  }

  async #answerAsOf(question: { asOf: string }, begun: number): Promise<SimulatedAnswer> {
    try {
      return await this.#reader.useAsOf(question.asOf, async (snapshot) => {
        const { legal_name = "nothing" } = await snapshot.carrier(AS_OF_DOT) ?? {};
        return { question, id: snapshot.id, text: legal_name, begun };
      });
    } catch (error) {
      const text = error instanceof NotKept
        ? "not_kept"
        : error instanceof SnapshotUnavailable
        ? "upstream_unavailable"
        : `${error}`;
      return { question, id: null, text, begun };
    }
  }
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 13;

/**
 * Runs one seed, with a synchronous SHA-256. The runtime's own runs on another thread, and virtual time could
 * advance before it ends.
 */
export async function simulate(seed: number, mutation: Mutation = {}): Promise<SimulationResult> {
  const { digest } = crypto.subtle;
  const sum = (bytes: BufferSource) => createHash("sha256").update(bytes as Uint8Array).digest();
  crypto.subtle.digest = (_, bytes) => Promise.resolve(new Uint8Array(sum(bytes)).buffer);
  try {
    return await run(seed, mutation);
  } finally {
    crypto.subtle.digest = digest;
  }
}

async function run(seed: number, mutation: Mutation): Promise<SimulationResult> {
  const time = new VirtualTime();
  const origin = new OriginStore(time);
  const stream = (n: number): Random => new Random().restart(seed, n, 0);
  const random = stream(1);
  const faults = random.chance(0.3) ? NO_FAULTS : {
    error: random.unit() * 0.3,
    cut: random.unit() * 0.1,
    hang: random.unit() * 0.1,
    slow: random.unit() * 0.2,
    lag: random.below(4_000),
  };
  const faultless = faults === NO_FAULTS;
  const cdn = startCdn({ time, random: stream(2), origin }, faults);
  const { rules = {} } = mutation;
  const purge = (): void => cdn.purge();
  const publisher = startPublisher({ time, random: stream(3), origin, purge, rules });
  const startService = (n: number): SimulatedService =>
    new SimulatedService({ time, fetch: cdn.fetchOf(n) }, mutation);
  const services = Array.from({ length: 1 + random.below(3) }, (_, n) => startService(n));
  const violations: string[] = [];
  let answers = 0;
  let unavailable = 0;
  const hash = createHash("sha256");
  const begun = time.now();

  async function ask(question: SimulatedQuestion): Promise<void> {
    const service = services[random.below(services.length)]!;
    const { adopted } = service.witness;
    const answer = await service.answer(question);
    if (answer.id === null) unavailable++;
    else answers++;
    hash.update(`${time.now()} ${answer.id} ${answer.text}\n`);
    const { moves } = origin;
    const { failedAt } = service.witness;
    const wrong = judge(answer, { moves, adopted, failedAt, faultless });
    if (wrong !== null) violations.push(`${(time.now() - begun) / 1000} s: ${wrong}`);
  }

  function dayBefore(days: number): string {
    return new Date(time.now() - days * DAY_MS).toISOString().slice(0, 10);
  }

  /** Some requests at one moment and in the minutes after it. */
  function sendRequests(size: number): void {
    for (let i = 0; i < size; i++) {
      const kind = random.below(5);
      const question = kind === 0
        ? "mc"
        : kind === 1
        ? "batch"
        : kind === 2
        ? { asOf: dayBefore(random.below(DAYS)) }
        : DOTS[random.below(DOTS.length)]!;
      time.after(random.below(4) * random.below(70_000), () => void ask(question));
    }
  }

  await Promise.all([publisher.publish(0, { dies: 0 }), time.run()]);
  let builds = 1;
  for (let day = 0; day < DAYS; day++) {
    time.after(random.below(20) * HOUR_MS, () => {
      const dies = random.chance(0.2) ? 0.1 : 0;
      void publisher.publish(builds++, { dies });
      // Another publisher runs at the same time.
      if (random.chance(0.15)) void publisher.publish(builds++, { dies: 0 });
      if (random.chance(0.2)) {
        time.after(5_000 + random.below(240_000), () => publisher.rollBack());
      }
      if (random.chance(0.7)) void publisher.collect();
      // Restarted, with empty caches.
      if (random.chance(0.15)) {
        const n = random.below(services.length);
        services[n] = startService(n);
      }
      sendRequests(6 + random.below(10));
    });
    await time.run(time.now() + DAY_MS);
  }
  cdn.faults = NO_FAULTS;
  await time.run(time.now() + HOUR_MS);
  // After any faults it recovers: each service answers, from the current snapshot.
  for (const service of services) {
    for (let look = 0; look < 2; look++) {
      const answer = service.answer("mc");
      await time.run(time.now() + HOUR_MS);
      if (look === 0) continue;
      const { id, text } = await answer;
      const current = origin.moves.at(-1)!.id;
      if (id !== current) violations.push(`after all ${id} ${text} instead of ${current}`);
    }
  }
  const moves = origin.moves.length;
  return { violations, answers, unavailable, moves, trace: hash.digest("hex") };
}
