/**
 * A process of the service in the simulation: the real reader and operations over the CDN's edges.
 *
 * @module
 */

import { batchCarriers, type BatchContext } from "../../api/operations/batch.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { lookupCarrier, lookupMc } from "../../api/operations/lookup.ts";
import { lookupOperation, type Operation, perform } from "../../api/operations/operation.ts";
import { type Fetch, httpSource } from "../../pipeline/snapshot/http_source.ts";
import { type ReaderOptions, SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { SharedCache } from "../../pipeline/snapshot/shared_cache.ts";
import type { Source } from "../../pipeline/snapshot/source.ts";
import { resilientSource } from "../../pipeline/snapshot/resilient_source.ts";
import type { VirtualTime } from "../pipeline/virtual_time.ts";
import { ROOT } from "./cdn.ts";
import { type Question, type Told, Witness } from "./checker.ts";
import { DOTS } from "./origin.ts";

/** Parts of a service that a mutant replaces. */
export interface ServiceMutation {
  /** Between the CDN and the reader. */
  source?: (source: Source) => Source;
  reader?: (source: Source, options: ReaderOptions) => SnapshotReader;
}

/** What a service is made from. */
export interface ServiceParts {
  time: VirtualTime;
  fetch: Fetch;
}

/** One process: the real reader and operations over the CDN's edges. */
export class Service {
  witness = new Witness();
  readonly #parts: ServiceParts;
  readonly #mutation: ServiceMutation;
  #reader: SnapshotReader;
  #held = new SharedCache<string>(4_000);

  constructor(parts: ServiceParts, mutation: ServiceMutation) {
    this.#parts = parts;
    this.#mutation = mutation;
    this.#reader = this.#start();
  }

  /** Begins anew, and knows nothing. */
  restart(): void {
    this.witness = new Witness();
    this.#reader = this.#start();
    this.#held = new SharedCache(4_000);
  }

  #start(): SnapshotReader {
    const { time, fetch } = this.#parts;
    const { source: change = same, reader = readerOf } = this.#mutation;
    const { after } = time;
    const steady = resilientSource(httpSource(ROOT, { fetch, after }), {
      clock: time,
      after,
      log: () => {},
    });
    const source = change(this.witness.watch(steady, () => time.now()));
    // A small cache, so that shards are fetched again.
    return reader(source, { clock: time, after, cacheBytes: 1_500 });
  }

  /** Answers as the real service does, and never throws. */
  async answer(question: Question): Promise<Told> {
    const begun = this.#parts.time.now();
    const { operation, input } = this.#ask(question);
    try {
      const { answer, snapshotId } = await perform(operation, input, {
        today: "2026-10-05",
        baseUrl: "https://carriers.example",
        reader: this.#reader,
        finish: JSON.stringify,
        cache: this.#held,
        weigh: (text) => text.length,
      });
      return { question, id: snapshotId, text: answer, begun };
    } catch (error) {
      if (!(error instanceof ServiceError)) return { question, id: null, text: `${error}`, begun };
      return { question, id: error.snapshotId ?? null, text: error.code, begun };
    }
  }

  #ask(question: Question): { operation: Operation; input: unknown } {
    if (question === "mc") return { operation: lookupMc, input: { mc: "1" } };
    if (question !== "batch") return { operation: lookupCarrier, input: { dot: `${question}` } };
    const { sleep } = this.#parts.time;
    const operation = lookupOperation({
      ...batchCarriers,
      run(input, context) {
        const waiting: BatchContext = { ...context, sleep };
        return batchCarriers.run(input, waiting);
      },
    });
    return { operation, input: { dots: DOTS.map(String) } };
  }
}

function same(source: Source): Source {
  return source;
}

function readerOf(source: Source, options: ReaderOptions): SnapshotReader {
  return new SnapshotReader(source, options);
}
