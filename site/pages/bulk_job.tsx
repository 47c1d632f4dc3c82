/**
 * `/bulk/{id}`: the result of an upload, streamed as it is looked up; `/bulk/{id}.csv`: the same as a file.
 *
 * @module
 */

import { streamOf } from "../../api/http/streaming.ts";
import { after } from "../../pipeline/clock.ts";
import { arrange, type Arrangement, PAGE_ROWS, readArrangement } from "../bulk/arrange.ts";
import type { UploadJob } from "../bulk/jobs.ts";
import { CSV_HEAD, csvLines, type ResultRow } from "../bulk/result.ts";
import type { Page } from "../components/layout.tsx";
import { JobResult, readingEnd, readingHead, ReadingRows } from "./bulk_result.tsx";
import type { PageRoute, Visit } from "./route.ts";

export const jobRoute: PageRoute = {
  path: "/bulk/:file",
  async answer(visit) {
    const [, id, csv] = /^([^.]*)(\.csv)?$/.exec(visit.params.file!) ?? [];
    const list = await visit.uploads.find(id ?? "");
    return csv === undefined ? await pageOf(list, visit) : await fileOf(list, visit);
  },
};

type Rows = AsyncIterable<readonly ResultRow[]>;

interface Reading {
  rows: Rows;
  /** Ends the lookups. */
  end: () => void;
}

/** The rows of a list as they come, all at once when they were looked up lately. */
async function read(list: UploadJob, { uploads, request, admitted }: Visit): Promise<Reading> {
  const control = new AbortController();
  const end = (): void => control.abort();
  const cached = uploads.cached(list);
  if (cached !== undefined || request.method === "HEAD") return { rows: once(cached ?? []), end };
  return {
    rows: await uploads.results(list, { client: admitted.client, signal: control.signal }),
    end,
  };
}

async function* once(rows: readonly ResultRow[]): AsyncGenerator<readonly ResultRow[]> {
  yield rows;
}

async function fileOf(list: UploadJob, visit: Visit): Promise<Response> {
  const { created_at, snapshot } = list.job.view;
  const { rows, end } = await read(list, visit);
  const encoder = new TextEncoder();
  async function* lines(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    yield encoder.encode(CSV_HEAD);
    for await (const some of rows) yield encoder.encode(csvLines(some));
  }
  return new Response(streamOf(lines(), { after, end }), {
    headers: [
      ["Cache-Control", "no-store"],
      ["X-Robots-Tag", "noindex"],
      ["Content-Type", "text/csv; charset=utf-8; header=present"],
      [
        "Content-Disposition",
        `attachment; filename="usdot-check-${created_at.slice(0, 10)}.csv"`,
      ],
      ["Snapshot-Id", snapshot.id],
    ],
  });
}

async function pageOf(list: UploadJob, visit: Visit): Promise<Page> {
  const { url } = visit;
  const asked = readArrangement(url.searchParams);
  const landed = url.search === "";
  const page = {
    title: "Your list, checked",
    description: "What the public files show of the carriers of a list.",
    unlisted: true,
    headers: [["X-Robots-Tag", "noindex"]],
    scripts: ["sort.js"],
    snapshotId: list.job.view.snapshot.id,
  } as const;
  const cached = visit.uploads.cached(list);
  if (cached !== undefined) return { ...page, body: result(list, { rows: cached, asked, landed }) };
  const { rows, end } = await read(list, visit);
  async function* parts(): AsyncGenerator<string> {
    const all: ResultRow[] = [];
    const reading = { list: list.list, total: list.list.rows.length };
    yield readingHead(reading.list) + <ReadingRows {...reading} rows={[]} done={0} />;
    for await (const some of rows) {
      const shown = some.slice(0, Math.max(0, PAGE_ROWS - all.length));
      all.push(...some);
      yield String(<ReadingRows {...reading} rows={shown} done={all.length} />);
    }
    yield readingEnd();
    yield String(<div class="done">{result(list, { rows: all, asked, landed })}</div>);
  }
  return { ...page, body: "", more: { parts: parts(), end } };
}

function result(
  list: UploadJob,
  { rows, asked, landed }: { rows: readonly ResultRow[]; asked: Arrangement; landed: boolean },
) {
  const arranged = arrange(rows, asked);
  return (
    <JobResult
      found={list}
      results={rows}
      asked={asked}
      arranged={arranged}
      landed={landed}
    />
  );
}
