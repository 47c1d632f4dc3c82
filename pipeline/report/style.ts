/**
 * The style sheet of the page: light and dark, from 360 pixels up, and on paper.
 *
 * @module
 */

/** The text of the page's one `<style>`. Bars have 3:1 and text 4.5:1 contrast at least. */
export const STYLE = `
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
