/**
 * `/status`: which data the service answers from, how old it is, and how the build of it went.
 *
 * @module
 */

import { raw } from "hono/html";
import { faultDetail, ServiceError } from "../../api/operations/errors.ts";
import { forCaller } from "../../api/operations/operation.ts";
import type { PageParts } from "../../api/service.ts";
import { reportOf } from "../../pipeline/report/read.ts";
import type { SourceFile } from "../../pipeline/snapshot/manifest.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import type { Page, PageRoute, Visit } from "../page.ts";
import { publicAddress } from "../parts/address.ts";
import { Served } from "../parts/served.tsx";

/** The page. */
export const statusRoute: PageRoute = { path: "/status", listed: true, answer };

const FACTS = {
  title: "Status",
  description:
    "Which data this service answers from: its day, its files with their hashes, rejected rows, and what changed.",
} as const;

/** What one visit found. */
interface Found {
  snapshot: Snapshot;
  sources: readonly SourceFile[];
  /** HTML of the build report, null when it cannot be read. */
  report: string | null;
}

async function answer(visit: Visit): Promise<Page> {
  let found: Found;
  try {
    found = await find(visit);
  } catch (error) {
    return outage(forCaller(error));
  }
  const { snapshot, sources, report } = found;
  const { snapshotUrl } = visit.site;
  return {
    ...FACTS,
    snapshotId: snapshot.id,
    // A report that could not be read may be there the next moment.
    shared: report !== null,
    body: (
      <>
        <h1>Status</h1>
        <Served
          snapshot={snapshot}
          sources={sources}
          today={visit.today}
          address={publicAddress(snapshotUrl)}
        />
        {report === null
          ? (
            <p class="notice warn">
              The report of this build cannot be read at the moment. Look-ups do not need it.
            </p>
          )
          : raw(report)}
      </>
    ),
  };
}

async function find({ site, kept }: Visit): Promise<Found> {
  const { reader, log } = site;
  try {
    return await reader.use(async (snapshot) => ({
      ...told(site, snapshot),
      report: await reportHtml(snapshot, kept),
    }));
  } catch (error) {
    log(`status: ${faultDetail(error)}`);
    return await reader.use((snapshot) =>
      Promise.resolve({ ...told(site, snapshot), report: null })
    );
  }
}

function told({ reader }: PageParts, snapshot: Snapshot): Omit<Found, "report"> {
  const { pointer } = reader;
  return { snapshot, sources: pointer?.snapshot === snapshot.id ? pointer.sources ?? [] : [] };
}

async function reportHtml(snapshot: Snapshot, kept: Visit["kept"]): Promise<string> {
  return await kept.get(`report ${snapshot.id}`, async () => {
    const { report } = await reportOf(snapshot);
    // Loaded when first asked for: the library of the plots takes longer to load than all the rest.
    const { renderSections } = await import("../../pipeline/report/page.ts");
    const value = renderSections(report);
    return { value, bytes: 2 * value.length };
  });
}

/** No snapshot could be read: the page says that, with the status of every other answer. */
function outage(error: unknown): Page {
  if (!(error instanceof ServiceError)) throw error;
  const { status, retryAfter, message } = error;
  return {
    ...FACTS,
    status,
    unlisted: true,
    headers: retryAfter === undefined ? [] : [["Retry-After", String(retryAfter)]],
    body: (
      <>
        <h1>Status</h1>
        <p class="notice bad">
          <strong>{message}.</strong>{" "}
          Look-ups and searches answer 503 until it can be read again. The{" "}
          <a href="/mcs150">MCS-150</a> and <a href="/ucr">UCR</a>{" "}
          calculators need no data and go on.
        </p>
        <p>
          <a href="/status">Try again</a> in {retryAfter} seconds.
        </p>
      </>
    ),
  };
}
