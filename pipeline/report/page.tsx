/**
 * The report as one HTML file that needs nothing else: no script, no request. It is readable in light and
 * dark, from 360 pixels up, and on paper.
 *
 * @module
 */

import { raw } from "hono/html";
import type { BuildReport, FileReport, SnapshotReport } from "../compile/report.ts";
import { changed, counted, share } from "../text.ts";
import { Chart, MOST_BARS } from "./chart.tsx";
import {
  distributionFigures,
  type Figure,
  FILES,
  FIRST_BUILD,
  gateRows,
  holdings,
  isNotable,
  NOTABLE_CHANGE,
  nullRatesFigure,
  problemsFigure,
  reasonWords,
  rowsFigure,
  titleWithUnit,
  visible,
} from "./figures.ts";

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

/** The parts that other pages show too, as HTML: figures, problems, gates, changes, each under an `h2`. */
export function renderSections(report: BuildReport): string {
  return String(<Sections report={visible(report)} />);
}

function Sections({ report }: { report: BuildReport }) {
  const figures = [
    ...FILES.map(([role]) => rowsFigure(report, role)),
    problemsFigure(report, "rejected"),
    problemsFigure(report, "repaired"),
    ...distributionFigures(report),
    nullRatesFigure(report),
  ];
  return (
    <>
      <h2 id="figures">Figures</h2>
      <div class="figures">{figures.map((figure) => <FigureWithTable figure={figure} />)}</div>
      <h2 id="problems">Rows and fields with a problem</h2>
      {FILES.map(([role, name]) => <Problems file={report[role]} name={name} />)}
      <h2 id="gates">Gates</h2>
      <Gates report={report} />
      <h2 id="drift">Changes since the previous snapshot</h2>
      <Drift drift={report.drift} />
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

function FigureWithTable({ figure }: { figure: Figure }) {
  const { id, title, unit, explanation, rows, whole } = figure;
  const values = unit === "%" ? "Percent of carriers" : unit[0]!.toUpperCase() + unit.slice(1);
  const tableRows = rows.map(([label, value]) => ({
    cells: [
      label,
      unit === "%" ? value.toFixed(2) : counted(value),
      ...(whole === undefined ? [] : [share(value, whole)]),
    ],
  }));
  const columns = [{ title: "Label" }, number(values)];
  if (whole !== undefined) columns.push(number("Share"));
  return (
    <figure id={id}>
      <figcaption>
        <h3>{titleWithUnit(figure)}</h3>
        <p>
          {explanation}
          {rows.length > MOST_BARS &&
            ` The chart shows the first ${MOST_BARS} of ${rows.length}; the table has all.`}
        </p>
      </figcaption>
      {rows.length === 0 ? <p>None.</p> : (
        <>
          <Chart figure={figure} />
          <details>
            <summary>Table</summary>
            <Table caption={title} columns={columns} rows={tableRows} />
          </details>
        </>
      )}
    </figure>
  );
}

function Problems({ file: { problems, extra_columns }, name }: { file: FileReport; name: string }) {
  const rows = problems.map(({ reason, treatment, count, examples }) => ({
    cells: [
      reasonWords(reason),
      treatment,
      counted(count),
      examples.length > 0 &&
      (
        <ul>
          {examples.map((example) => (
            <li>
              <code>{example}</code>
            </li>
          ))}
        </ul>
      ),
    ],
  }));
  const columns = [{ title: "Reason" }, { title: "Treatment" }, number("Count"), {
    title: "Examples",
    class: "examples",
  }];
  return (
    <>
      {rows.length === 0
        ? <p>{name}: none.</p>
        : <Table caption={name} columns={columns} rows={rows} />}
      {extra_columns.length > 0 && (
        <p>
          Columns of the {name.toLowerCase()} file that the build does not know:{" "}
          {extra_columns.join(", ")}.
        </p>
      )}
    </>
  );
}

function Gates({ report: { gates, drift } }: { report: BuildReport }) {
  const rows = gateRows(gates).map(({ name, measured, bound, verdict }) => ({
    cells: [name, measured, bound, verdict],
    isNotable: verdict !== "passed",
  }));
  const columns = [{ title: "Gate" }, number("Measured"), number("Bound"), { title: "Verdict" }];
  return (
    <>
      {drift === undefined && <p>{FIRST_BUILD}</p>}
      <Table caption="Bounds of this build" columns={columns} rows={rows} />
    </>
  );
}

function Drift({ drift }: { drift: BuildReport["drift"] }) {
  if (drift === undefined) return <p>The build was not compared with another snapshot.</p>;
  const rows = drift.rows.map(([measure, then, now, percent]) => ({
    cells: [
      measure,
      counted(then),
      counted(now),
      changed(now, percent),
      isNotable(now, percent) && "review",
    ],
    isNotable: isNotable(now, percent),
  }));
  const columns = [{ title: "Measure" }, number("Then"), number("Now"), number("Change"), {
    title: "Mark",
  }];
  return (
    <>
      <p class="soft">
        "review" marks what changed by more than {NOTABLE_CHANGE}%, or is new.
      </p>
      <Table caption={`Compared with ${drift.previous}`} columns={columns} rows={rows} />
    </>
  );
}

interface TableColumn {
  title: string;
  class?: string;
}

function number(title: string): TableColumn {
  return { title, class: "right" };
}

/** A table that scrolls sideways in its own box when the page is narrow. The first cells are headings. */
function Table({ caption, columns, rows }: {
  caption: string;
  columns: TableColumn[];
  rows: { cells: unknown[]; isNotable?: boolean }[];
}) {
  // A box that scrolls must be focusable, or keyboards cannot scroll it.
  return (
    <div class="wide" tabindex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => <th scope="col" class={column.class}>{column.title}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells: [heading, ...cells], isNotable }) => (
            <tr class={isNotable ? "notable" : undefined}>
              <th scope="row">{heading}</th>
              {cells.map((cell, i) => <td class={columns[i + 1]?.class}>{cell}</td>)}
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
.soft, figcaption p, caption { color: var(--quiet); font-size: 0.9rem; }
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
caption { text-align: left; padding: 0.25rem 0; }
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
