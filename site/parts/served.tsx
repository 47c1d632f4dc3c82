/**
 * The snapshot that answers: its day, its size, and the files it was built from.
 *
 * @module
 */

import { daysBetween } from "../../api/rules/calendar.ts";
import { FRESH_DAYS } from "../../api/rules/schemas.ts";
import { holdings } from "../../pipeline/report/figures.ts";
import { counted, plain } from "../../pipeline/text.ts";
import { snapshotPath, type SourceFile } from "../../pipeline/snapshot/manifest.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import { Day } from "./day.tsx";
import { daysLong } from "./days.ts";

/** What {@link Served} shows. */
export interface ServedProps {
  snapshot: Snapshot;
  /** Empty when not known. */
  sources: readonly SourceFile[];
  today: string;
  /** Where the snapshots can be read, when that is an address. */
  address: string | undefined;
}

/** The snapshot in words and figures. */
export function Served({ snapshot, sources, today, address }: ServedProps) {
  const { data_date, inspections_date, notice, forced, window } = snapshot.manifest;
  return (
    <>
      <p class="lede">
        Every answer comes from one snapshot of FMCSA's two files. This one has files of{" "}
        <Day date={data_date} /> (census) and <Day date={inspections_date} /> (inspections).
      </p>
      <Age days={daysBetween(data_date, today)} />
      {notice !== undefined && <p class="notice info">{plain(notice)}</p>}
      {forced !== undefined && (
        <p class="notice warn">
          Published although a bound of the build was broken. The reason given: {plain(forced)}
        </p>
      )}
      <h2 id="snapshot">The snapshot</h2>
      <dl class="facts">
        <div>
          <dt>Census of</dt>
          <dd>
            <Day date={data_date} />
          </dd>
        </div>
        <div>
          <dt>Inspections to</dt>
          <dd>
            <Day date={inspections_date} />
          </dd>
        </div>
        {holdings(snapshot.manifest).map(([label, count]) => (
          <div>
            <dt>{label}</dt>
            <dd>{counted(count)}</dd>
          </div>
        ))}
        <div>
          <dt>Inspections counted</dt>
          <dd>
            <Day date={window.from} /> to <Day date={window.to} />
          </dd>
        </div>
        <div>
          <dt>Search by name</dt>
          <dd>{snapshot.manifest.search === undefined ? "Not in this snapshot" : "Ready"}</dd>
        </div>
      </dl>
      <p>
        Snapshot <code class="hash">{snapshot.id}</code>
        {address !== undefined && (
          <>
            {": "}
            <a href={`${address}/${snapshotPath(snapshot.id)}/manifest.json`}>manifest</a>,{" "}
            <a href={`${address}/${snapshotPath(snapshot.id)}/report.json`}>report</a>
          </>
        )}. <a href="/developers#static">How to read it yourself</a>.
      </p>
      <h2 id="sources">Source files</h2>
      {sources.length === 0
        ? <p>The pointer to this snapshot does not name its files.</p>
        : <div class="cards">{sources.map((file) => <Source file={file} />)}</div>}
    </>
  );
}

function Age({ days }: { days: number }) {
  const old = days === 0 ? "of today" : `${daysLong(days)} old`;
  if (days < 0) {
    return <p class="state warn">The data carries a day that has not come yet</p>;
  }
  if (days <= FRESH_DAYS) return <p class="state ok">The data is {old}</p>;
  return (
    <p class="notice warn">
      <strong>The data is {old}.</strong> It should not be more than {FRESH_DAYS}{" "}
      days old. Newer filings aren't included.
    </p>
  );
}

const ROLES = { census: "Company census", inspections: "Vehicle inspections" };

function Source({ file }: { file: SourceFile }) {
  const { role, name, bytes, sha256, url, last_modified } = file;
  return (
    <section class="card">
      <h3>{ROLES[role]}</h3>
      <dl class="stack">
        <dt>Name</dt>
        <dd>
          {url !== undefined && /^https?:/i.test(url)
            ? <a href={url}>{plain(name)}</a>
            : plain(name)}
        </dd>
        <dt>Size</dt>
        <dd>{counted(bytes)} bytes</dd>
        {last_modified !== undefined && (
          <>
            <dt>Last changed, as the server told</dt>
            <dd>{plain(last_modified)}</dd>
          </>
        )}
        <dt>SHA-256</dt>
        <dd>
          <code class="hash">{sha256}</code>
        </dd>
      </dl>
    </section>
  );
}
