/**
 * `/bulk/{id}`: how far a list is, then what became of it; `/bulk/{id}.csv` is the same as a file and
 * `/bulk/{id}.json` tells a script how far it is.
 *
 * @module
 */

import { counted } from "../../pipeline/report/plain.ts";
import { arrange, readArrangement } from "../list/arrange.ts";
import type { FoundList } from "../list/lists.ts";
import { csvOf } from "../list/result.ts";
import type { Page, PageRoute } from "../page.ts";
import { redirect } from "../redirect.ts";
import { ListResult } from "./list/result.tsx";

/** Seconds after which a browser without scripts looks again: most lists are checked by then. */
const LOOK_AGAIN = 1;

/** The page of a list, and its files. */
export const listRoute: PageRoute = {
  path: "/bulk/:file",
  async answer({ params, url, lists }) {
    const [, id, kind] = /^([^.]*)(?:\.(csv|json))?$/.exec(params.file!) ?? [];
    const found = await lists.find(id ?? "");
    if (kind === "json") return progressOf(found);
    if (kind === "csv") return fileOf(found);
    return found.results === null ? waitingPage(found) : resultPage(found, url);
  },
};

const UNLISTED: [string, string][] = [
  ["Cache-Control", "no-store"],
  ["X-Robots-Tag", "noindex"],
];

function progressOf({ job: { status, done, total } }: FoundList): Response {
  return Response.json({ status, done, total }, { headers: UNLISTED });
}

function fileOf({ job, results }: FoundList): Response {
  if (results === null) return redirect(`/bulk/${job.id}`);
  const name = `usdot-check-${job.created_at.slice(0, 10)}.csv`;
  return new Response(csvOf(results), {
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
    body: (
      <>
        <h1>Checking your list</h1>
        <p role="status">
          {counted(job.done)} of {counted(job.total)} checked
        </p>
        <progress max={job.total} value={job.done} aria-label="Numbers checked" data-list>
        </progress>
        <p class="soft">The result appears here by itself. You can close the page and come back.</p>
      </>
    ),
  };
}

function resultPage(found: FoundList, url: URL): Page {
  const asked = readArrangement(url.searchParams);
  return {
    ...PAGE,
    title: "Your list, checked",
    scripts: ["sort.js"],
    snapshotId: found.job.snapshot.id,
    body: (
      <ListResult
        found={found}
        asked={asked}
        arranged={arrange(found.results!, asked)}
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
