/**
 * The carriers of some lists that a query most likely means. Web APIs only.
 *
 * @module
 */

import { compareCriteria, type Criteria } from "./criteria.ts";
import type { Entry, ListFile, ListRows } from "./list_file.ts";
import type { Ranker } from "./rank.ts";

/** A carrier with what ranked it. */
export interface Ranked {
  entry: Entry;
  criteria: Criteria;
}

interface Held {
  criteria: Criteria;
  dot: number;
  file: ListFile;
  row: number;
  text: number;
}

/** The `limit` best carriers, best first, each once. */
export function bestOf(
  lists: readonly ListRows[],
  { ranker, limit }: { ranker: Ranker; limit: number },
): Ranked[] {
  const best: Held[] = [];
  const { criteria } = ranker;
  for (const { file, from, to, text } of lists) {
    let next = text;
    for (let row = from; row < to; row++) {
      const start = next;
      next = ranker.read(file.bytes, start);
      if (!ranker.enough) continue;
      criteria.active = file.active(row);
      criteria.power_units = file.powerUnits(row);
      const dot = file.dot(row);
      let at = best.length;
      let order = -1;
      while (at > 0) {
        const before = best[at - 1]!;
        order = compareCriteria(criteria, before.criteria) || dot - before.dot;
        if (order >= 0) break;
        at--;
      }
      // The same number: the carrier stands in two of the lists.
      if (order === 0 || at === limit) continue;
      best.splice(at, 0, { criteria: { ...criteria }, dot, file, row, text: start });
      if (best.length > limit) best.pop();
    }
  }
  return best.map(({ criteria, file, row, text }) => ({ criteria, entry: file.entry(row, text) }));
}
