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
import { Canvas, countWithin, EM, isDrawable, widthOf } from "../../components/canvas.ts";
import { lookUp, type PageRoute } from "../route.ts";

export const cardRoute: PageRoute = {
  path: "/carriers/{dot}/card.png",
  cost: PAGE_COSTS.picture,
  async answer(visit) {
    const { dot } = visit.params;
    const { answer, snapshotId } = await lookUp(visit, lookupCarrier, { dot });
    return await visit.pageCache.get(`card ${answer.dot} ${snapshotId}`, () => {
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
export function cardOf(carrier: Carrier): Uint8Array<ArrayBuffer> {
  const { dot, name } = carrier;
  const { width, height } = PREVIEW;
  const canvas = new Canvas(width, height, PAPER);
  const mark = { x: LEFT, y: 64, size: 76 };
  canvas.draw(["square"], mark, { style: "mark", color: ACCENT });
  canvas.draw(["lines"], mark, { style: "mark", color: 0x9fd0db, on: ACCENT });
  canvas.draw(["check"], mark, { style: "mark", color: 0xffffff, on: ACCENT });
  const bold = { style: "bold", color: INK } as const;
  canvas.draw(SERVICE_TITLE, { x: LEFT + 100, y: 115, size: 38 }, bold);

  const { size, lines } = nameLines(isDrawable(name) ? name : `USDOT ${dot}`);
  lines.forEach((line, i) => {
    const y = NAME_Y + size * (.36 + 1.14 * (i - (lines.length - 1) / 2));
    canvas.draw(line, { x: LEFT, y, size }, bold);
  });

  const { identity, status, state, data, note } = wordsOf(carrier);
  const [first] = linesOf(identity, { size: 40, most: 1, style: "regular" });
  canvas.draw(first!, { x: LEFT, y: 444, size: 40 }, { style: "regular", color: INK });
  canvas.draw(status, { x: LEFT, y: 502, size: 40 }, { ...bold, color: STATUS_COLORS[state] });
  const after = LEFT + 40 * widthOf(status, "bold");
  canvas.draw(` · ${data}`, { x: after, y: 502, size: 40 }, { style: "regular", color: SOFT });
  canvas.draw(note, { x: LEFT, y: 556, size: 30 }, { style: "regular", color: SOFT });
  canvas.fill(
    [{ path: `m0 0 ${width} 0 0 26-${width} 0`, x: 0, y: height - 26, size: EM }],
    ACCENT,
  );
  return canvas.png();
}

/** The picture in words. */
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

/** A name in the largest size that has room for all of it. */
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
