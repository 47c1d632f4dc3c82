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
  type Arrangement,
  countOutcomes,
  PAGE_ROWS,
  readArrangement,
  type Show,
} from "../bulk/arrange.ts";
import type { UploadJob } from "../bulk/jobs.ts";
import type { ParsedUpload, ReadColumn } from "../bulk/parse_upload.ts";
import { CSV_HEAD, csvLines, type Outcome, OUTCOMES, type ResultRow } from "../bulk/result.ts";
import type { Page } from "../components/layout.tsx";
import { DataAge, Name } from "../components/text.tsx";
import { Rearranged, ResultTable } from "./bulk_table.tsx";
import { type PageRoute, type Visit, watchPath } from "./route.ts";

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
async function read(upload: UploadJob, { uploads, request, admitted: { client } }: Visit) {
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
    for await (const some of rows) yield encoder.encode(csvLines(some));
  }
  const file = `usdot-check-${created_at.slice(0, 10)}.csv`;
  return new Response(streamOf(lines(), { after, end }), {
    headers: {
      "Cache-Control": "no-store",
      "X-Robots-Tag": "noindex",
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="${file}"`,
      "Snapshot-Id": snapshot.id,
    },
  });
}

async function pageOf(upload: UploadJob, visit: Visit): Promise<Page> {
  const { url } = visit;
  const asked = readArrangement(url.searchParams);
  const view = {
    found: upload,
    asked,
    landed: url.search === "",
    canWatch: visit.site.alerts.enabled,
  };
  const page = {
    title: "Your list, checked",
    description: "What the public files show of the carriers of a list.",
    unlisted: true,
    headers: [["X-Robots-Tag", "noindex"]],
    scripts: ["sort.js"],
    snapshotId: upload.job.view.snapshot.id,
  } as const;
  const cached = visit.uploads.cached(upload);
  if (cached !== undefined) return { ...page, body: <JobResult {...view} results={cached} /> };
  const { rows, end } = await read(upload, visit);
  const total = upload.parsed.rows.length;
  async function* parts(): AsyncGenerator<string> {
    const all: ResultRow[] = [];
    yield LOOKING_UP + <Progress done={0} total={total} />;
    let shown = 0;
    for await (const some of rows) {
      const first = some.slice(0, Math.max(0, PAGE_ROWS - all.length));
      all.push(...some);
      if (first.length === 0 && all.length - shown < total / PROGRESS_STEPS) continue;
      shown = all.length;
      yield first.map((row) => String(<RowSoFar row={row} />)).join("") +
        <Progress done={shown} total={total} />;
    }
    yield "</ul></div>" + (
      <div class="done">
        <JobResult {...view} results={all} />
      </div>
    );
  }
  return { ...page, body: "", more: { parts: parts(), end } };
}

const PROGRESS_STEPS = 20;

/**
 * The page while its list is looked up: the first rows and the progress of all. Leaving it ends the
 * work; the style sheet hides it once the result follows.
 */
const LOOKING_UP = `<div class="reading">${
  String(
    <>
      <h1>Checking your list</h1>
      <p class="actions">
        <a class="button quiet" href="/bulk">Cancel</a>
      </p>
    </>,
  )
}<ul class="plain" aria-label="Rows so far">`;

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

/** How far the list is, shown until the next one follows. */
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

function JobResult({ found, results, asked, landed, canWatch }: {
  found: UploadJob;
  /** All results, in the order of the list. */
  results: readonly ResultRow[];
  asked: Arrangement;
  /** Whether the page was opened without a filter or an order. */
  landed: boolean;
  canWatch: boolean;
}) {
  const { parsed } = found;
  const { view: job, expiresAt } = found.job;
  const watched = new Set(
    results.filter(({ outcome }) => outcome === "review" || outcome === "clear")
      .map(({ dot }) => dot),
  );
  const repeats = results.filter(({ repeats }) => repeats !== null).length;
  const shows: [show: Show, words: string, count: number][] = [
    ["all", "All", results.length],
    ...countOutcomes(results).map(([outcome, count]): [Show, string, number] => [
      outcome,
      OUTCOMES[outcome],
      count,
    ]),
  ];
  return (
    <>
      <h1>{headline(results)}</h1>
      <p class="lede">
        “{OUTCOMES.clear}” is not an approval.
      </p>
      <DataAge snapshot={job.snapshot} />
      <p class="actions">
        <a class="button" href={`/bulk/${job.id}.csv`} download autofocus={landed}>
          Download the CSV file
        </a>
        {canWatch && watched.size > 0 && watched.size <= LIMITS.subscriptions && (
          <a class="button quiet" href={watchPath([...watched])}>Watch these carriers</a>
        )}
        <a class="button quiet" href="/bulk">Check another list</a>
      </p>
      <p class="soft">
        {whatWasRead(parsed)}
        {repeats > 0 &&
          `${plural(repeats, "row")} ${repeats === 1 ? "repeats" : "repeat"} another. `}
        Kept until {keptUntil(expiresAt)}, then deleted.
      </p>
      <UnreadRows id={job.id} results={results} />
      <nav aria-label="Show rows" class="filters">
        {shows.map(([show, words, count]) => (
          <Rearranged
            asked={asked}
            to={{ show }}
            current={asked.show === show}
            words={`${words} (${counted(count)})`}
          />
        ))}
      </nav>
      <ResultTable upload={parsed} results={results} asked={asked} />
    </>
  );
}

/** `31 numbers checked: 18 need review, 10 with no issues found, 3 not found. 26 rows unreadable`. */
function headline(results: readonly ResultRow[]): string {
  const counts = new Map(countOutcomes(results));
  const unread = counts.get("unread") ?? 0;
  const parts = (["review", "clear", "missing", "unavailable"] as const).flatMap((outcome) => {
    const count = counts.get(outcome);
    return count === undefined ? [] : [`${counted(count)} ${COUNT_WORDS[outcome](count)}`];
  });
  const checked = `${plural(results.length - unread, "number")} checked: ${parts.join(", ")}`;
  return unread === 0 ? checked : `${checked}. ${plural(unread, "row")} unreadable`;
}

const COUNT_WORDS = {
  review: (count: number) => count === 1 ? "needs review" : "need review",
  clear: () => "with no issues found",
  missing: () => "not found",
  unavailable: () => "not available now",
} satisfies Partial<Record<Outcome, unknown>>;

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
