/**
 * How far a list is.
 *
 * @module
 */

import type { JobView } from "../../../api/state/jobs_record.ts";
import { counted } from "../../../pipeline/report/plain.ts";

/** The bar, which a script moves on and a browser without scripts gets anew. */
export function ListProgress({ job: { total, done } }: { job: JobView }) {
  return (
    <>
      <h1>Checking your list</h1>
      <p role="status">
        {counted(done)} of {counted(total)} checked
      </p>
      <progress max={total} value={done} aria-label="Numbers checked" data-list></progress>
      <p class="soft">The result appears here by itself. You can close the page and come back.</p>
    </>
  );
}
