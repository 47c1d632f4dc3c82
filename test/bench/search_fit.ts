/**
 * How many carriers a query fits, counted from the records themselves.
 *
 * @module
 */

import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import type { KnownItem } from "./search_queries.ts";
import { fold } from "./search_text.ts";

interface Counted {
  item: KnownItem;
  words: string[];
  fits: number;
}

/**
 * The queries that at most `limit` carriers fit: all words of the query, folded, are in the legal name or
 * all are in the DBA, whatever the order and whatever else is there.
 */
export async function fittingFew(
  items: readonly KnownItem[],
  { records, limit }: { records: AsyncIterable<CarrierRecord>; limit: number },
): Promise<Set<KnownItem>> {
  const few = new Set(items);
  const byWord = new Map<string, Set<Counted>>();
  for (const item of items) {
    const words = fold(item.query).split(" ");
    const longest = words.reduce((a, b) => b.length > a.length ? b : a);
    const counted = byWord.get(longest) ?? new Set();
    byWord.set(longest, counted.add({ item, words, fits: 0 }));
  }
  for await (const { legal_name, dba_name } of records) {
    const names = [legal_name, dba_name ?? ""].map((name) => new Set(fold(name).split(" ")));
    for (const word of names[0]!.union(names[1]!)) {
      const candidates = byWord.get(word);
      if (candidates === undefined) continue;
      for (const counted of candidates) {
        if (!names.some((name) => counted.words.every((each) => name.has(each)))) continue;
        if (++counted.fits <= limit) continue;
        few.delete(counted.item);
        candidates.delete(counted);
      }
    }
  }
  return few;
}
