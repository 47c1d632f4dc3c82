/**
 * Text and the mark on a picture of few colors, as PNG.
 *
 * Glyphs are outlines, so they are sharp at any size. `outlines.txt` has them in units of 1/512 em as
 * SVG path data (m, l and q): those of Inter at the weights 450 and 700 with advances and kerning, read
 * from `inter.woff2` with fonttools, overlaps united; and the mark of `icon.svg`.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import OUTLINES from "../assets/outlines.txt" with { type: "text" };

type Style = "mark" | "regular" | "bold";

interface Glyph {
  /** Ems to the next glyph. */
  advance: number;
  /** A letter, and the accent on it at an offset in units. */
  pieces: { path: string; dx: number; dy: number }[];
}

const EM = 512;

/** What replaces a character without a glyph: a box. */
const MISSING = "\ufffd";

/** Ems between letters: large text is set tighter. */
const TRACKING = { mark: 0, regular: 0, bold: -.02 };

const GLYPHS = new Map<string, Glyph>();
const KERNING = new Map<string, number>();

for (const line of OUTLINES.trimEnd().split("\n")) {
  const [style, name, ...rest] = line.split("\t") as [string, string, ...string[]];
  if (style === "kerning") { for (const pair of rest) KERNING.set(pair, Number(name) / EM); }
  else {
    const [advance, path, accent, dx, dy] = rest as [string, string, ...string[]];
    const pieces = accent === undefined ? [{ path, dx: 0, dy: 0 }] : [
      ...GLYPHS.get(`${style} ${path}`)!.pieces,
      { ...GLYPHS.get(`${style} ${accent}`)!.pieces[0]!, dx: Number(dx), dy: Number(dy) },
    ];
    GLYPHS.set(`${style} ${name}`, { advance: Number(advance) / EM, pieces });
  }
}

/** Where and how to draw, in pixels. */
interface Ink {
  x: number;
  /** The base line of text, the top of the mark. */
  y: number;
  /** The size of an em. */
  size: number;
  /** `0xRRGGBB`. */
  color: number;
  /** The color below, with which edges blend. @default {the paper} */
  on?: number;
}

/** Shades between a color and the one below. */
const SHADES = 15;

export class Canvas {
  /** Rows as PNG has them: a byte of 0, no filter, then a place in the palette for each pixel. */
  readonly #rows: Uint8Array;
  readonly #palette: number[];

  constructor(readonly width: number, readonly height: number, paper: number) {
    this.#rows = new Uint8Array((width + 1) * height);
    this.#palette = [paper];
  }

  write(text: string, style: "regular" | "bold", ink: Ink): void {
    this.#draw(layout(Array.from(text.normalize("NFC"), glyphName), style), ink);
  }

  stamp(part: "square" | "lines" | "check", ink: Ink): void {
    this.#draw(layout([part], "mark"), ink);
  }

  fillFrom(row: number, color: number): void {
    const place = this.#shadesOf(color, color);
    for (let y = row; y < this.height; y++) {
      const start = y * (this.width + 1) + 1;
      this.#rows.fill(place, start, start + this.width);
    }
  }

  /** Fills glyphs by their nonzero winding, with smooth edges. */
  #draw(glyphs: Placed[], { x, y, size, color, on = this.#palette[0]! }: Ink): void {
    const scale = size / EM;
    const contours = glyphs.flatMap((placed) =>
      placed.glyph.pieces.flatMap(({ path, dx, dy }) =>
        contoursOf(path, { x: x + placed.x * size + dx * scale, y: y + dy * scale, scale })
      )
    );
    const rows = contours.flatMap((points) => points.map(([, y]) => y));
    if (rows.length === 0) return;
    const top = Math.floor(Math.min(...rows));
    const height = Math.ceil(Math.max(...rows)) - top;
    const stride = this.width + 2;
    // How much more of each pixel is covered than of the one to its left, with a sign for the direction.
    const steps = new Float32Array(height * stride);
    for (const points of contours) {
      // The first edge closes the contour.
      points.forEach((to, i) => addEdge(points.at(i - 1)!, to, { steps, top, stride }));
    }
    const first = this.#shadesOf(color, on);
    for (let row = 0; row < height; row++) {
      const start = (top + row) * (this.width + 1) + 1;
      let covered = 0;
      for (let column = 0; column < this.width; column++) {
        covered += steps[row * stride + column]!;
        const shade = Math.round(Math.min(1, Math.abs(covered)) * SHADES);
        if (shade > 0) this.#rows[start + column] = first + shade - 1;
      }
    }
  }

  /** Adds the shades of a color to the palette; returns the place of the lightest, which the others follow. */
  #shadesOf(color: number, on: number): number {
    const first = this.#palette.length;
    for (let i = 1; i <= SHADES; i++) {
      const mixed = [16, 8, 0].map((shift) => {
        const [from, to] = [on >> shift & 255, color >> shift & 255];
        return Math.round(from + (to - from) * i / SHADES) << shift;
      });
      this.#palette.push(mixed[0]! | mixed[1]! | mixed[2]!);
    }
    return first;
  }

  png(): Uint8Array<ArrayBuffer> {
    // Eight bits for each pixel, a place in the palette.
    const header = [uint32(this.width), uint32(this.height), Buffer.from([8, 3, 0, 0, 0])];
    const palette = this.#palette.flatMap((color) => [color >> 16, color >> 8 & 255, color & 255]);
    return new Uint8Array(Buffer.concat([
      Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
      chunk("IHDR", Buffer.concat(header)),
      chunk("PLTE", Buffer.from(palette)),
      chunk("IDAT", deflateSync(this.#rows)),
      chunk("IEND", Buffer.alloc(0)),
    ]));
  }
}

function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint32(data.length), typed, uint32(crc32(typed))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Ems that text is wide. */
export function widthOf(text: string, style: Style): number {
  const last = layout(Array.from(text, glyphName), style).at(-1);
  return last === undefined ? 0 : last.x + last.glyph.advance;
}

/** How many of the characters go into so many ems. */
export function countWithin(characters: readonly string[], ems: number, style: Style): number {
  const placed = layout(characters.map(glyphName), style);
  const over = placed.findIndex(({ glyph, x }) => x + glyph.advance > ems);
  return over < 0 ? placed.length : over;
}

/** Whether any character has a glyph that can be seen. */
export function isDrawable(text: string): boolean {
  return Array.from(text, glyphName).some((name) => name !== MISSING && name !== " ");
}

/** The glyph of a character: its own, that of its letter without accents, or the box. */
function glyphName(character: string): string {
  const [letter] = character.normalize("NFKD");
  return [character, letter].find((name) => GLYPHS.has(`bold ${name}`)) ?? MISSING;
}

/** A glyph and its distance from the first one, in em. */
interface Placed {
  glyph: Glyph;
  x: number;
}

function layout(names: readonly string[], style: Style): Placed[] {
  let x = 0;
  return names.map((name, i) => {
    const glyph = GLYPHS.get(`${style} ${name}`)!;
    if (i > 0) x += TRACKING[style] + (KERNING.get(names[i - 1]! + name) ?? 0);
    const placed = { glyph, x };
    x += glyph.advance;
    return placed;
  });
}

type Point = readonly [x: number, y: number];

/** Straight pieces of a curve: enough for text of 100 pixels. */
const PIECES = 5;

/** The closed lines of a path, as points. */
function contoursOf(
  path: string,
  { x, y, scale }: { x: number; y: number; scale: number },
): Point[][] {
  return Array.from(path.matchAll(/m[^m]+/g), ([contour]) => {
    const points: Point[] = [];
    for (const [, command, text] of contour.matchAll(/([mlq])([-\d ]*)/g)) {
      const numbers = text!.match(/-?\d+/g)!.map((number) => Number(number) * scale);
      const [length, pieces] = command === "q" ? [4, PIECES] : [2, 1];
      for (let i = 0; i < numbers.length; i += length) {
        // A line is a curve of one piece.
        const [bentX, bentY] = numbers.slice(i) as [number, number];
        const [endX, endY] = numbers.slice(i + length - 2) as [number, number];
        for (let piece = 1; piece <= pieces; piece++) {
          const t = piece / pieces;
          const [a, b] = [2 * t * (1 - t), t * t];
          points.push([x + a * bentX + b * endX, y + a * bentY + b * endY]);
        }
        x += endX;
        y += endY;
      }
    }
    return points;
  });
}

/** Adds to each pixel that an edge crosses, and to the next, how much of it is to the right of the edge. */
function addEdge(
  from: Point,
  to: Point,
  { steps, top, stride }: { steps: Float32Array; top: number; stride: number },
): void {
  const [[upX, upY], [downX, downY]] = from[1] < to[1] ? [from, to] : [to, from];
  const slope = (downX - upX) / (downY - upY);
  for (let row = Math.floor(upY); row < downY; row++) {
    const [above, below] = [Math.max(row, upY), Math.min(row + 1, downY)];
    const [a, b] = [upX + (above - upY) * slope, upX + (below - upY) * slope];
    const [near, far] = [Math.min(a, b), Math.max(a, b)];
    for (let column = Math.floor(near); column <= far; column++) {
      const [in0, in1] = [Math.max(near, column), Math.min(far, column + 1)];
      const part = near === far ? 1 : (in1 - in0) / (far - near);
      const height = (from[1] < to[1] ? 1 : -1) * (below - above) * part;
      const uncovered = height * ((in0 + in1) / 2 - column);
      const at = (row - top) * stride + column;
      steps[at]! += height - uncovered;
      steps[at + 1]! += uncovered;
    }
  }
}
