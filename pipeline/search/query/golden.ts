/**
 * Golden lookups: asks a finished snapshot for a carrier the way the service does.
 *
 * @module
 */

import type { Snapshot } from "../../snapshot/reader.ts";
import type { CarrierRecord } from "../../snapshot/record/record.ts";
import { contentWords, tokenize } from "../shared/tokenizer.ts";
import { queryProblem } from "./query.ts";
import { searchSnapshot } from "./search.ts";

/** Results among which a search for a name must find its carrier. */
const SEARCHED = 50;

/** Looks a carrier up by number, docket and, unless told not to, name; returns what fails, in words. */
export async function lookUpFailures(
  snapshot: Snapshot,
  record: CarrierRecord,
  { byName = true }: { byName?: boolean } = {},
): Promise<string[]> {
  const { dot, legal_name, dockets = [] } = record;
  const problems: string[] = [];
  const found = await snapshot.carrier(dot);
  if (found?.legal_name !== legal_name) problems.push(`A lookup of USDOT ${dot} fails`);
  for (const { prefix, number } of dockets) {
    if ((await snapshot.docket(prefix, number)).includes(dot)) continue;
    problems.push(`A lookup of docket ${prefix} ${number} lacks USDOT ${dot}`);
  }
  if (byName && !await isFoundByName(snapshot, record)) {
    problems.push(`A search for the name of USDOT ${dot} does not find it`);
  }
  return problems;
}

/**
 * Whether a search for the name finds the carrier, or all its results are other carriers with the same name.
 */
async function isFoundByName(
  snapshot: Snapshot,
  { dot, legal_name }: CarrierRecord,
): Promise<boolean> {
  if (!isSearchable(legal_name)) return true;
  const found = await searchSnapshot(snapshot, legal_name, { limit: SEARCHED });
  if (found === null || found.some((hit) => hit.dot === dot)) return true;
  return found.length === SEARCHED &&
    found.every(({ name, dba_name }) =>
      isSameName(name, legal_name) || isSameName(dba_name ?? "", legal_name)
    );
}

/** Whether a search cannot distinguish two names: case, punctuation and stop words do not count. */
function isSameName(a: string, b: string): boolean {
  const key = (name: string) => contentWords(tokenize(name)).toSorted().join(" ");
  return key(a) === key(b);
}

function isSearchable(name: string): boolean {
  return queryProblem(name) === undefined && /[a-z0-9]/i.test(name);
}
