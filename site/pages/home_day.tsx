/**
 * The changes of the last day for the home page: counts from the build report.
 *
 * @module
 */

import { betweenWords } from "../../api/rules/changes.ts";
import { dateBefore } from "../../pipeline/snapshot/chain.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import { counted } from "../../pipeline/text.ts";
import { type Fact, Facts } from "../components/blocks.tsx";
import type { Visit } from "./route.ts";
import { renderedReport } from "./status.tsx";

/** Numbers of carriers, and the two data dates between which they changed. */
export interface DayCounts {
  between: readonly [string, string];
  isSample: boolean;
  facts: Fact[];
}

/**
 * Returns what changed since the previous snapshot, or null if there is none. Throws the errors of
 * reading a snapshot.
 */
export async function dayCounts(snapshot: Snapshot, visit: Visit): Promise<DayCounts | null> {
  const { report: { changes } } = await renderedReport(snapshot, visit);
  const earlier = (await snapshot.chain()).slice(0, -1);
  const last = earlier.at(-1);
  if (changes === undefined || last === undefined) return null;
  const { data_date, notice } = snapshot.manifest;
  const moves = new Map(changes.status);
  return {
    between: [dateBefore(data_date, earlier) ?? last.data_date, data_date],
    isSample: notice !== undefined,
    facts: [
      ["New in the census", counted(changes.added)],
      ["Left the census", counted(changes.removed)],
      ["Became inactive", counted(moves.get("A I") ?? 0)],
      ["Active again", counted(moves.get("I A") ?? 0)],
      ["Any field changed", counted(changes.changed)],
    ],
  };
}

export function LastDay({ counts: { between, isSample, facts } }: { counts: DayCounts }) {
  return (
    <section aria-labelledby="day">
      <h2 id="day">
        What changed <small>{betweenWords(between)}{isSample && ", synthetic"}</small>
      </h2>
      <Facts entries={facts} />
      <p>
        <a href="/status#days">All days</a>
      </p>
    </section>
  );
}
