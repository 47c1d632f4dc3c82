/**
 * The best carriers of some posting lists. Web APIs only.
 *
 * @module
 */

import {
  inspectionStep,
  type ListEntry,
  type ListFile,
  type ListRows,
} from "../shared/lists_file.ts";
import type { Places } from "../shared/places_file.ts";
import { compareCriteria, type RankCriteria, type Ranker } from "./ranker.ts";

/** A carrier with what ranked it. */
export interface RankedEntry {
  entry: ListEntry;
  criteria: RankCriteria;
}

/** A carrier in its list; `text` is where its names start. */
interface RankedRow {
  criteria: RankCriteria;
  dot: number;
  file: ListFile;
  row: number;
  text: number;
}

/**
 * A known carrier moves to first place if its `inspectionStep` is at least this much higher than the first
 * one's.
 */
const MORE_STEPS = 9;

/** The `limit` best carriers of some lists, best first, each once. */
export function bestEntries(
  lists: readonly ListRows[],
  { ranker, places, limit }: { ranker: Ranker; places: Places; limit: number },
): RankedEntry[] {
  const best: RankedRow[] = [];
  /** Carriers that have the name as typed. */
  const namesakes = new Set<number>();
  /** The carrier inspected most of those whose name begins with the query. */
  let known: RankedRow | undefined;
  const { criteria } = ranker;
  for (const { file, from, to, text } of lists) {
    let next = text;
    for (let row = from; row < to; row++) {
      const start = next;
      next = ranker.read(file.bytes, { at: start, place: file.place(row) });
      if (!ranker.enough) continue;
      criteria.active = file.active(row);
      criteria.power_units = file.powerUnits(row);
      ranker.know(file.inspected(row));
      const dot = file.dot(row);
      if (criteria.exact > 0) namesakes.add(dot);
      if (criteria.known > (known?.criteria.known ?? 0)) {
        known = { criteria: { ...criteria }, dot, file, row, text: start };
      }
      let at = best.length;
      let order = -1;
      while (at > 0) {
        const previous = best[at - 1]!;
        order = compareCriteria(criteria, previous.criteria) || dot - previous.dot;
        if (order >= 0) break;
        at--;
      }
      // 0 is the same carrier, listed twice.
      if (order === 0 || at === limit) continue;
      best.splice(at, 0, { criteria: { ...criteria }, dot, file, row, text: start });
      if (best.length > limit) best.pop();
    }
  }
  const ranked = known === undefined ? best : withKnown(best, known, namesakes.size);
  return ranked.slice(0, limit).map(({ criteria, file, row, text }) => ({
    criteria,
    entry: file.entry(row, text, places),
  }));
}

/** Moves a carrier that is better known than the first one to the second place, or to the first. */
function withKnown(best: readonly RankedRow[], known: RankedRow, namesakes: number): RankedRow[] {
  const [first] = best;
  if (first === undefined || known.criteria.known <= first.criteria.known) return [...best];
  const at = comesFirst(known.criteria, first.criteria, namesakes) ? 0 : 1;
  return best.filter(({ dot }) => dot !== known.dot).toSpliced(at, 0, known);
}

function comesFirst(known: RankCriteria, first: RankCriteria, namesakes: number): boolean {
  // Both names match the query, but the known carrier's has, for example, a legal form that was not typed.
  if (known.exact > 0 && known.exact < first.exact && first.changed === 0) return false;
  const isName = first.extra === 0 && first.missing === 0 && (first.leads || first.changed === 0);
  if (!isName) return false;
  // If the known carrier has the words in another form, its lead must be larger the more carriers have the
  // name as typed.
  const others = known.changed > first.changed ? inspectionStep(namesakes) : 0;
  return known.known - first.known >= MORE_STEPS + others;
}
