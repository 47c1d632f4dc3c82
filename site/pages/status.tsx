/**
 * `/status`: which data the service answers from, how old it is, and the build report.
 *
 * @module
 */

import { raw } from "hono/html";
import { faultDetail, ServiceError } from "../../api/operations/errors.ts";
import { forCaller } from "../../api/operations/operation.ts";
import { daysBetween } from "../../pipeline/dates.ts";
import { FRESH_DAYS } from "../../api/rules/schemas.ts";
import { daysTables } from "../../pipeline/report/day_tables.ts";
import { reportTables, snapshotCounts, visible } from "../../pipeline/report/tables.ts";
import { renderFigure, renderPlot, renderTables } from "../../pipeline/report/page.tsx";
import { type BuildReport, reportOf } from "../../pipeline/audit/report.ts";
import type { SourceFile } from "../../pipeline/snapshot/manifest.ts";
import { snapshotPath } from "../../pipeline/snapshot/paths.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import { counted, escapeInvisible, plural } from "../../pipeline/text.ts";
import { DateText, type Fact, Facts } from "../components/blocks.tsx";
import type { Page } from "../components/layout.tsx";
import { datasetFacts, DOWNLOADS } from "./dataset.ts";
import PAGES from "../content/pages.json" with { type: "json" };
import {
  type HistoryDays,
  historyDays,
  isAddress,
  type PageRoute,
  publicAddress,
  type RenderedReport,
  type Visit,
} from "./route.ts";

export const statusRoute: PageRoute = { path: "/status", listed: true, answer };

/** A figure of the build report on a page of its own. With all figures, the status page would be too long. */
export const figureRoute: PageRoute = { path: "/status/{figure}", answer: figurePage };

async function answer(visit: Visit): Promise<Page> {
  const { site: { reader, log, snapshotUrl, baseUrl }, today } = visit;
  try {
    return await reader.use(async (snapshot) => {
      const report = await renderedReport(snapshot, visit).catch((error) => {
        log(`status: ${faultDetail(error)}`);
        return null;
      });
      const { pointer } = reader;
      const sources = pointer?.snapshot === snapshot.id ? pointer.sources ?? [] : [];
      const address = publicAddress(snapshotUrl);
      const days = await historyDays(reader);
      return {
        ...PAGES.status,
        style: "guide",
        snapshotId: snapshot.id,
        // A report that could not be read may be readable a moment later.
        shared: report !== null,
        ...hasDownloads(snapshot, address) && { facts: datasetFacts(snapshot.manifest, baseUrl) },
        body: (
          <>
            <ServedSnapshot {...{ snapshot, sources, today, address, days }} />
            {report === null
              ? (
                <p class="notice warn">
                  The report of this build can't be read right now. Lookups don't need it.
                </p>
              )
              : raw(report.html)}
          </>
        ),
      };
    });
  } catch (error) {
    return outage(forCaller(error));
  }
}

/** The build report of a snapshot, read and rendered once. */
export async function renderedReport(
  snapshot: Snapshot,
  { reports }: Visit,
): Promise<RenderedReport> {
  return await reports.get(snapshot.id, async () => {
    const { report } = await reportOf(snapshot);
    return { value: { report, html: String(<Report report={report} />) }, bytes: 1 };
  });
}

function Report({ report }: { report: BuildReport }) {
  const figures = reportTables(report).filter(({ chart }) => chart);
  return (
    <>
      {report.changes && (
        <>
          <h2 id="days">Changes per day</h2>
          <div class="figures">
            {daysTables(visible(report.changes)).map((table) => raw(renderPlot(table)))}
          </div>
        </>
      )}
      {raw(renderTables(report))}
      <h2 id="figures">Figures</h2>
      <ul class="figures">
        {figures.map(({ id, title }) => (
          <li>
            <a href={`/status/${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

async function figurePage(visit: Visit): Promise<Page> {
  const { site: { reader }, params: { figure } } = visit;
  return await reader.use(async (snapshot) => {
    const { report } = await renderedReport(snapshot, visit);
    const table = reportTables(report).find(({ id, chart }) => chart && id === figure);
    if (table === undefined) throw new ServiceError("not_found", "There is no such figure");
    const { title } = table;
    return {
      title,
      style: "guide",
      description: `Build report: ${title}`,
      unlisted: true,
      shared: true,
      snapshotId: snapshot.id,
      heading: title,
      body: (
        <>
          <p>
            Snapshot of <DateText date={report.data_date} />. <a href="/status">Status</a>
          </p>
          {raw(renderFigure(table))}
        </>
      ),
    };
  });
}

/** No snapshot could be read: the page says so, with the same HTTP status as other answers. */
function outage(error: unknown): Page {
  if (!(error instanceof ServiceError)) throw error;
  const { status, retryAfter, message } = error;
  return {
    ...PAGES.status,
    style: "guide",
    status,
    unlisted: true,
    retryAfter,
    body: (
      <>
        <p class="notice bad">
          <strong>{message}.</strong>{" "}
          Lookups and searches answer 503 until it can be read again. The{" "}
          <a href="/mcs150">MCS-150</a> and <a href="/ucr">UCR</a>{" "}
          calculators need no data and still work.
        </p>
        <p>
          <a href="/status">Try again</a> in {retryAfter} seconds.
        </p>
      </>
    ),
  };
}

function ServedSnapshot({ snapshot, sources, today, address, days }: {
  snapshot: Snapshot;
  /** Empty when not known. */
  sources: readonly SourceFile[];
  today: string;
  /** Base URL of the snapshots; undefined if they are in a local folder. */
  address: string | undefined;
  days: HistoryDays | undefined;
}) {
  const { data_date, inspections_date, notice, forced, window, search, orders_date } =
    snapshot.manifest;
  return (
    <>
      <p class="lede">
        Every answer comes from one snapshot of FMCSA's files. This one has files of{" "}
        <DateText date={data_date} /> (census), <DateText date={inspections_date} />{" "}
        (inspections) and {orders_date === undefined
          ? "no out-of-service orders"
          : [<DateText date={orders_date} />, " (out-of-service orders)"]}.
      </p>
      <Age days={daysBetween(data_date, today)} />
      {notice !== undefined && <p class="notice info">{escapeInvisible(notice)}</p>}
      {forced !== undefined && (
        <p class="notice warn">
          Published although a gate failed. The reason given: {escapeInvisible(forced)}
        </p>
      )}
      <h2 id="snapshot">The snapshot</h2>
      <Facts
        entries={[
          ["Census of", <DateText date={data_date} />],
          ["Inspections through", <DateText date={inspections_date} />],
          ["Out-of-service orders through", orders_date && <DateText date={orders_date} />],
          ...snapshotCounts(snapshot.manifest).map((
            [label, count],
          ): Fact => [label, counted(count)]),
          ["Inspections counted", [
            <DateText date={window.from} />,
            " to ",
            <DateText date={window.to} />,
          ]],
          ...historyFacts(days),
          ["Search by name", search === undefined ? "Not in this snapshot" : "Ready"],
        ]}
      />
      <DocumentLinks snapshot={snapshot} address={address} />
      {hasDownloads(snapshot, address) && <Downloads />}
      <h2 id="sources">Source files</h2>
      {sources.length === 0
        ? <p>The pointer to this snapshot does not name its files.</p>
        : <div class="cards">{sources.map((file) => <Source file={file} />)}</div>}
    </>
  );
}

/** The snapshot's id, with links to its documents if they are on the web. */
function DocumentLinks(
  { snapshot, address }: { snapshot: Snapshot; address: string | undefined },
) {
  const folder = address && `${address}/${snapshotPath(snapshot.id)}`;
  return (
    <p>
      Snapshot <code class="hash">{snapshot.id}</code>
      {folder !== undefined && (
        <>
          {": "}
          <a href={`${folder}/manifest.json`}>manifest</a>,{" "}
          <a href={`${folder}/report.json`}>report</a>
          {snapshot.manifest.files["past.json"] !== undefined && (
            <>
              , <a href={`${folder}/past.json`}>earlier snapshots</a>
            </>
          )}
        </>
      )}. <a href="/developers#static-api">How to read it yourself</a>.
    </p>
  );
}

function Downloads() {
  return (
    <p>
      All carriers in one file: {DOWNLOADS.map(([file, name], i) => [
        i === 0 ? "" : " or ",
        <a href={`/latest/${file}`}>{name}</a>,
      ])}. <a href="/developers#all-carriers">How to read it</a>.
    </p>
  );
}

function hasDownloads({ manifest }: Snapshot, address: string | undefined): boolean {
  return manifest.export !== undefined && address !== undefined;
}

function historyFacts(days: HistoryDays | undefined): Fact[] {
  if (days === undefined) return [];
  const { watched, kept } = days;
  return [
    ["Changes tracked since", <DateText date={watched} />],
    ["First day kept", <DateText date={kept[0]!} />],
    ["Days kept", counted(kept.length)],
  ];
}

function Age({ days }: { days: number }) {
  if (days < 0) {
    return <p class="state warn">The data is dated in the future</p>;
  }
  const old = days === 0 ? "today's" : `${plural(days, "day")} old`;
  return days <= FRESH_DAYS ? <p class="state ok">The data is {old}</p> : (
    <p class="notice warn">
      <strong>The data is {old}.</strong> It should not be more than {FRESH_DAYS}{" "}
      days old. Newer filings aren't included.
    </p>
  );
}

const ROLES = {
  census: "Company census",
  inspections: "Vehicle inspections",
  orders: "Out-of-service orders",
};

function Source({ file }: { file: SourceFile }) {
  const { role, name, bytes, sha256, url, last_modified } = file;
  return (
    <section class="card">
      <h3>{ROLES[role]}</h3>
      <Facts
        of="stack"
        entries={[
          [
            "Name",
            isAddress(url) ? <a href={url}>{escapeInvisible(name)}</a> : escapeInvisible(name),
          ],
          ["Size", `${counted(bytes)} bytes`],
          ["Last modified, as the server reports", last_modified && escapeInvisible(last_modified)],
          ["SHA-256", <code class="hash">{sha256}</code>],
        ]}
      />
    </section>
  );
}
