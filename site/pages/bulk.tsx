/**
 * `/bulk`: the upload form, and the question about what its columns contain.
 *
 * @module
 */

import { toServiceError } from "../../api/http/exchange.ts";
import type { ServiceError } from "../../api/operations/errors.ts";
import { JOB_LIMITS } from "../../api/operations/jobs.ts";
import { PAGE_COSTS } from "../../api/state/rate_limit.ts";
import { counted, plural } from "../../pipeline/text.ts";
import type { Column } from "../bulk/columns.ts";
import { type Identifier, KINDS, named, shownCell } from "../bulk/numbers.ts";
import { type Maybe, parseUpload, type Question } from "../bulk/parse_upload.ts";
import { listText, MOST_ASKED, MOST_BYTES, readUpload, type Upload } from "../bulk/upload.ts";
import { Field, Table } from "../components/blocks.tsx";
import type { Page } from "../components/layout.tsx";
import { Markdown } from "../components/markdown.tsx";
import FATE from "../content/bulk.md" with { type: "text" };
import PAGES from "../content/pages.json" with { type: "json" };
import { type PageRoute, redirect } from "./route.ts";

const MOST = counted(JOB_LIMITS.maxItems);

const PREVIEW_ROWS = 5;
const PREVIEW_COLUMNS = 30;

export const bulkRoute: PageRoute = {
  path: "/bulk",
  listed: true,
  answer: () => ({ ...formPage({}), shared: true }),
};

/** Handles the submitted form: redirects to the new job, or answers with a question or with the form again. */
export const uploadRoute: PageRoute = {
  path: "/bulk",
  method: "POST",
  cost: PAGE_COSTS.upload,
  hasLargeBody: true,
  async answer({ request, requestId, client, uploads, site: { log } }) {
    let sent: Upload | undefined;
    try {
      sent = await readUpload(request);
      const text = listText(sent);
      const parsed = parseUpload(text, sent);
      if ("layout" in parsed) return questionPage(parsed, { ...sent, text });
      return redirect(`/bulk/${await uploads.create(parsed, client)}`);
    } catch (error) {
      // Shows the form again, with what was typed.
      return formPage({ error: toServiceError(error, { requestId, log }), sent });
    }
  },
};

function formPage({ error, sent }: { error?: ServiceError; sent?: Upload | undefined }): Page {
  const problem = error?.message;
  const inFile = sent?.file != null || error?.code === "payload_too_large";
  return {
    title: "Check a list of carriers",
    description:
      `Check up to ${MOST} USDOT or MC numbers at once: paste them or upload a file, and get a table and a CSV file.`,
    ...error === undefined ? {} : { status: error.status, unlisted: true },
    retryAfter: error?.retryAfter,
    style: "lists",
    scripts: ["bulk.js"],
    heading: "Check a list",
    lede: `Up to ${MOST} carriers at once. You get a table and a CSV file, in your order.`,
    body: (
      <>
        <form
          action="/bulk"
          method="post"
          enctype="multipart/form-data"
          class="card"
          data-most={MOST_BYTES}
        >
          <Field
            id="text"
            label="Paste USDOT numbers"
            hint="One on each line, or cells copied from a spreadsheet. Put MC, MX or FF before a docket number: MC 186800."
            error={inFile ? undefined : problem}
            value={sent?.pasted ?? ""}
            rows={9}
            input={{ spellcheck: false, autocomplete: "off", autofocus: !inFile }}
          />
          <Field
            id="file"
            label="Or choose a file"
            hint={`CSV or text, up to ${
              MOST_BYTES / 1024 / 1024
            } MB. Columns headed USDOT, MC, name, city ` +
              "and state are recognized; we ask if a column is unclear."}
            error={inFile ? problem : undefined}
            input={{
              type: "file",
              accept: ".csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values",
            }}
          />
          <p class="wrong" role="alert" hidden></p>
          <p class="actions">
            <button type="submit">Check the list</button>
          </p>
        </form>
        <section id="lists" aria-labelledby="lists-title" hidden>
          <h2 id="lists-title">
            Your lists <small>Saved in this browser only.</small>
          </h2>
          <ul></ul>
        </section>
        <Markdown text={FATE} />
      </>
    ),
  };
}

function questionPage(
  { layout, numbers, maybes }: Question,
  { text, chosen, words }: Pick<Upload, "chosen" | "words"> & { text: string },
): Page {
  const { columns } = layout;
  const asked = numbers.slice(0, MOST_ASKED);
  const names = [...columns.keys()].filter((i) => !numbers.includes(i) && columns[i]!.filled > 0);
  return {
    ...PAGES.question,
    style: "lists",
    unlisted: true,
    lede: asked.length === 0
      ? undefined
      : asked.length === 1
      ? "Are the numbers without a prefix USDOT or MC numbers? The same digits can be two companies."
      : "Which columns have the numbers to check? The same digits can be two companies.",
    body: (
      <>
        <form action="/bulk" method="post" enctype="multipart/form-data" class="card">
          <input type="hidden" name="text" value={text} />
          {asked.length === 0 &&
            [...chosen ?? []].map(([i, role]) => (
              <input type="hidden" name="column" value={`${i + 1}:${role}`} />
            ))}
          {asked.map((i, n) => (
            <ColumnQuestion
              place={i}
              columns={columns}
              isFirst={n === 0}
              isUnanswered={chosen !== undefined}
            />
          ))}
          {asked.length > 0 && names.length > 0 && (
            <Field
              id="names"
              name="column"
              label="Your carrier names"
              value={names.filter((i) => columns[i]!.role === "name").map((i) => `${i + 1}:name`)
                .join()}
              options={[
                ["", "None"],
                ...names.map((i) => [`${i + 1}:name`, columnName(i, columns[i]!)] as const),
              ]}
            />
          )}
          {maybes.length > 0 && (
            <MeantQuestion maybes={maybes} isKnown={asked.length === 0} words={words} />
          )}
          <p class="actions">
            <button type="submit">Check the list</button>
            <a class="button quiet" href="/bulk">Start over</a>
          </p>
        </form>
        <h2>First rows of your list</h2>
        <FirstRows layout={layout} />
      </>
    ),
  };
}

/** Asks which numbers a column contains. */
function ColumnQuestion({ place, columns, isFirst, isUnanswered }: {
  place: number;
  columns: readonly Column[];
  isFirst: boolean;
  /** Whether the question was asked before, and no column was chosen. */
  isUnanswered: boolean;
}) {
  const column = columns[place]!;
  const { heading, samples, role } = column;
  const isOnly = columns.length === 1;
  return (
    <Field
      id={`column-${place + 1}`}
      name="column"
      label={isOnly
        ? heading === null ? "Numbers without a prefix" : `“${heading}”`
        : columnName(place, column)}
      hint={<bdi>{samples.join(" · ")}</bdi>}
      error={isUnanswered && isFirst ? "Choose a type for at least one column" : undefined}
      value={`${place + 1}:${role}`}
      options={[
        ["", isOnly ? "Choose" : "Not used"],
        ...KINDS.map((kind) => [`${place + 1}:${kind}`, `${kind} numbers`] as const),
      ]}
      input={{ autofocus: isFirst }}
    />
  );
}

function FirstRows({ layout: { columns, heading, body } }: Pick<Question, "layout">) {
  const shown = columns.slice(0, PREVIEW_COLUMNS);
  const where = heading === null ? "" : ` below the headings in row ${heading.row}`;
  return (
    <Table
      caption={shownOf(body.length) + where}
      heads={["Row", ...shown.map((column, i) => columnName(i, column))]}
      rows={body.slice(0, PREVIEW_ROWS).map(({ row, cells }) => [
        row,
        ...shown.map((_, i) => <bdi>{shownCell(cells[i] ?? "")}</bdi>),
      ])}
    />
  );
}

/** `8 rows`, or `5 of 8 rows` where not all are shown. */
function shownOf(count: number): string {
  return count > PREVIEW_ROWS ? `${PREVIEW_ROWS} of ${plural(count, "row")}` : plural(count, "row");
}

/** Number of rows to show as examples in the question. */
const EXAMPLES = 4;

/** Asks a single question about all rows with other words: whether the only number in each is the carrier's. */
function MeantQuestion({ maybes, isKnown, words }: {
  maybes: Question["maybes"];
  /** Whether the kind of numbers without a prefix is known. */
  isKnown: boolean;
  words: boolean | undefined;
}) {
  const [{ text, number }, ...others] = maybes as [Maybe, ...Maybe[]];
  const meant = (one: Identifier): string => isKnown ? named(one) : String(one.number);
  return (
    <fieldset class="choices">
      <legend>
        Did you mean {meant(number)} for “<bdi>{text}</bdi>”{others.length > 0 &&
          `, and so on for ${plural(maybes.length, "row")}`}?
      </legend>
      {others.length > 0 && (
        <ul>
          {others.slice(0, EXAMPLES - 1).map(({ text, number }) => (
            <li>
              {meant(number)} for “<bdi>{text}</bdi>”
            </li>
          ))}
        </ul>
      )}
      {([["yes", "Yes"], ["no", "No, I'll correct these rows"]] as const).map(([value, label]) => (
        <label>
          <input
            type="radio"
            name="words"
            value={value}
            required
            checked={words === (value === "yes")}
          />{" "}
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function columnName(place: number, { heading }: Column): string {
  return heading === null ? `Column ${place + 1}` : `Column ${place + 1}, “${heading}”`;
}
