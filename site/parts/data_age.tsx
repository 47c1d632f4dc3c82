/**
 * How old the data of an answer is, on every page that shows one.
 *
 * @module
 */

import type { SnapshotFacts } from "../../api/rules/schemas.ts";
import { dataLine } from "../../api/rules/verdict.ts";
import { plain } from "../../pipeline/text.ts";

/** The dates of both files, in amber when stale, with the notice of data that is not only FMCSA's. */
export function DataAge({ snapshot }: { snapshot: SnapshotFacts }) {
  return (
    <>
      <p class={snapshot.stale ? "state warn" : "soft"}>{dataLine(snapshot)}</p>
      {snapshot.notice !== undefined && <p class="soft">{plain(snapshot.notice)}</p>}
    </>
  );
}
