/**
 * `/carriers/{dot}/card.png`: the picture of a carrier in previews of links to its page.
 *
 * @module
 */

import { SERVICE_TITLE } from "../../../api/operations/about.ts";
import { lookupCarrier } from "../../../api/operations/lookup.ts";
import { formatForPeople } from "../../../api/rules/calendar.ts";
import type { Carrier, CheckState } from "../../../api/rules/schemas.ts";
import { placeOf } from "../../../api/rules/words.ts";
import { PAGE_COSTS } from "../../../api/state/rate_limit.ts";
import { inert } from "../../../pipeline/text.ts";
import { PREVIEW } from "../../components/layout.tsx";
import { Canvas, countWithin, isDrawable, widthOf } from "../../components/canvas.ts";
import { lookUp, type PageRoute } from "../route.ts";

export const cardRoute: PageRoute = {
  path: "/carriers/{dot}/card.png",
  cost: PAGE_COSTS.picture,
  async answer(visit) {
    const { dot } = visit.params;
    const { answer, snapshotId } = await lookUp(visit, lookupCarrier, { dot });
    return await visit.pictures.get(`${answer.dot} ${snapshotId}`, () => {
      const png = cardOf(answer);
      const value = { type: "image/png", bytes: png, shared: true, snapshotId: snapshotId! };
      return Promise.resolve({ value, bytes: png.length });
    });
  },
};

const PAPER = 0xfcfbf8;
const INK = 0x1d1f21;
const SOFT = 0x595f66;
const ACCENT = 0x0e5a6c;

/** As the style sheet has them; an active number is no praise. */
const STATUS_COLORS: Readonly<Record<CheckState, number>> = {
  ok: INK,
  info: INK,
  warn: 0x7d4c00,
  bad: 0xa3241a,
};

/** Pixels. */
const LEFT = 80;
const WIDTH = PREVIEW.width - 2 * LEFT;

/** Sizes of the name in pixels, the largest first, each with the lines that there is room for. */
const NAME_SIZES = [[92, 1], [76, 2], [58, 3]] as const;

/** Where the lines of a name are in the middle. */
const NAME_Y = 272;

/** The picture as PNG: nothing in it changes within a snapshot. */
function cardOf(carrier: Carrier): Uint8Array<ArrayBuffer> {
  const { dot, name } = carrier;
  const { width, height } = PREVIEW;
  const canvas = new Canvas(width, height, PAPER);
  const mark = { x: LEFT, y: 64, size: 76 };
  canvas.stamp("square", { ...mark, color: ACCENT });
  canvas.stamp("lines", { ...mark, color: 0x9fd0db, on: ACCENT });
  canvas.stamp("check", { ...mark, color: 0xffffff, on: ACCENT });
  canvas.write(SERVICE_TITLE, "bold", { x: LEFT + 100, y: 115, size: 38, color: INK });

  const { size, lines } = nameLines(isDrawable(name) ? name : `USDOT ${dot}`);
  const first = NAME_Y + size * (.36 - .57 * (lines.length - 1));
  lines.forEach((line, i) => {
    canvas.write(line, "bold", { x: LEFT, y: first + i * 1.14 * size, size, color: INK });
  });

  const { identity, status, state, data, note } = wordsOf(carrier);
  const [fitted] = linesOf(identity, { size: 40, most: 1, style: "regular" });
  canvas.write(fitted!, "regular", { x: LEFT, y: 444, size: 40, color: INK });
  const color = STATUS_COLORS[state];
  canvas.write(status, "bold", { x: LEFT, y: 502, size: 40, color });
  const after = LEFT + 40 * widthOf(status, "bold");
  canvas.write(` · ${data}`, "regular", { x: after, y: 502, size: 40, color: SOFT });
  canvas.write(note, "regular", { x: LEFT, y: 556, size: 30, color: SOFT });
  canvas.fillFrom(604, ACCENT);
  return canvas.png();
}

export function cardText(carrier: Carrier): string {
  const { identity, status, data } = wordsOf(carrier);
  return `${carrier.name}, ${identity}: ${status}, ${data}`;
}

function wordsOf(carrier: Carrier) {
  const { dot, checks, snapshot: { data_date, notice } } = carrier;
  const { state, summary } = checks.find(({ id }) => id === "usdot_status")!;
  const place = placeOf(carrier);
  const day = formatForPeople(data_date);
  const isSample = notice !== undefined;
  return {
    identity: place === "" ? `USDOT ${dot}` : `USDOT ${dot} · ${place}`,
    status: summary,
    state,
    data: isSample ? `Sample data of ${day}` : `FMCSA data of ${day}`,
    note: isSample
      ? "A sample, not FMCSA's current files. Not an approval."
      : "Not an approval. Confirm authority and insurance on SAFER.",
  };
}

function nameLines(name: string): { size: number; lines: string[] } {
  const style = "bold";
  const [size, most] =
    NAME_SIZES.find(([size, most]) =>
      linesOf(name, { size, most: Infinity, style }).length <= most
    ) ?? NAME_SIZES.at(-1)!;
  return { size, lines: linesOf(name, { size, most, style }) };
}

interface Block {
  size: number;
  /** Lines at most: the last is cut with an ellipsis. */
  most: number;
  style: "regular" | "bold";
}

/** Text broken at blanks into lines of the picture's width; a longer word is broken where it must be. */
function linesOf(text: string, { size, most, style }: Block): string[] {
  const lines: string[] = [];
  let rest = Array.from(inert(text).normalize("NFC"));
  while (lines.length < most) {
    const fitting = countWithin(rest, WIDTH / size, style);
    if (fitting === rest.length) return [...lines, rest.join("")];
    if (lines.length === most - 1) break;
    const blank = rest.lastIndexOf(" ", fitting);
    const end = blank > 0 ? blank : fitting;
    lines.push(rest.slice(0, end).join(""));
    rest = rest.slice(blank > 0 ? end + 1 : end);
  }
  const kept = countWithin(rest, WIDTH / size - widthOf("…", style), style);
  return [...lines, `${rest.slice(0, kept).join("").trimEnd()}…`];
}
