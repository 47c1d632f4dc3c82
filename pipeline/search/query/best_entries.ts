/**
 * The best carriers of some posting lists. Web APIs only.
 *
 * @module
 */

import type { ListEntry, ListFile, ListRows } from "../shared/lists_file.ts";
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

/** Steps of inspections more than the first carrier has, by which a known one comes before it. */
const MORE_STEPS = 12;
/** Carriers that have the name as typed: each asks a step more of one whose words are in another form. */
const MOST_NAMESAKES = 10;

/** The `limit` best carriers of some lists, best first, each once. */
export function bestEntries(
  lists: readonly ListRows[],
  { ranker, places, limit }: { ranker: Ranker; places: Places; limit: number },
): RankedEntry[] {
  const best: RankedRow[] = [];
  // Which carrier is first does not depend on the limit.
  const most = Math.max(limit, MOST_NAMESAKES);
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
      if (order === 0 || at === most) continue;
      best.splice(at, 0, { criteria: { ...criteria }, dot, file, row, text: start });
      if (best.length > most) best.pop();
    }
  }
  return withKnown(best, known).slice(0, limit).map(({ criteria, file, row, text }) => ({
    criteria,
    entry: file.entry(row, text, places),
  }));
}

/** Moves a carrier that is better known than the first one to the second place, or to the first. */
function withKnown(best: readonly RankedRow[], known: RankedRow | undefined): readonly RankedRow[] {
  const [first] = best;
  if (first === undefined || known === undefined) return best;
  const more = known.criteria.known - first.criteria.known;
  if (more <= 0) return best;
  const others = best.filter(({ dot }) => dot !== known.dot);
  return others.toSpliced(comesFirst(known.criteria, best) ? 0 : 1, 0, known);
}

function comesFirst(known: RankCriteria, best: readonly RankedRow[]): boolean {
  const first = best[0]!.criteria;
  // A legal form that was not typed is a reason against it, though a small one.
  if (known.exact > 0 && known.exact < first.exact && first.changed === 0) return false;
  const isName = first.extra === 0 && first.missing === 0 && (first.leads || first.changed === 0);
  if (!isName) return false;
  const isOther = known.changed > first.changed;
  const namesakes = best.slice(0, MOST_NAMESAKES).filter(({ criteria }) => criteria.exact > 0);
  return known.known - first.known >= MORE_STEPS + (isOther ? namesakes.length : 0);
}
