/**
 * `/bulk/{id}`: the result of an upload, streamed as it is looked up; `/bulk/{id}.csv`: the same as a file.
 *
 * @module
 */

import { LIMITS } from "../../api/alerts/records.ts";
import { streamOf } from "../../api/http/streaming.ts";
import { formatForPeople, newYorkToday } from "../../api/rules/calendar.ts";
import { PAGE_COSTS } from "../../api/state/rate_limit.ts";
import { after } from "../../pipeline/clock.ts";
import { counted, plural } from "../../pipeline/text.ts";
import {
  countOutcomes,
  PAGE_ROWS,
  readArrangement,
  Rearranged,
  ResultTable,
} from "./bulk_table.tsx";
import type { UploadJob } from "../bulk/jobs.ts";
import type { ParsedUpload, ReadColumn } from "../bulk/parse_upload.ts";
import { CSV_HEAD, type Outcome, OUTCOMES, type ResultRow } from "../bulk/result.ts";
import type { Page } from "../components/layout.tsx";
import { DataAge, Name } from "../components/blocks.tsx";
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

/** The rows of a list as they come; `end` ends the lookups. An answer to HEAD needs none. */
async function read(upload: UploadJob, { uploads, request, client }: Visit) {
  const control = new AbortController();
  const cached = request.method === "HEAD" ? [] : uploads.cached(upload);
  const rows = cached === undefined
    ? await uploads.results(upload, { client, signal: control.signal })
    : [cached];
  return { rows, end: () => control.abort() };
}

async function fileOf(upload: UploadJob, visit: Visit): Promise<Response> {
  const { created_at, snapshot } = upload.job.view;
  const { rows, end } = await read(upload, visit);
  const encoder = new TextEncoder();
  async function* lines(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    yield encoder.encode(CSV_HEAD);
    for await (const some of rows) yield encoder.encode(some.map(({ csv }) => csv).join(""));
  }
  return fileResponse(streamOf(lines(), { after, end }), {
    type: "text/csv; charset=utf-8; header=present",
    name: `usdot-check-${created_at.slice(0, 10)}.csv`,
    snapshotId: snapshot.id,
  });
}

async function pageOf(upload: UploadJob, visit: Visit): Promise<Page> {
  const page = {
    title: "Your list, checked",
    description: "What the public files show of the carriers of a list.",
    unlisted: true,
    headers: [["X-Robots-Tag", "noindex"]],
    scripts: ["sort.js"],
    snapshotId: upload.job.view.snapshot.id,
  } as const;
  const view = (results: readonly ResultRow[]) => (
    <JobResult upload={upload} results={results} visit={visit} />
  );
  const cached = visit.uploads.cached(upload);
  if (cached !== undefined) return { ...page, body: view(cached) };
  const { rows, end } = await read(upload, visit);
  const total = upload.parsed.rows.length;
  // The first rows and the progress of all; the style sheet hides them once the result follows.
  async function* parts(): AsyncGenerator<string> {
    const all: ResultRow[] = [];
    yield '<div class="reading">' + (
      <>
        <h1>Checking your list</h1>
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
  return { ...page, body: "", more: { parts: parts(), end } };
}

const PROGRESS_STEPS = 20;

function RowSoFar({ row: { readAs, name, facts } }: { row: ResultRow }) {
  const { tone, words } = facts[0]!;
  return (
    <li>
      {readAs} <Name text={name} />{" "}
      <span class={`state ${tone}`}>
        <bdi>{words}</bdi>
      </span>
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

/** Rows that could not be read and are named above the table, which has all of them. */
const NAMED = 10;

function JobResult({ upload: { job, parsed }, results, visit: { url, site } }: {
  upload: UploadJob;
  /** All results, in the order of the list. */
  results: readonly ResultRow[];
  visit: Visit;
}) {
  const { id, snapshot } = job.view;
  const asked = readArrangement(url.searchParams);
  const carriers = results.filter(({ outcome }) => outcome === "review" || outcome === "clear");
  const watched = [...new Set(carriers.map(({ dot }) => dot))];
  const canWatch = site.alerts.enabled && watched.length > 0 &&
    watched.length <= LIMITS.subscriptions;
  const repeats = results.filter(({ repeats }) => repeats !== null).length;
  const counts = countOutcomes(results);
  return (
    <>
      <h1>{headline(counts)}</h1>
      <p class="lede">
        “{OUTCOMES.clear}” is not an approval.
      </p>
      <DataAge snapshot={snapshot} />
      <p class="actions">
        <a class="button" href={`/bulk/${id}.csv`} download autofocus={url.search === ""}>
          Download the CSV file
        </a>
        {canWatch && <a class="button quiet" href={watchPath(watched)}>Watch these carriers</a>}
        <a class="button quiet" href="/bulk">Check another list</a>
      </p>
      <p class="soft">
        {whatWasRead(parsed)}
        {repeats > 0 &&
          `${plural(repeats, "row")} ${repeats === 1 ? "repeats" : "repeat"} another. `}
        Kept until {keptUntil(job.expiresAt)}, then deleted.
      </p>
      <UnreadRows id={id} results={results} />
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
    </>
  );
}

/** `31 numbers checked: 18 need review, 10 with no issues found, 3 not found. 26 rows unreadable`. */
function headline(counts: readonly [Outcome, number][]): string {
  const { unread = 0, ...read } = Object.fromEntries(counts) as Partial<Record<Outcome, number>>;
  const words = {
    review: read.review === 1 ? "needs review" : "need review",
    clear: "with no issues found",
    missing: "not found",
    unavailable: "not available now",
  };
  const parts = (["review", "clear", "missing", "unavailable"] as const)
    .filter((outcome) => read[outcome] !== undefined)
    .map((outcome) => `${counted(read[outcome]!)} ${words[outcome]}`);
  const total = Object.values(read).reduce((sum, count) => sum + count, 0);
  const checked = `${plural(total, "number")} checked: ${parts.join(", ")}`;
  return unread === 0 ? checked : `${checked}. ${plural(unread, "row")} unreadable`;
}

function UnreadRows({ id, results }: { id: string; results: readonly ResultRow[] }) {
  const unread = results.filter(({ outcome }) => outcome === "unread");
  if (unread.length === 0) return null;
  return (
    <div class="notice warn">
      <p>We couldn't read {plural(unread.length, "row")}:</p>
      <ul>
        {unread.slice(0, NAMED).map(({ row, facts }) => (
          <li>
            Row {row}: <bdi>{facts[0]!.words}</bdi>
          </li>
        ))}
      </ul>
      {unread.length > NAMED && (
        <p>
          <a href={`/bulk/${id}?show=unread`}>See all {counted(unread.length)}</a>
        </p>
      )}
    </div>
  );
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
