/**
 * Draws a report table as inline SVG: horizontal bars, or columns for values over time. Colors are CSS variables of
 * the page, so that the same drawing works in light and dark mode.
 *
 * @module
 */

import { cellsOf, counted, cut } from "../text.ts";
import { fullValue, type ReportRow, type ReportTable } from "./table.ts";

/** Width of the viewBox, sized for a phone. Wider layouts scale it up a little. */
const WIDTH = 360;
const FONT_SIZE = 13;
const ROW_HEIGHT = 21;
/** The maximum width of a label, in terminal cells and in pixels. */
const LABEL = { cells: 26, pixels: 185 };
const COLUMNS_HEIGHT = 230;

/** The maximum number of bars in a chart; its table lists the rest. */
export const MOST_BARS = 30;

interface DrawnProps {
  rows: ReportRow[];
  /** The value drawn at full length. */
  most: number;
}

/** Draws a table's values with a text alternative. Uses no inline styles, because a page's CSP may forbid them. */
export function Chart({ table }: { table: ReportTable }) {
  const { title, chart } = table;
  const rows = table.rows.slice(0, MOST_BARS);
  const isColumns = chart?.shape === "columns";
  const Drawn = isColumns ? Columns : Bars;
  const height = isColumns ? COLUMNS_HEIGHT : rows.length * ROW_HEIGHT + 8;
  return (
    <svg
      class="plot"
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-label={`${title}; the values are in the table`}
      font-size={FONT_SIZE}
      fill="currentColor"
    >
      <Drawn rows={rows} most={fullValue(table)} />
    </svg>
  );
}

function Bars({ rows, most }: DrawnProps) {
  const labels = rows.map(({ cells }) => fitted(cells[0]!));
  const left = widest(labels) + 12;
  const right = WIDTH - widest(rows.map(({ cells }) => cells[1]!)) - 8;
  return (
    <>
      {rows.map(({ value = 0, cells: [, text] }, i) => {
        const width = (right - left) * value / most;
        const y = 4 + i * ROW_HEIGHT;
        const middle = y + ROW_HEIGHT / 2 + FONT_SIZE / 3;
        return (
          <g>
            <text x={px(left - 5)} y={px(middle)} text-anchor="end">{labels[i]}</text>
            <rect
              x={px(left)}
              y={y + 2}
              width={px(width)}
              height={ROW_HEIGHT - 4}
              fill="var(--bar)"
            />
            <text x={px(left + width + 5)} y={px(middle)}>{text}</text>
          </g>
        );
      })}
      <Line from={[left, 4]} to={[left, 4 + rows.length * ROW_HEIGHT]} color="axis" />
    </>
  );
}

function Columns({ rows, most }: DrawnProps) {
  const ticks = ticksTo(most);
  const top = ticks.at(-1)!;
  const [left, right] = [widest(ticks.map(counted)) + 16, WIDTH - 24];
  const [above, bottom] = [12, COLUMNS_HEIGHT - 28];
  const y = (value: number): number => bottom - (bottom - above) * value / top;
  const step = (right - left) / rows.length;
  const every = Math.ceil(rows.length / 4);
  return (
    <>
      {ticks.map((tick) => (
        <>
          <Line from={[left, y(tick)]} to={[right, y(tick)]} color="grid" />
          <text x={px(left - 5)} y={px(y(tick) + FONT_SIZE / 3)} text-anchor="end">
            {counted(tick)}
          </text>
        </>
      ))}
      {rows.map(({ cells: [label], value = 0 }, i) => {
        const x = left + step * i;
        return (
          <>
            <rect
              x={px(x + step * 0.08)}
              y={px(y(value))}
              width={px(step * 0.84)}
              height={px(bottom - y(value))}
              fill="var(--bar)"
            />
            {i % every === 0 && (
              <text x={px(x + step / 2)} y={bottom + 18} text-anchor="middle">{label}</text>
            )}
          </>
        );
      })}
      <Line from={[left, bottom]} to={[right, bottom]} color="axis" />
    </>
  );
}

type Point = [x: number, y: number];

function Line({ from, to, color }: { from: Point; to: Point; color: "axis" | "grid" }) {
  const [[x1, y1], [x2, y2]] = [from, to];
  return <line x1={px(x1)} y1={px(y1)} x2={px(x2)} y2={px(y2)} stroke={`var(--${color})`} />;
}

/** At most seven round, whole tick values, from 0 to `most` or slightly above. */
function ticksTo(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most / 6));
  const step = Math.max(1, [1, 2, 5, 10].find((n) => n * power * 6 >= most)! * power);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
}

function fitted(label: string): string {
  let cells = LABEL.cells;
  let text = cut(label, cells);
  while (widthOf(text) > LABEL.pixels) text = cut(label, --cells);
  return text;
}

function widest(texts: string[]): number {
  return Math.max(0, ...texts.map(widthOf));
}

/** Estimates the width of text in a common sans-serif font, in pixels, on the high side. */
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

/** Rounds a coordinate to one decimal: more would make the page longer with no visible difference. */
function px(value: number): number {
  return Math.round(value * 10) / 10;
}
