/**
 * The form in a job's result that corrects rows that could not be read. Submitting it creates a new job.
 *
 * @module
 */

import { PAGE_COSTS } from "../../api/state/rate_limit.ts";
import { counted, plural } from "../../pipeline/text.ts";
import {
  kindOfBare,
  LONGEST_CORRECTION,
  MOST_CORRECTED,
  readCorrections,
} from "../bulk/corrections.ts";
import type { ParsedUpload } from "../bulk/parse_upload.ts";
import { problemWords } from "../bulk/numbers.ts";
import { Field } from "../components/blocks.tsx";
import { type PageRoute, redirect } from "./route.ts";

/** Handles the submitted form: redirects to the job with the corrected rows. */
export const correctRoute: PageRoute = {
  path: "/bulk/{file}",
  method: "POST",
  cost: PAGE_COSTS.upload,
  async answer({ request, client, uploads, params }) {
    const corrections = await readCorrections(request);
    return redirect(`/bulk/${await uploads.correct(params.file!, corrections, client)}`);
  },
};

/** A field for each row that could not be read; only the first ones when there are many. */
export function FixRows({ id, parsed }: { id: string; parsed: ParsedUpload }) {
  const rows = parsed.rows.flatMap(({ row, unread }) =>
    unread === undefined ? [] : [{ row, ...unread }]
  );
  if (rows.length === 0) return null;
  const shown = rows.slice(0, MOST_CORRECTED);
  const kind = kindOfBare(parsed);
  return (
    <form action={`/bulk/${id}`} method="post" class="card fix">
      <h3>{plural(rows.length, "row")} {rows.length === 1 ? "needs" : "need"} fixing</h3>
      <p class="hint">
        Correct the rows here, and the whole list is checked again. {kind === "marked"
          ? "Write USDOT, MC, MX or FF before a number."
          : `Numbers without a prefix are read as ${kind} numbers.`}
        {rows.length > shown.length &&
          ` These are the first ${counted(shown.length)}; the others follow.`}
      </p>
      {shown.map(({ row, text, problem }) => (
        <Field
          id={`row-${row}`}
          label={
            <>
              Row {row}: <bdi>{problemWords({ text, problem })}</bdi>
            </>
          }
          // A truncated text is not filled in, because sending it again would lose its end.
          value={text.endsWith("…") ? "" : text}
          input={{ maxlength: LONGEST_CORRECTION, autocomplete: "off", spellcheck: false }}
        />
      ))}
      <p class="actions">
        <button type="submit">Check the corrected rows</button>
      </p>
    </form>
  );
}
