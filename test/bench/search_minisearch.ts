/**
 * The peer MiniSearch, in the memory of this process.
 *
 * @module
 */

import MiniSearch from "minisearch";
import { mix } from "../../pipeline/mix.ts";
import type { BenchCarrier, Engine } from "./search_engine.ts";
import { fold, significant } from "./search_text.ts";

/** Larger fleets than this add nothing more to a score. */
const LARGEST_FLEET = 100_000;
/** The most that fleet and active status add to a score: just enough to break ties. */
const RANK_SHARE = 0.02;

/** MiniSearch over a share of the carriers, including those of the answers; it is rebuilt each time. */
export async function openMiniSearch(
  { share, answers }: { share: number; answers: ReadonlySet<number> },
  carriers: () => AsyncIterable<BenchCarrier>,
): Promise<Engine> {
  const boost = new Map<number, number>();
  const index = new MiniSearch({
    fields: ["name", "dba", "city", "states"],
    tokenize: (text) => text.split(" "),
    // Texts and queries are already folded.
    processTerm: (term) => term === "" ? null : term,
  });
  const before = Deno.memoryUsage().heapUsed;
  for await (const { dot, active, units, folded } of carriers()) {
    if (mix(0, dot, 0) >= share * 0x1_0000_0000 && !answers.has(dot)) continue;
    const [name, dba] = [folded.name, folded.dba].map((text) => significant(text).join(" "));
    index.add({ id: dot, name, dba, city: folded.city, states: folded.states.join(" ") });
    const fleet = Math.log1p(Math.min(units, LARGEST_FLEET)) / Math.log1p(LARGEST_FLEET);
    boost.set(dot, 1 + RANK_SHARE * (fleet + (active ? 1 : 0)) / 2);
  }
  function find(query: string): number[] {
    const text = fold(query);
    if (/^\d+$/.test(text) && boost.has(Number(text))) return [Number(text)];
    const words = significant(text);
    const search = (combineWith: "AND" | "OR") =>
      index.search(words.join(" "), {
        fuzzy: 0.2,
        prefix: (_term: string, at: number): boolean => at === words.length - 1,
        boost: { name: 4, dba: 3, city: 2, states: 1 },
        boostDocument: (dot: number): number => boost.get(dot) ?? 1,
        combineWith,
      });
    const all = search("AND");
    return (all.length > 0 ? all : search("OR")).map(({ id }) => id);
  }
  return {
    name: `MiniSearch of ${boost.size}`,
    bytes: Deno.memoryUsage().heapUsed - before,
    search: (query, limit) => Promise.resolve(find(query).slice(0, limit)),
  };
}
