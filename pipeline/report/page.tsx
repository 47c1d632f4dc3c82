/**
 * Renders the report as one self-contained HTML file, without scripts or requests. It works in light and dark
 * mode, at widths from 360 pixels, and in print.
 *
 * @module
 */

import { raw } from "hono/html";
import type { BuildReport, SnapshotReport } from "../audit/report.ts";
import { ordersWords } from "../snapshot/manifest.ts";
import { counted } from "../text.ts";
import { Chart, MOST_BARS } from "./chart.tsx";
import STYLE from "./page.css" with { type: "text" };
import type { ReportTable } from "./table.ts";
import { reportTables, snapshotCounts, visible } from "./tables.ts";

// Defense in depth: if escaping ever fails, still nothing can run or be fetched.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; " +
  "form-action 'none'";

/** Renders the page as HTML. The same report always gives the same bytes. */
export function renderPage(found: SnapshotReport): string {
  const { snapshot, manifest, report } = visible(found);
  const { window, counts } = manifest;
  const tables = reportTables(report);
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
          <Remark name="Orders" text={ordersWords(manifest)} />
          <Remark name="Notice" text={report.notice} />
          <Remark name="Built although a bound was broken" text={report.forced} />
        </header>
        <main>
          <dl class="totals">
            {snapshotCounts({ counts }).map(([label, count]) => (
              <div>
                <dt>{label}</dt>
                <dd>{counted(count)}</dd>
              </div>
            ))}
          </dl>
          <h2 id="figures">Figures</h2>
          <div class="figures">
            {tables.filter(({ chart }) => chart).map((table) => <Figure table={table} />)}
          </div>
          <Tables tables={tables} />
        </main>
      </body>
    </html>
  );
  return `<!doctype html>\n${page}\n`;
}

/** Renders the tables that have no chart, each under an `h2`. */
export function renderTables(report: BuildReport): string {
  return String(<Tables tables={reportTables(report)} />);
}

/** Renders a table's chart with its title and without its table. */
export function renderPlot(table: ReportTable): string {
  return String(
    <figure>
      <figcaption>{table.title}</figcaption>
      <Chart table={table} />
    </figure>,
  );
}

/** Renders a table with its chart and without its title, for a page that already shows the title. */
export function renderFigure(table: ReportTable): string {
  return String(<Figure table={table} isOpen />);
}

/** Longer tables are collapsed, unless a row is notable. */
const MOST_ROWS = 20;

function Tables({ tables }: { tables: readonly ReportTable[] }) {
  return (
    <>
      {tables.filter(({ chart }) => !chart).map((table) => (
        <>
          <h2 id={table.id}>{table.title}</h2>
          {table.notes.map((note) => <p class="soft">{note}</p>)}
          {table.rows.length <= MOST_ROWS
            ? <Table table={table} />
            : (
              <details open={table.rows.some(({ isNotable }) => isNotable)}>
                <summary>All {table.rows.length} rows</summary>
                <Table table={table} />
              </details>
            )}
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

/** A table that scrolls horizontally on narrow pages. The first cell of each row is its heading. */
function Table({ table: { title, columns, rows } }: { table: ReportTable }) {
  if (rows.length === 0) return <p>None.</p>;
  const hasExamples = rows.some(({ examples = [] }) => examples.length > 0);
  const classOf = (i: number): string | undefined => columns[i]?.isNumber ? "right" : undefined;
  // Focusable, because otherwise the keyboard cannot scroll it.
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
