/**
 * The files that pages load, each under a name that changes with its content.
 *
 * @module
 */

import { createHash } from "node:crypto";
import BULK from "./bulk.js" with { type: "text" };
import COPY from "./copy.js" with { type: "text" };
import ICON from "./icon.svg" with { type: "text" };
import RECORD from "./record.js" with { type: "text" };
import SORT from "./sort.js" with { type: "text" };
import STYLE_TEXT from "./style.css" with { type: "text" };
import SUGGEST from "./suggest.js" with { type: "text" };
import WEBMCP from "./webmcp.js" with { type: "text" };
import { withTools } from "./webmcp_tools.ts";

/** The style sheet, inlined in every page so that it renders after one response. */
export const STYLE: string = STYLE_TEXT.replaceAll(/\n\s*/g, "");

const JAVASCRIPT = "text/javascript; charset=utf-8";

interface Asset {
  path: string;
  type: string;
  text: string;
}

const ASSETS: Readonly<Record<string, Asset>> = {
  "copy.js": asset("copy.js", { text: COPY }),
  "icon.svg": asset("icon.svg", { type: "image/svg+xml", text: ICON }),
  "record.js": asset("record.js", { text: RECORD }),
  "suggest.js": asset("suggest.js", { text: SUGGEST }),
  "webmcp.js": asset("webmcp.js", { text: withTools(WEBMCP) }),
  "bulk.js": asset("bulk.js", { text: BULK }),
  "sort.js": asset("sort.js", { text: SORT }),
};

/** The path of a file by its name in `assets/`. */
export function assetPath(name: string): string {
  const found = ASSETS[name];
  if (found === undefined) throw new Error(`Cannot find the asset ${name}`);
  return found.path;
}

export function assetAt(path: string): Asset | undefined {
  return Object.values(ASSETS).find((asset) => asset.path === path);
}

function asset(name: string, { type = JAVASCRIPT, text }: { type?: string; text: string }): Asset {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 10);
  return { path: `/assets/${name.replace(/\.(\w+)$/, `.${hash}.$1`)}`, type, text };
}
