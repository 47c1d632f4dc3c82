/**
 * The report as one HTML file that needs nothing else: no script, no request. It is readable in light and
 * dark, from 360 pixels up, and on paper.
 *
 * @module
 */

import { raw } from "hono/html";
import type { BuildReport, SnapshotReport } from "../compile/report.ts";
import { counted } from "../text.ts";
import { Chart, MOST_BARS } from "./chart.tsx";
import { type ReportTable, visible } from "./table.ts";
import { holdings, reportTables } from "./tables.ts";

// A second defense, should escaping ever fail: nothing runs and nothing is fetched.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; " +
  "form-action 'none'";

/** The page as HTML. Equal reports make equal pages. */
export function renderPage(found: SnapshotReport): string {
  const { snapshot, manifest: { window, counts }, report } = visible(found);
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Build report of {report.data_date}</title>
        <link rel="icon" href="data:," />
        <style>{raw(STYLE)}</style>
      </head>
      <body>
        <header>
          <h1>Build report: motor carriers on {report.data_date}</h1>
          <p class="soft">
            Snapshot <code>{snapshot}</code>. Inspections from {window.from} to {window.to}.
          </p>
          <Remark name="Notice" text={report.notice} />
          <Remark name="Built although a bound was broken" text={report.forced} />
        </header>
        <main>
          <dl class="totals">
            {holdings({ counts }).map(([label, count]) => (
              <div>
                <dt>{label}</dt>
                <dd>{counted(count)}</dd>
              </div>
            ))}
          </dl>
          <Sections report={report} />
        </main>
      </body>
    </html>
  );
  return `<!doctype html>\n${page}\n`;
}

/** The tables without a chart as HTML, each under an `h2`. */
export function renderTables(report: BuildReport): string {
  return String(<Tables tables={reportTables(report)} />);
}

/** A table with its chart as HTML, for a page that has its title. */
export function renderFigure(table: ReportTable): string {
  return String(<Figure table={table} isOpen />);
}

function Sections({ report }: { report: BuildReport }) {
  const tables = reportTables(report);
  return (
    <>
      <h2 id="figures">Figures</h2>
      <div class="figures">
        {tables.filter(({ chart }) => chart).map((table) => <Figure table={table} />)}
      </div>
      <Tables tables={tables} />
    </>
  );
}

function Tables({ tables }: { tables: readonly ReportTable[] }) {
  return (
    <>
      {tables.filter(({ chart }) => !chart).map((table) => (
        <>
          <h2 id={table.id}>{table.title}</h2>
          {table.notes.map((note) => <p class="soft">{note}</p>)}
          <Table table={table} />
        </>
      ))}
    </>
  );
}

function Remark({ name, text }: { name: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="remark">
      <strong>{name}:</strong> {text}
    </p>
  );
}

function Figure({ table, isOpen = false }: { table: ReportTable; isOpen?: boolean }) {
  const { id, title, notes, rows } = table;
  return (
    <figure id={id}>
      <figcaption>
        {!isOpen && <h3>{title}</h3>}
        <p>
          {notes}
          {rows.length > MOST_BARS &&
            ` The chart shows the first ${MOST_BARS} of ${rows.length}; the table has all.`}
        </p>
      </figcaption>
      {rows.length > 0 && <Chart table={table} />}
      {rows.length === 0 ? <p>None.</p> : (
        <details open={isOpen}>
          <summary>Table</summary>
          <Table table={table} />
        </details>
      )}
    </figure>
  );
}

/** A table that scrolls sideways in its own box when the page is narrow. The first cells are headings. */
function Table({ table: { title, columns, rows } }: { table: ReportTable }) {
  if (rows.length === 0) return <p>None.</p>;
  const hasExamples = rows.some(({ examples = [] }) => examples.length > 0);
  const classOf = (i: number): string | undefined => columns[i]?.isNumber ? "right" : undefined;
  // A box that scrolls must be focusable, or keyboards cannot scroll it.
  return (
    <div class="wide" tabindex={0} role="region" aria-label={title}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title }, i) => <th scope="col" class={classOf(i)}>{title}</th>)}
            {hasExamples && <th scope="col" class="examples">Examples</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells: [heading, ...cells], isNotable, examples = [] }) => (
            <tr class={isNotable ? "notable" : undefined}>
              <th scope="row">{heading}</th>
              {cells.map((cell, i) => <td class={classOf(i + 1)}>{cell}</td>)}
              {hasExamples && (
                <td class="examples">
                  <ul>
                    {examples.map((example) => (
                      <li>
                        <code>{example}</code>
                      </li>
                    ))}
                  </ul>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// Bars have 3:1 and text 4.5:1 contrast at least.
const STYLE = `
:root {
  color-scheme: light dark;
  --page: #fff; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de; --grid: #e4e8ec;
  --axis: #57606a; --bar: #2f6fb5; --warn: #fff4d6; --warn-text: #5c3d00; --warn-line: #d9a521;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181d; --text: #e6e9ed; --quiet: #a3adb8; --line: #3a424c; --grid: #2a3038;
    --axis: #a3adb8; --bar: #62a3e6; --warn: #3a2e10; --warn-text: #ffe3a1; --warn-line: #b98a1d;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 78rem; padding: 1rem; background: var(--page); color: var(--text);
  font: 1rem/1.45 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
p { margin: 0.4rem 0; max-width: 48rem; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
.soft, figcaption p { color: var(--quiet); font-size: 0.9rem; }
.remark {
  background: var(--warn); color: var(--warn-text); border-left: 4px solid var(--warn-line);
  padding: 0.5rem 0.75rem;
}
.totals { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: 0.75rem; margin: 1rem 0; }
.totals div { border: 1px solid var(--line); border-radius: 6px; padding: 0.5rem 0.75rem; }
.totals dt { color: var(--quiet); font-size: 0.85rem; }
.totals dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.figures { columns: 3 20rem; column-gap: 1rem; }
figure {
  break-inside: avoid; margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 6px;
  padding: 0.75rem;
}
figcaption h3 { font-size: 1rem; margin: 0; }
figcaption p { margin: 0.15rem 0 0.5rem; }
svg { display: block; width: 100%; max-width: 30rem; height: auto; }
svg text { white-space: pre; font-variant-numeric: tabular-nums; }
summary { cursor: pointer; color: var(--quiet); font-size: 0.9rem; }
.wide { overflow-x: auto; overflow-wrap: normal; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--quiet); font-weight: 600; }
tbody th { font-weight: 400; }
.right { text-align: right; white-space: nowrap; }
.examples { min-width: 13rem; overflow-wrap: anywhere; }
.examples ul { margin: 0; padding-left: 1rem; }
tr.notable { background: var(--warn); color: var(--warn-text); }
@media (max-width: 30rem) { th, td { padding-right: 0.4rem; } table { font-size: 0.85rem; } .examples { min-width: 8rem; } }
:focus-visible { outline: 2px solid var(--bar); outline-offset: 2px; }
@media print {
  :root { --page: #fff; --text: #000; --quiet: #333; --line: #999; --grid: #ccc; --axis: #333; --bar: #555;
    --warn: #fff; --warn-text: #000; --warn-line: #000; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .figures { columns: 2; }
  details:not([open]) { display: none; }
  h2 { break-after: avoid; }
  tr { break-inside: avoid; }
}
`;
