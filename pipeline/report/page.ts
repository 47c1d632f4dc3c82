/**
 * The report as one HTML file that needs nothing else: no script, no request.
 *
 * @module
 */

import type { BuildReport, SnapshotReport } from "../compile/report.ts";
import { drawFigure, MOST_BARS } from "./chart.ts";
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
  rowsFigure,
  titleWithUnit,
} from "./figures.ts";
import { escape, htmlTable } from "./html.ts";
import { changed, counted, share } from "../text.ts";
import { STYLE } from "./style.ts";
import { reasonWords } from "./words.ts";

// The second lock, should an escape ever fail: nothing runs and nothing is fetched.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; " +
  "form-action 'none'";

/** Writes the page. Equal reports give equal pages. */
export function renderPage({ snapshot, manifest, report }: SnapshotReport): string {
  const { from, to } = manifest.window;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Build report of ${escape(report.data_date)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Build report: motor carriers on ${escape(report.data_date)}</h1>
<p class="soft">Snapshot <code>${escape(snapshot)}</code>. Inspections from ${escape(from)} to ${
    escape(to)
  }.</p>
${remark("Notice", report.notice)}${remark("Built although a bound was broken", report.forced)}
</header>
<main>
<dl class="totals">
${
    holdings(manifest)
      .map(([label, count]) => `<div><dt>${escape(label)}</dt><dd>${counted(count)}</dd></div>`)
      .join("\n")
  }
</dl>
${renderSections(report)}
</main>
</body>
</html>
`;
}

/** The parts of the page that stand on any page: figures, problems, changes, each under an `h2`. */
export function renderSections(report: BuildReport): string {
  const figures = [
    ...FILES.map(([role]) => rowsFigure(report, role)),
    problemsFigure(report, "rejected"),
    problemsFigure(report, "repaired"),
    ...distributionFigures(report),
    nullRatesFigure(report),
  ];
  return `<h2 id="figures">Figures</h2>
<div class="figures">
${figures.map(figureOf).join("\n")}
</div>
<h2 id="problems">Rows and fields with a problem</h2>
${FILES.map(([role, name]) => problems(report[role], name)).join("\n")}
<h2 id="gates">Gates</h2>
${gates(report)}
<h2 id="drift">Changes since the snapshot before</h2>
${drift(report.drift)}`;
}

function remark(name: string, text: string | undefined): string {
  return text === undefined
    ? ""
    : `<p class="remark"><strong>${escape(name)}:</strong> ${escape(text)}</p>\n`;
}

function figureOf(figure: Figure): string {
  const { id, title, unit, explanation, rows, whole } = figure;
  const more = rows.length > MOST_BARS
    ? ` Drawn are the first ${MOST_BARS} of ${rows.length}; the table has all.`
    : "";
  const values = unit === "%" ? "percent of carriers" : unit;
  const table = htmlTable(
    rows.map(([label, value]) => ({
      cells: [
        escape(label),
        unit === "%" ? value.toFixed(2) : counted(value),
        ...(whole === undefined ? [] : [escape(share(value, whole))]),
      ],
    })),
    {
      caption: title,
      columns: [
        { title: "Label" },
        { title: values[0]!.toUpperCase() + values.slice(1), kind: "number" },
        ...(whole === undefined ? [] : [{ title: "Share", kind: "number" as const }]),
      ],
    },
  );
  const drawing = rows.length === 0
    ? "<p>None.</p>"
    : `${drawFigure(figure)}\n<details><summary>Table</summary>\n${table}\n</details>`;
  return `<figure id="${escape(id)}">
<figcaption><h3>${escape(titleWithUnit(figure))}</h3>
<p>${escape(explanation)}${more}</p></figcaption>
${drawing}
</figure>`;
}

function problems(
  { problems, extra_columns }: SnapshotReport["report"]["census"],
  name: string,
): string {
  const extra = extra_columns.length === 0
    ? ""
    : `\n<p>Columns of the ${escape(name.toLowerCase())} file that the build does not know: ${
      escape(extra_columns.join(", "))
    }.</p>`;
  if (problems.length === 0) return `<p>${escape(name)}: none.</p>${extra}`;
  const rows = problems.map(({ reason, treatment, count, examples }) => ({
    cells: [
      escape(reasonWords(reason)),
      escape(treatment),
      counted(count),
      examples.length === 0
        ? ""
        : `<ul>${
          examples.map((example) => `<li><code>${escape(example)}</code></li>`).join("")
        }</ul>`,
    ],
  }));
  const columns = [
    { title: "Reason" },
    { title: "Treatment" },
    { title: "Count", kind: "number" as const },
    { title: "Examples", kind: "examples" as const },
  ];
  return htmlTable(rows, { caption: name, columns }) + extra;
}

function gates({ gates, drift }: SnapshotReport["report"]): string {
  const rows = gateRows(gates).map(({ name, measured, bound, verdict }) => ({
    cells: [name, measured, bound, verdict].map(escape),
    notable: verdict !== "held",
  }));
  const number = (title: string) => ({ title, kind: "number" as const });
  const columns = [{ title: "Gate" }, number("Measured"), number("Bound"), { title: "Verdict" }];
  return (drift === undefined ? `<p>${FIRST_BUILD}</p>\n` : "") +
    htmlTable(rows, { caption: "Bounds of this build", columns });
}

function drift(drift: SnapshotReport["report"]["drift"]): string {
  if (drift === undefined) return "<p>The build was not compared with another snapshot.</p>";
  const rows = drift.rows.map(([measure, then, now, percent]) => ({
    cells: [
      escape(measure),
      counted(then),
      counted(now),
      changed(now, percent),
      isNotable(now, percent) ? "look" : "",
    ],
    notable: isNotable(now, percent),
  }));
  const number = (title: string) => ({ title, kind: "number" as const });
  const table = htmlTable(rows, {
    caption: `Against ${drift.previous}`,
    columns: [{ title: "Measure" }, number("Then"), number("Now"), number("Change"), {
      title: "Mark",
    }],
  });
  return `<p class="soft">"look" marks what changed by more than ${NOTABLE_CHANGE}&nbsp;%, or is new.</p>
${table}`;
}
