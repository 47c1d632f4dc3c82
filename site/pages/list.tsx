/**
 * `/bulk/{id}`: how far a list is, then what became of it; `/bulk/{id}.csv` is the same as a file and
 * `/bulk/{id}.json` tells a script how far it is.
 *
 * @module
 */

import { arrange, readArrangement } from "../list/arrange.ts";
import { csvOf } from "../list/csv.ts";
import type { FoundList } from "../list/lists.ts";
import type { Page, PageRoute } from "../page.ts";
import { redirect } from "../redirect.ts";
import { ListProgress } from "./list/progress.tsx";
import { ListResult } from "./list/result.tsx";

/** Seconds after which a browser without scripts looks again: most lists are checked by then. */
const LOOK_AGAIN = 1;

/** The page of a list, and its files. */
export const listRoute: PageRoute = {
  path: "/bulk/:file",
  async answer({ params, url, lists }) {
    const [, id, kind] = /^([^.]*)(?:\.(csv|json))?$/.exec(params.file!) ?? [];
    const list = await lists.find(id ?? "");
    if (kind === "json") return progressOf(list);
    if (kind === "csv") return fileOf(list);
    return list.rows === null ? waitingPage(list) : resultPage(list, url);
  },
};

const UNLISTED: [string, string][] = [
  ["Cache-Control", "no-store"],
  ["X-Robots-Tag", "noindex"],
];

function progressOf({ job: { status, done, total } }: FoundList): Response {
  return Response.json({ status, done, total }, { headers: UNLISTED });
}

function fileOf({ job, rows }: FoundList): Response {
  if (rows === null) return redirect(`/bulk/${job.id}`);
  const name = `usdot-check-${job.created_at.slice(0, 10)}.csv`;
  return new Response(csvOf(rows), {
    headers: [
      ...UNLISTED,
      ["Content-Type", "text/csv; charset=utf-8; header=present"],
      ["Content-Disposition", `attachment; filename="${name}"`],
      ["Snapshot-Id", job.snapshot.id],
    ],
  });
}

function waitingPage({ job }: FoundList): Page {
  return {
    ...PAGE,
    title: "Checking your list",
    refresh: LOOK_AGAIN,
    scripts: ["bulk.js"],
    snapshotId: job.snapshot.id,
    body: <ListProgress job={job} />,
  };
}

function resultPage(list: FoundList, url: URL): Page {
  const asked = readArrangement(url.searchParams);
  return {
    ...PAGE,
    title: "Your list, checked",
    scripts: ["sort.js"],
    snapshotId: list.job.snapshot.id,
    body: (
      <ListResult
        list={list}
        asked={asked}
        arranged={arrange(list.rows!, asked)}
        landed={url.search === ""}
      />
    ),
  };
}

const PAGE = {
  description: "What the public files show of the carriers of a list.",
  unlisted: true,
  headers: [["X-Robots-Tag", "noindex"]],
} as const;
