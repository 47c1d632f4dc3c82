/**
 * Text and shapes on a picture of few colors, and the picture as PNG.
 *
 * Glyphs are outlines, so they are sharp at any size. `outlines.txt` has them in units of 1/512 em as
 * SVG path data (m, l and q): Inter's at the weights 450 and 700 with their advances and kerning, read
 * from `inter.woff2` with fonttools, and the mark of `icon.svg`.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import OUTLINES from "../assets/outlines.txt" with { type: "text" };

type Style = "mark" | "regular" | "bold";

interface Glyph {
  advance: number;
  /** A path, or a base glyph with a mark at an offset. */
  shape: string | { base: string; mark: string; dx: number; dy: number };
}

/** Units of a path in an em. */
export const EM = 512;

/** What replaces a character without a glyph: a box. */
const MISSING = "\ufffd";

/** Space between letters, in em: large text is set tighter. */
const TRACKING = { mark: 0, regular: 0, bold: -.02 };

const GLYPHS = new Map<string, Glyph>();
const KERNING = new Map<string, number>();

for (const line of OUTLINES.trimEnd().split("\n")) {
  const [style, name, ...rest] = line.split("\t") as [string, string, ...string[]];
  if (style === "kerning") { for (const pair of rest) KERNING.set(pair, Number(name) / EM); }
  else {
    const [advance, path, mark, dx, dy] = rest as [string, string, ...string[]];
    const shape = mark === undefined ? path : { base: path, mark, dx: Number(dx), dy: Number(dy) };
    GLYPHS.set(`${style} ${name}`, { advance: Number(advance) / EM, shape });
  }
}

/** A place on the picture, in pixels: the left end of the base line, and the size of an em. */
interface Spot {
  x: number;
  y: number;
  size: number;
}

interface Ink {
  style: Style;
  /** `0xRRGGBB`. */
  color: number;
  /** The color below, with which edges blend. */
  on?: number;
}

/** A path at a place. */
type Shape = Spot & { path: string };

/** Shades between the color below and a color. */
const SHADES = 15;

export class Canvas {
  /** Rows as PNG has them: a byte of 0, no filter, then a byte for each pixel. */
  readonly #rows: Uint8Array;
  readonly #stride: number;
  readonly #palette: number[];
  readonly #firstShades = new Map<string, number>();

  constructor(readonly width: number, readonly height: number, readonly paper: number) {
    this.#stride = width + 1;
    this.#rows = new Uint8Array(this.#stride * height);
    this.#palette = [paper];
  }

  /** Draws text or the glyphs of some names. */
  draw(text: string | readonly string[], spot: Spot, { style, color, on = this.paper }: Ink): void {
    const shapes: Shape[] = [];
    const names = typeof text === "string" ? glyphNames(text) : text;
    for (const { glyph: { shape }, x } of layout(names, style)) {
      const at = { ...spot, x: spot.x + x * spot.size };
      if (typeof shape === "string") shapes.push({ ...at, path: shape });
      else {
        const scale = spot.size / EM;
        const marked = { ...at, x: at.x + shape.dx * scale, y: at.y + shape.dy * scale };
        shapes.push({ ...at, path: pathOf(shape.base, style) });
        shapes.push({ ...marked, path: pathOf(shape.mark, style) });
      }
    }
    this.fill(shapes, color, on);
  }

  /** Fills paths by their nonzero winding, with smooth edges. */
  fill(shapes: readonly Shape[], color: number, on = this.paper): void {
    const edges: Edge[] = [];
    let [left, top, right, end] = [this.width, this.height, 0, 0];
    for (const shape of shapes) {
      trace(shape, (edge) => {
        edges.push(edge);
        left = Math.min(left, Math.floor(edge[0]));
        right = Math.max(right, Math.ceil(edge[0]));
        top = Math.min(top, Math.floor(edge[1]));
        end = Math.max(end, Math.ceil(edge[1]));
      });
    }
    if (edges.length === 0) return;
    // How much more of each pixel is covered than of the one to its left, with a sign for the direction.
    const stride = right - left + 2;
    const steps = new Float32Array((end - top) * stride);
    for (const edge of edges) addEdge(edge, { steps, left, top, stride });
    const first = this.#shadesOf(color, on);
    for (let row = 0; row < end - top; row++) {
      const start = (top + row) * this.#stride + left + 1;
      let covered = 0;
      for (let column = 0; column < stride; column++) {
        covered += steps[row * stride + column]!;
        const shade = Math.round(Math.min(1, Math.abs(covered)) * SHADES);
        if (shade > 0) this.#rows[start + column] = first + shade - 1;
      }
    }
  }

  /** The place in the palette of the lightest shade of a color; the others follow. */
  #shadesOf(color: number, on: number): number {
    const key = `${color} ${on}`;
    const known = this.#firstShades.get(key);
    if (known !== undefined) return known;
    const first = this.#palette.length;
    for (let i = 1; i <= SHADES; i++) this.#palette.push(blend(on, color, i / SHADES));
    this.#firstShades.set(key, first);
    return first;
  }

  /** The picture as a PNG file with a palette. */
  png(): Uint8Array<ArrayBuffer> {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(this.width, 0);
    header.writeUInt32BE(this.height, 4);
    // Eight bits for each pixel, an index of the palette.
    header.set([8, 3, 0, 0, 0], 8);
    const palette = this.#palette.flatMap((color) => [color >> 16, color >> 8 & 255, color & 255]);
    return new Uint8Array(Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk("IHDR", header),
      chunk("PLTE", Buffer.from(palette)),
      chunk("IDAT", deflateSync(this.#rows)),
      chunk("IEND", Buffer.alloc(0)),
    ]));
  }
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

function blend(from: number, to: number, part: number): number {
  const mixed = [16, 8, 0].map((shift) => {
    const [a, b] = [from >> shift & 255, to >> shift & 255];
    return Math.round(a + (b - a) * part) << shift;
  });
  return mixed[0]! | mixed[1]! | mixed[2]!;
}

/** Ems that text is wide. */
export function widthOf(text: string, style: Style): number {
  const last = layout(glyphNames(text), style).at(-1);
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
  return glyphNames(text).some((name) => name !== MISSING && name !== " ");
}

/** Glyphs with their distances from the first one, in em. */
function layout(names: readonly string[], style: Style): { glyph: Glyph; x: number }[] {
  let x = 0;
  let previous = "";
  return names.map((name) => {
    const glyph = GLYPHS.get(`${style} ${name}`)!;
    x += KERNING.get(previous + name) ?? 0;
    previous = name;
    const placed = { glyph, x };
    x += glyph.advance + TRACKING[style];
    return placed;
  });
}

function glyphNames(text: string): string[] {
  return Array.from(text.normalize("NFC"), glyphName);
}

/** The glyph of a character: its own, that of its letter without accents, or the box. */
function glyphName(character: string): string {
  if (GLYPHS.has(`bold ${character}`)) return character;
  const [letter] = character.normalize("NFKD");
  return GLYPHS.has(`bold ${letter}`) ? letter! : MISSING;
}

function pathOf(name: string, style: Style): string {
  return GLYPHS.get(`${style} ${name}`)!.shape as string;
}

type Edge = readonly [x0: number, y0: number, x1: number, y1: number];

/** Straight pieces of a curve: enough for text of 100 pixels. */
const PIECES = 5;

/** Goes along a path, each part of it closed. */
function trace({ path, x: left, y: base, size }: Shape, found: (edge: Edge) => void): void {
  const scale = size / EM;
  let command = "";
  let [x, y, startX, startY] = [left, base, left, base];
  let numbers: number[] = [];
  const lineTo = (toX: number, toY: number): void => {
    found([x, y, toX, toY]);
    [x, y] = [toX, toY];
  };
  for (const token of path.match(/[mlq]|-?\d+/g) ?? []) {
    if (/[mlq]/.test(token)) {
      command = token;
      continue;
    }
    numbers.push(Number(token) * scale);
    if (numbers.length < (command === "q" ? 4 : 2)) continue;
    const [fromX, fromY] = [x, y];
    const [dx, dy, endX, endY] = numbers as [number, number, number, number];
    numbers = [];
    if (command === "m") {
      lineTo(startX, startY);
      [x, y] = [startX, startY] = [fromX + dx, fromY + dy];
      command = "l";
    } else if (command === "l") lineTo(x + dx, y + dy);
    else {
      for (let i = 1; i <= PIECES; i++) {
        const t = i / PIECES;
        lineTo(
          fromX + 2 * t * (1 - t) * dx + t * t * endX,
          fromY + 2 * t * (1 - t) * dy + t * t * endY,
        );
      }
    }
  }
  lineTo(startX, startY);
}

/** Adds to each pixel how much of it the edge bounds: the area between the edge and the right side. */
function addEdge(
  [x0, y0, x1, y1]: Edge,
  { steps, left, top, stride }: {
    steps: Float32Array;
    left: number;
    top: number;
    stride: number;
  },
): void {
  if (y0 === y1) return;
  const [upX, upY, downX, downY] = y0 < y1 ? [x0, y0, x1, y1] : [x1, y1, x0, y0];
  const direction = y0 < y1 ? 1 : -1;
  const slope = (downX - upX) / (downY - upY);
  for (let row = Math.floor(upY); row < downY; row++) {
    const from = Math.max(row, upY);
    const to = Math.min(row + 1, downY);
    const [a, b] = [upX + (from - upY) * slope, upX + (to - upY) * slope];
    const [near, far] = [Math.min(a, b), Math.max(a, b)];
    for (let column = Math.floor(near); column <= far; column++) {
      const [in0, in1] = [Math.max(near, column), Math.min(far, column + 1)];
      const part = near === far ? 1 : (in1 - in0) / (far - near);
      const height = direction * (to - from) * part;
      // The part of the pixel to the left of the edge stays uncovered.
      const uncovered = height * ((in0 + in1) / 2 - column);
      const at = (row - top) * stride + column - left;
      steps[at]! += height - uncovered;
      steps[at + 1]! += uncovered;
    }
  }
}
