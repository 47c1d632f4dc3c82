/**
 * Figures as inline SVG, drawn with Observable Plot into a document of its own. Colours are the
 * page's variables, so that one drawing serves the light and the dark page.
 *
 * @module
 */

import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { type Figure, titleWithUnit } from "./figures.ts";
import { cellsOf, counted, cut, plain } from "../text.ts";

/** Drawn for a phone; a wider place scales it up a little. */
const WIDTH = 360;
const ROW_HEIGHT = 21;
const FONT_SIZE = 13;
const LABEL_CELLS = 26;
/** Pixels that a label may take at most. */
const LABEL_WIDTH = 185;

/** Bars that a figure draws at most; its table has the rest. */
export const MOST_BARS = 30;

interface Row {
  label: string;
  value: number;
  text: string;
}

/** The part of a DOM that is used here. */
interface DrawnElement {
  outerHTML: string;
  querySelectorAll(selector: string): Iterable<DrawnElement>;
  remove(): void;
  removeAttribute(name: string): void;
  setAttribute(name: string, value: string): void;
}

/** Draws a figure. The SVG is well-formed, escaped and holds neither style sheet nor script. */
export function drawFigure(figure: Figure): string {
  const rows = figure.rows.slice(0, MOST_BARS).map(([label, value]) => ({
    label: fitted(plain(label)),
    value,
    text: figure.unit === "%" ? `${value.toFixed(2)}%` : counted(value),
  }));
  const { document } = parseHTML("<html></html>") as unknown as { document: unknown };
  const options = figure.shape === "columns" ? columns(rows) : bars(rows, figure.unit);
  const svg = Plot.plot({
    ...options,
    document,
    className: "plot",
    width: WIDTH,
  } as Plot.PlotOptions) as unknown as DrawnElement;
  // Plot puts a style sheet into each drawing; the page has its own.
  for (const style of svg.querySelectorAll("style")) style.remove();
  for (const name of ["height", "width"]) svg.removeAttribute(name);
  // A group has no role that could bear a name; the drawing as a whole has one.
  for (const group of svg.querySelectorAll("g")) group.removeAttribute("aria-label");
  // An attribute, for a page may forbid styles of single elements.
  svg.setAttribute("font-size", String(FONT_SIZE));
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${titleWithUnit(figure)}; the values are in the table`);
  return svg.outerHTML;
}

function bars(rows: Row[], unit: string): Plot.PlotOptions {
  const most = unit === "%" ? 100 : Math.max(1, ...rows.map(({ value }) => value));
  const y = (_: Row, i: number): number => i;
  return {
    height: rows.length * ROW_HEIGHT + 8,
    marginLeft: widest(rows.map(({ label }) => label)) + 12,
    marginRight: widest(rows.map(({ text }) => text)) + 8,
    marginTop: 4,
    marginBottom: 4,
    x: { axis: null, domain: [0, most] },
    // By place, not by label: two cut labels may be equal.
    y: { domain: rows.map((_, i) => i), padding: 0 },
    marks: [
      Plot.axisY({
        tickSize: 0,
        label: null,
        fontSize: FONT_SIZE,
        tickFormat: (i: number) => rows[i]!.label,
      }),
      Plot.barX(rows, { x: "value", y, fill: "var(--bar)", insetTop: 2, insetBottom: 2 }),
      Plot.text(rows, { x: "value", y, text: "text", textAnchor: "start", dx: 5 }),
      Plot.ruleX([0], { stroke: "var(--axis)" }),
    ],
  };
}

function columns(rows: Row[]): Plot.PlotOptions {
  const x = (_: Row, i: number): number => i;
  const every = Math.ceil(rows.length / 4);
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return {
    height: 230,
    marginLeft: widest([counted(most)]) + 16,
    marginRight: 24,
    marginTop: 12,
    marginBottom: 28,
    x: { domain: rows.map((_, i) => i), padding: 0.15 },
    y: { domain: [0, most], nice: true },
    marks: [
      Plot.gridY({ stroke: "var(--grid)", strokeOpacity: 1, ticks: 5 }),
      Plot.axisY({ tickSize: 0, label: null, fontSize: FONT_SIZE, ticks: 5, tickFormat: whole }),
      Plot.axisX(rows.map((_, i) => i).filter((i) => i % every === 0), {
        tickSize: 4,
        label: null,
        fontSize: FONT_SIZE,
        tickFormat: (i: number) => rows[i]!.label,
      }),
      Plot.barY(rows, { x, y: "value", fill: "var(--bar)" }),
      Plot.ruleY([0], { stroke: "var(--axis)" }),
    ],
  };
}

/** A tick of a scale that counts things: nothing between whole numbers. */
function whole(value: number): string {
  return Number.isInteger(value) ? counted(value) : "";
}

function fitted(label: string): string {
  let cells = LABEL_CELLS;
  let text = cut(label, cells);
  while (widthOf(text) > LABEL_WIDTH) text = cut(label, --cells);
  return text;
}

function widest(texts: string[]): number {
  return Math.max(0, ...texts.map(widthOf));
}

/** Pixels that text takes in a common sans-serif, rather too many than too few. */
function widthOf(text: string): number {
  let em = 0;
  for (const character of text) {
    if (/[mwMW%@]/.test(character)) em += 0.98;
    else if (/[A-Z]/.test(character)) em += 0.74;
    else if (/[ijlt.,() ]/.test(character)) em += 0.4;
    else em += 0.62 * cellsOf(character);
  }
  return em * FONT_SIZE;
}
