/**
 * `/bulk/{id}`: the result of an upload, streamed as it is looked up; `/bulk/{id}.csv`: the same as a file.
 *
 * @module
 */

import { ALERT_LIMITS } from "../../api/alerts/records.ts";
import { streamOf } from "../../api/http/streaming.ts";
import { type Outcome, OUTCOMES } from "../../api/operations/csv.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import { newYorkToday } from "../../api/rules/new_york.ts";
import { PAGE_COSTS } from "../../api/state/rate_limit.ts";
import { after } from "../../pipeline/clock.ts";
import { counted, plural } from "../../pipeline/text.ts";
import { FixRows } from "./bulk_fix.tsx";
import {
  countOutcomes,
  isShown,
  PAGE_ROWS,
  readArrangement,
  Rearranged,
  ResultLines,
  ResultTable,
} from "./bulk_table.tsx";
import type { UploadJob } from "../bulk/jobs.ts";
import type { ParsedUpload, ReadColumn } from "../bulk/parse_upload.ts";
import { CSV_HEAD, type ResultRow } from "../bulk/result.ts";
import type { Page } from "../components/layout.tsx";
import { DataAge, Field, FiledText } from "../components/blocks.tsx";
import { fileResponse, type PageRoute, type Visit, watchPath } from "./route.ts";

export const jobRoute: PageRoute = {
  path: "/bulk/{file}",
  cost: PAGE_COSTS.result,
  async answer(visit) {
    const [, id, csv] = /^([^.]*)(\.csv)?$/.exec(visit.params.file!) ?? [];
    const upload = await visit.uploads.find(id ?? "");
    return csv === undefined ? await pageOf(upload, visit) : await fileOf(upload, visit);
  },
};

/**
 * Returns the results as they are looked up, and a `control` that cancels the lookups. A response to
 * HEAD needs no rows.
 */
async function read(upload: UploadJob, { uploads, request, client }: Visit) {
  const control = new AbortController();
  const cached = request.method === "HEAD" ? [] : uploads.cached(upload);
  const rows = cached === undefined ? await uploads.results(upload, { client, control }) : [cached];
  return { rows, control };
}

async function fileOf(upload: UploadJob, visit: Visit): Promise<Response> {
  const { created_at, snapshot } = upload.job.view;
  const { rows, control } = await read(upload, visit);
  const { show } = readArrangement(visit.url.searchParams);
  const encoder = new TextEncoder();
  async function* lines(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    yield encoder.encode(CSV_HEAD);
    for await (const some of rows) {
      yield encoder.encode(some.filter((row) => isShown(row, show)).map(({ csv }) => csv).join(""));
    }
  }
  return fileResponse(streamOf(lines(), { after, control }), {
    type: "text/csv; charset=utf-8; header=present",
    name: `usdot-check-${created_at.slice(0, 10)}${show === "all" ? "" : `-${show}`}.csv`,
    snapshotId: snapshot.id,
  });
}

async function pageOf(upload: UploadJob, visit: Visit): Promise<Page> {
  const page = {
    title: "Your list, checked",
    heading: "Your list",
    description: "What the public files show about the carriers on a list.",
    unlisted: true,
    headers: [["X-Robots-Tag", "noindex"]],
    style: "lists",
    scripts: ["sort.js", "rows.js", "lists.js"],
    snapshotId: upload.job.view.snapshot.id,
  } as const;
  const view = (results: readonly ResultRow[]) => (
    <JobResult upload={upload} results={results} visit={visit} />
  );
  const cached = visit.uploads.cached(upload);
  if (cached !== undefined) return { ...page, body: view(cached) };
  const { rows, control } = await read(upload, visit);
  const total = upload.parsed.rows.length;
  // Streams the first rows and the progress. The style sheet hides them when the result arrives.
  async function* parts(): AsyncGenerator<string> {
    const all: ResultRow[] = [];
    yield '<div class="reading">' + (
      <>
        <h2>Checking your list</h2>
        <p class="actions">
          <a class="button quiet" href="/bulk">Cancel</a>
        </p>
      </>
    ) + '<ul class="plain" aria-label="Rows so far">' + <Progress done={0} total={total} />;
    let shown = 0;
    for await (const some of rows) {
      const first = some.slice(0, Math.max(0, PAGE_ROWS - all.length));
      all.push(...some);
      if (first.length === 0 && all.length - shown < total / PROGRESS_STEPS) continue;
      shown = all.length;
      yield first.map((row) => String(<RowSoFar row={row} />)).join("") +
        <Progress done={shown} total={total} />;
    }
    yield "</ul></div>" + <div class="done">{view(all)}</div>;
  }
  return { ...page, body: "", more: { parts: parts(), control } };
}

const PROGRESS_STEPS = 20;

function RowSoFar({ row }: { row: ResultRow }) {
  const { readAs, name } = row;
  return (
    <li>
      {readAs} <FiledText text={name} />
      <ResultLines row={row} />
    </li>
  );
}

function Progress({ done, total }: { done: number; total: number }) {
  return (
    <li class="sofar">
      <progress max={total} value={done} aria-label="Rows checked"></progress> {counted(done)} of
      {" "}
      {counted(total)} checked
    </li>
  );
}

function JobResult({ upload: { job, parsed }, results, visit: { url, site } }: {
  upload: UploadJob;
  /** All results, in the order of the list. */
  results: readonly ResultRow[];
  visit: Visit;
}) {
  const { id, snapshot } = job.view;
  const asked = readArrangement(url.searchParams);
  const carriers = results.filter(({ name }) => name !== "");
  const watched = [...new Set(carriers.map(({ dot }) => dot))];
  const canWatch = site.alerts.enabled && watched.length > 0 &&
    watched.length <= ALERT_LIMITS.subscriptions;
  const repeats = results.filter(({ repeats }) => repeats !== null).length;
  const counts = countOutcomes(results);
  return (
    <>
      <h2>{headline(counts)}</h2>
      <p class="soft">
        “{OUTCOMES.clear}” is not an approval.
      </p>
      <DataAge snapshot={snapshot} />
      <p class="actions">
        <a class="button" href={`/bulk/${id}.csv`} download autofocus={url.search === ""}>
          Download the CSV file
        </a>
        {asked.show !== "all" && (
          <a class="button quiet" href={`/bulk/${id}.csv?show=${asked.show}`} download>
            Only these rows as CSV
          </a>
        )}
        {canWatch && <a class="button quiet" href={watchPath(watched)}>Watch these carriers</a>}
        <a class="button quiet" href="/bulk">Check another list</a>
      </p>
      <p class="soft">
        {whatWasRead(parsed)}
        {repeats > 0 && `${plural(repeats, "duplicate")}. `}
        Kept until {keptUntil(job.expiresAt)}, then deleted.
      </p>
      <section id="since" class="card" hidden></section>
      <FixRows id={id} parsed={parsed} />
      <nav aria-label="Show rows" class="filters">
        {([["all", results.length], ...counts] as const).map(([show, count]) => (
          <Rearranged
            asked={asked}
            to={{ show }}
            current={asked.show === show}
            words={`${show === "all" ? "All" : OUTCOMES[show]} (${counted(count)})`}
          />
        ))}
      </nav>
      <ResultTable results={results} asked={asked} />
      <KeepForm id={id} rows={results.filter(({ readAs }) => readAs !== "").length} />
    </>
  );
}

/** Keeps the result in the browser under a name, which only a script can do. */
function KeepForm({ id, rows }: { id: string; rows: number }) {
  return (
    <>
      <form id="keep" data-job={id} data-rows={rows} hidden>
        <Field
          id="list"
          label="Save this list in this browser"
          hint="Give it a name, and check it again later to see what changed since today. Rows without a number are left out."
          input={{ required: true, maxlength: 60, autocomplete: "off", placeholder: "Name" }}
        />
        <p class="actions">
          <button type="submit" class="quiet">Save</button>
        </p>
        <p role="status"></p>
      </form>
      <p class="hint">
        With JavaScript, this browser can save the list and show later changes.
      </p>
    </>
  );
}

/** `31 checked: 3 problems, 15 to review, 10 no issues, 3 not found. 26 rows need fixing`. */
function headline(counts: readonly [Outcome, number][]): string {
  const { fix = 0, ...read } = Object.fromEntries(counts) as Partial<Record<Outcome, number>>;
  const words = {
    problem: read.problem === 1 ? "problem" : "problems",
    review: "to review",
    clear: "no issues",
    missing: "not found",
    unavailable: "not available now",
  };
  const parts = (["problem", "review", "clear", "missing", "unavailable"] as const)
    .filter((outcome) => read[outcome] !== undefined)
    .map((outcome) => `${counted(read[outcome]!)} ${words[outcome]}`);
  const total = Object.values(read).reduce((sum, count) => sum + count, 0);
  const checked = `${counted(total)} checked: ${parts.join(", ")}`;
  return fix === 0
    ? checked
    : `${checked}. ${plural(fix, "row")} ${fix === 1 ? "needs" : "need"} fixing`;
}

function whatWasRead({ columns, of, headingRow, assumed }: ParsedUpload): string {
  if (assumed) return "Numbers without a prefix were read as USDOT numbers. ";
  if (columns.length === 0 || of === 1 && headingRow === null && columns[0]!.role === "marked") {
    return "";
  }
  const read = columns.map((column) =>
    `${ROLE_WORDS[column.role] ?? `${column.role} numbers`} from ${columnWords(column, of)}`
  );
  const headings = headingRow === null ? "" : ` Row ${headingRow} was read as headings.`;
  return `Read: ${read.join("; ")}.${headings} `;
}

const ROLE_WORDS: Readonly<Partial<Record<ReadColumn["role"], string>>> = {
  marked: "numbers with their prefix",
  name: "your names",
  city: "cities",
  state: "states",
};

function columnWords({ place, heading }: ReadColumn, of: number): string {
  const column = of === 1 ? "the list" : `column ${place}`;
  return heading === null ? column : `${column}, “${heading}”`;
}

function keptUntil(ms: number): string {
  const time = new Date(ms).toLocaleTimeString("en-US", {
    timeZone: "America/New_York",
    hour: "numeric",
    minute: "2-digit",
  });
  return `${time} Eastern time on ${formatForPeople(newYorkToday(ms))}`;
}
