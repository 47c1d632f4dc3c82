/**
 * The files that pages load, each under a name that changes with its content.
 *
 * @module
 */

import { createHash } from "node:crypto";
import BULK from "./bulk.js" with { type: "text" };
import COPY from "./copy.js" with { type: "text" };
import ICON_TEXT from "./icon.svg" with { type: "text" };
import RECENT from "./recent.js" with { type: "text" };
import RECORD from "./record.js" with { type: "text" };
import SORT from "./sort.js" with { type: "text" };
import BASE_STYLE from "./style/base.css" with { type: "text" };
import CARRIER_STYLE from "./style/carrier.css" with { type: "text" };
import PAGES_STYLE from "./style/pages.css" with { type: "text" };
import PARTS_STYLE from "./style/parts.css" with { type: "text" };
import PRINT_STYLE from "./style/print.css" with { type: "text" };
import SUGGEST from "./suggest.js" with { type: "text" };
import WEBMCP from "./webmcp.js" with { type: "text" };
import { withTools } from "./webmcp_tools.ts";

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

interface Asset {
  path: string;
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
}

/** The mark, as SVG. */
export const ICON: string = withoutBreaks(ICON_TEXT);

const ASSETS: Readonly<Record<string, Asset>> = Object.fromEntries(
  Object.entries({
    "bulk.js": BULK,
    "copy.js": COPY,
    "icon.svg": ICON,
    "inter.woff2": read("inter.woff2"),
    "preview.png": read("preview.png"),
    "recent.js": RECENT,
    "record.js": RECORD,
    "sort.js": SORT,
    "suggest.js": SUGGEST,
    "touch_icon.png": read("touch_icon.png"),
    "webmcp.js": withTools(WEBMCP),
  }).map(([name, body]) => [name, asset(name, body)]),
);

/** The style sheets, of which each page has one inline so that it renders after one response. */
export const STYLES = { carrier: styleOf(CARRIER_STYLE), other: styleOf(PAGES_STYLE) } as const;

function styleOf(own: string): string {
  const text = withoutBreaks(BASE_STYLE + PARTS_STYLE + own + PRINT_STYLE);
  return text.replaceAll(/([{;][\w-]+): /g, "$1:").replaceAll(/ (?=\{)|(?<=,) |;(?=\})/g, "")
    .replace("FONT", assetPath("inter.woff2"));
}

/** The path of a file by its name in `assets/`. */
export function assetPath(name: string): string {
  const found = ASSETS[name];
  if (found === undefined) throw new Error(`Cannot find the asset ${name}`);
  return found.path;
}

export function assetAt(path: string): Asset | undefined {
  return Object.values(ASSETS).find((asset) => asset.path === path);
}

function asset(name: string, body: Asset["body"]): Asset {
  const sent = typeof body === "string" ? withoutComments(body) : body;
  const hash = createHash("sha256").update(sent).digest("hex").slice(0, 10);
  const [stem, extension = ""] = name.split(".");
  return { path: `/assets/${stem}.${hash}.${extension}`, type: TYPES[extension]!, body: sent };
}

function read(name: string): Uint8Array<ArrayBuffer> {
  return Deno.readFileSync(new URL(name, import.meta.url));
}

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*\/\*\*[^]*?\*\/\n|^\s*\/\/.*\n/gm, "").replaceAll(/^\s+/gm, "");
}

function withoutBreaks(text: string): string {
  return text.replaceAll(/\/\*.*?\*\/|\n\s*/gs, "");
}
