/**
 * Golden lookups and searches: records from all over a snapshot, asked for again as the service does.
 *
 * @module
 */

import type { Pointer } from "../../snapshot/manifest.ts";
import type { Snapshot, SnapshotReader } from "../../snapshot/reader.ts";
import type { CarrierRecord } from "../../snapshot/record.ts";
import type { CarrierShard } from "../../snapshot/shards.ts";
import { fold, significant } from "../shared/tokenizer.ts";
import { checkQuery } from "./query.ts";

/** Results in which a search for a name must find its carrier. */
const SEARCHED = 50;

/** Carriers looked up again after all shards were read. */
export const GOLDEN_LOOKUPS = 50;

/** A few records from all over the snapshot, looked up again the way the service does. */
export class GoldenRecords {
  #step: number;
  #seen = 0;
  #records: CarrierRecord[] = [];

  constructor(carriers: number) {
    this.#step = Math.max(1, Math.floor(carriers / GOLDEN_LOOKUPS));
  }

  offer(records: CarrierShard): void {
    for (const record of records) {
      if (this.#seen++ % this.#step === 0) this.#records.push(record);
    }
  }

  /** Looks the records up in the snapshot of the pointer; returns what fails, in words. */
  async lookUp(reader: SnapshotReader, pointer: Pointer): Promise<string[]> {
    return await reader.use(async (snapshot) => {
      if (snapshot.id !== pointer.snapshot) return []; // Moved on while we read: nothing is wrong
      return await this.lookUpIn(snapshot);
    });
  }

  /** Looks the records up in one snapshot; returns what fails, in words. */
  async lookUpIn(snapshot: Snapshot): Promise<string[]> {
    const problems: string[] = [];
    for (const record of this.#records) problems.push(...await lookUpFailures(snapshot, record));
    return problems;
  }
}

/** Asks for a carrier by number, docket and name; returns what fails, in words. */
export async function lookUpFailures(
  snapshot: Snapshot,
  record: CarrierRecord,
): Promise<string[]> {
  const { dot, legal_name, dockets = [] } = record;
  const problems: string[] = [];
  const found = await snapshot.carrier(dot);
  if (found?.legal_name !== legal_name) problems.push(`A lookup of USDOT ${dot} fails`);
  for (const { prefix, number } of dockets) {
    if ((await snapshot.docket(prefix, number)).includes(dot)) continue;
    problems.push(`A lookup of docket ${prefix} ${number} lacks USDOT ${dot}`);
  }
  if (!await isFoundByName(snapshot, record)) {
    problems.push(`A search for the name of USDOT ${dot} does not find it`);
  }
  return problems;
}

/** Whether a search for a name finds the carrier, or has no room for it after others of that name. */
async function isFoundByName(
  snapshot: Snapshot,
  { dot, legal_name }: Pick<CarrierRecord, "dot" | "legal_name">,
): Promise<boolean> {
  if (!isSearchable(legal_name)) return true;
  const found = await snapshot.search(legal_name, { limit: SEARCHED });
  if (found === null || found.some((result) => result.dot === dot)) return true;
  return found.length === SEARCHED &&
    found.every(({ name, dba_name = "" }) =>
      isSameName(name, legal_name) || isSameName(dba_name, legal_name)
    );
}

/** Whether a search cannot tell two names apart: case, punctuation and words like LLC do not count. */
function isSameName(a: string, b: string): boolean {
  return significant(fold(a)).toSorted().join(" ") === significant(fold(b)).toSorted().join(" ");
}

function isSearchable(name: string): boolean {
  try {
    checkQuery(name);
    return /[a-z0-9]/i.test(name);
  } catch {
    return false;
  }
}
