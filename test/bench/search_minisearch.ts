/**
 * The peer MiniSearch, in the memory of this process.
 *
 * @module
 */

import MiniSearch from "minisearch";
import { mix } from "../../pipeline/mix.ts";
import type { BenchCarrier, Engine } from "./search_engine.ts";
import { fold, significant } from "./search_text.ts";

/** Fleets over this add nothing more to a score. */
const LARGEST_FLEET = 100_000;
/** The most that a fleet and being active add to a score: enough to part equals only. */
const RANK_SHARE = 0.02;

/** MiniSearch over a share of the carriers, and those of the answers; it is rebuilt each time. */
export class MiniSearchEngine implements Engine {
  readonly #boost = new Map<number, number>();
  readonly #index = new MiniSearch({
    fields: ["name", "dba", "city", "states"],
    tokenize: (text) => text.split(" "),
    // Texts and queries are folded before they come here.
    processTerm: (term) => term === "" ? null : term,
  });

  constructor(readonly share: number, readonly answers: ReadonlySet<number>) {}

  get name(): string {
    return `MiniSearch of ${this.#boost.size}`;
  }

  async prepare(carriers: () => AsyncIterable<BenchCarrier>): Promise<number> {
    const before = Deno.memoryUsage().heapUsed;
    for await (const { dot, active, units, folded } of carriers()) {
      if (mix(0, dot, 0) >= this.share * 0x1_0000_0000 && !this.answers.has(dot)) continue;
      const [name, dba] = [folded.name, folded.dba].map((text) => significant(text).join(" "));
      this.#index.add({ id: dot, name, dba, city: folded.city, states: folded.states.join(" ") });
      const fleet = Math.log1p(Math.min(units, LARGEST_FLEET)) / Math.log1p(LARGEST_FLEET);
      this.#boost.set(dot, 1 + RANK_SHARE * (fleet + (active ? 1 : 0)) / 2);
    }
    return Deno.memoryUsage().heapUsed - before;
  }

  search(query: string, limit: number): Promise<number[]> {
    const text = fold(query);
    if (/^\d+$/.test(text) && this.#boost.has(Number(text))) return Promise.resolve([Number(text)]);
    const words = significant(text);
    const search = (combineWith: "AND" | "OR") =>
      this.#index.search(words.join(" "), {
        fuzzy: 0.2,
        prefix: (_term: string, at: number): boolean => at === words.length - 1,
        boost: { name: 4, dba: 3, city: 2, states: 1 },
        boostDocument: (dot: number): number => this.#boost.get(dot) ?? 1,
        combineWith,
      });
    const all = search("AND");
    const results = all.length > 0 ? all : search("OR");
    return Promise.resolve(results.slice(0, limit).map(({ id }) => id as number));
  }
}
