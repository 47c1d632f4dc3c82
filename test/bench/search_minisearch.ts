/**
 * The peer MiniSearch, over as many carriers as fit: those of the queries' answers, and others.
 *
 * @module
 */

import MiniSearch from "minisearch";
import { mix } from "../../pipeline/mix.ts";
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import { peakBytes } from "./processes.ts";
import type { Engine, Prepared } from "./search_engine.ts";
import { fold, significant, STATE_NAMES } from "./search_text.ts";

interface Document {
  id: number;
  name: string;
  dba: string;
  city: string;
  state: string;
}

/** What to index. */
interface MiniSearchOptions {
  /** Carriers of the snapshot, and how many of them to index. */
  carriers: number;
  size: number;
  /** USDOT numbers that must be among them. */
  include: ReadonlySet<number>;
}

/** Fleets over this add nothing more to a score. */
const LARGEST_FLEET = 100_000;
/** The most that a fleet and being active add to a score: enough to part equals only. */
const RANK_SHARE = 0.02;

/** MiniSearch in the memory of this process; it is rebuilt each time, its JSON is too long for a string. */
export class MiniSearchEngine implements Engine {
  readonly #options: MiniSearchOptions;
  readonly #boost = new Map<number, number>();
  #index = new MiniSearch<Document>({
    fields: ["name", "dba", "city", "state"],
    tokenize: (text) => text.split(" "),
    // Texts and queries are folded before they come here.
    processTerm: (term) => term === "" ? null : term,
  });

  constructor(options: MiniSearchOptions) {
    this.#options = options;
  }

  get name(): string {
    return `MiniSearch of ${this.#boost.size} carriers`;
  }

  async prepare(records: AsyncIterable<CarrierRecord>): Promise<Prepared> {
    const { carriers, size, include } = this.#options;
    const share = (size - include.size) / Math.max(1, carriers - include.size);
    const began = performance.now();
    const before = Deno.memoryUsage().heapUsed;
    for await (const record of records) {
      const drawn = mix(0, record.dot, 0) / 0x1_0000_0000 < share;
      if (!drawn && !include.has(record.dot)) continue;
      this.#add(record);
    }
    return {
      seconds: (performance.now() - began) / 1000,
      peakBytes: peakBytes(),
      indexBytes: Deno.memoryUsage().heapUsed - before,
    };
  }

  search(query: string, limit: number): Promise<number[]> {
    const text = fold(query);
    if (/^\d+$/.test(text) && this.#boost.has(Number(text))) return Promise.resolve([Number(text)]);
    const words = significant(text);
    const last = words.length - 1;
    const options = {
      fuzzy: 0.2,
      prefix: (_term: string, at: number): boolean => at === last,
      boost: { name: 4, dba: 3, city: 2, state: 1 },
      boostDocument: (dot: number): number => this.#boost.get(dot) ?? 1,
    };
    const found = this.#index.search(words.join(" "), { ...options, combineWith: "AND" });
    const results = found.length > 0
      ? found
      : this.#index.search(words.join(" "), { ...options, combineWith: "OR" });
    return Promise.resolve(results.slice(0, limit).map(({ id }) => id as number));
  }

  #add(record: CarrierRecord): void {
    const state = record.state ?? "";
    const bare = (name: string): string => significant(fold(name)).join(" ");
    this.#index.add({
      id: record.dot,
      name: bare(record.legal_name),
      dba: bare(record.dba_name ?? ""),
      city: fold(record.city ?? ""),
      state: fold(`${state} ${STATE_NAMES.get(state) ?? ""}`),
    });
    const fleet = Math.min(record.power_units ?? 0, LARGEST_FLEET);
    const rank = Math.log1p(fleet) / Math.log1p(LARGEST_FLEET) + (record.status === "A" ? 1 : 0);
    this.#boost.set(record.dot, 1 + RANK_SHARE * rank / 2);
  }
}
