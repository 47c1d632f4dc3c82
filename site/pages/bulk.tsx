/**
 * `/bulk`: a list goes in, pasted or as a file.
 *
 * @module
 */

import { ServiceError } from "../../api/operations/errors.ts";
import { JOB_LIMITS } from "../../api/operations/jobs.ts";
import { counted } from "../../pipeline/report/plain.ts";
import { readList } from "../list/read_list.ts";
import { MOST_BYTES, readUpload, textOf, type Upload } from "../list/upload.ts";
import type { Page, PageRoute } from "../page.ts";
import { describedBy, FieldError, Hint } from "../parts/field.tsx";
import { redirect } from "../redirect.ts";

const MOST = counted(JOB_LIMITS.maxItems);

/** The form. */
export const bulkRoute: PageRoute = {
  path: "/bulk",
  listed: true,
  answer: () => ({ ...formPage({}), shared: true }),
};

/** The form sent: a job is made, and its page is where to look. */
export const sendListRoute: PageRoute = {
  path: "/bulk",
  method: "POST",
  async answer({ request, admitted, lists }) {
    let sent: Upload | undefined;
    try {
      sent = await readUpload(request);
      const { text, pasted } = textOf(sent);
      const id = await lists.take(readList(text, { pasted }), admitted.client);
      return redirect(`/bulk/${id}`);
    } catch (error) {
      // The form again, with what was typed.
      if (error instanceof ServiceError) return formPage({ error, sent });
      throw error;
    }
  },
};

function formPage({ error, sent }: { error?: ServiceError; sent?: Upload | undefined }): Page {
  const problem = error?.message;
  const inFile = sent?.file != null || error?.code === "payload_too_large";
  return {
    title: "Check a list of carriers",
    description:
      `Check up to ${MOST} USDOT numbers at once: paste them or send a file, and get a table and a CSV file back.`,
    ...error === undefined ? {} : { status: error.status, unlisted: true },
    headers: error?.retryAfter === undefined ? [] : [["Retry-After", String(error.retryAfter)]],
    scripts: ["bulk.js"],
    body: (
      <>
        <h1>Check a list</h1>
        <p class="lede">
          Up to {MOST} USDOT numbers at once. You get a table and a CSV file back, in your order.
        </p>
        <form
          action="/bulk"
          method="post"
          enctype="multipart/form-data"
          class="card"
          data-most={MOST_BYTES}
        >
          <label for="text">Paste USDOT numbers</label>
          <textarea
            id="text"
            name="text"
            rows={9}
            spellcheck={false}
            autocomplete="off"
            {...describedBy({ id: "text", hint: true, error: inFile ? undefined : problem })}
            autofocus={!inFile}
          >
            {sent?.pasted ?? ""}
          </textarea>
          {!inFile && problem !== undefined && <FieldError id="text" error={problem} />}
          <Hint id="text">
            One a line, or with commas between them, or cells copied from a spreadsheet.
          </Hint>
          <p>
            <label for="file">Or choose a file</label>
          </p>
          <input
            id="file"
            name="file"
            type="file"
            accept=".csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values"
            {...describedBy({ id: "file", hint: true, error: inFile ? problem : undefined })}
          />
          {inFile && problem !== undefined && <FieldError id="file" error={problem} />}
          <Hint id="file">
            CSV or text, up to {MOST_BYTES / 1024 / 1024}{" "}
            MB. The column headed USDOT or DOT number is read, else the one with the most numbers.
          </Hint>
          <p class="wrong" role="alert" hidden></p>
          <p class="actions">
            <button type="submit">Check the list</button>
          </p>
        </form>
        <h2>What happens to your list</h2>
        <p>
          Only the numbers are kept, with their rows, and what stood in rows without a number. The
          other columns of a file are not. An hour after the list is checked everything of it is
          deleted. Its page has an address that nobody can guess; whoever has the address can see
          it.
        </p>
        <p>
          Programs send lists to the API: see <a href="/developers">the page for developers</a>.
        </p>
      </>
    ),
  };
}
