/**
 * The files that pages load, each under a name that changes with its content.
 *
 * @module
 */

import { sha256 } from "../../pipeline/sha256.ts";
import { withTools } from "./webmcp_tools.ts";

/** Types of the files that are served, by extension. */
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

export const ICON: string = withoutBreaks(read("icon.svg"));

const ASSETS = Array.from(Deno.readDirSync(new URL(".", import.meta.url)), ({ name }) => {
  const [, extension = ""] = name.split(".");
  const type = TYPES[extension];
  if (type === undefined) return [];
  const body = bodyOf(name);
  return [{ name, path: pathOf(name, body), type, body }];
}).flat();

function pathOf(name: string, body: ReturnType<typeof bodyOf>): string {
  const [stem, extension] = name.split(".");
  const hash = sha256(body).slice(0, 10);
  return `/assets/${stem}.${hash}.${extension}`;
}

/** The style sheets. Each page has one inline, so that it renders after a single response. */
export const STYLES = {
  carrier: styleOf("carrier"),
  record: styleOf("record"),
  lists: styleOf("pages", "lists"),
  guide: styleOf("pages", "guide"),
  other: styleOf("pages"),
} as const;

function styleOf(...own: string[]): string {
  const sheets = ["base", "parts", ...own, "print"].map((name) => read(`style/${name}.css`));
  return withoutBreaks(sheets.join(""))
    .replaceAll(/([{;][\w-]+): /g, "$1:").replaceAll(/ (?=[{>])|(?<=[,>]) |;(?=\})/g, "")
    .replace("FONT", assetPath("inter.woff2"));
}

export function assetPath(name: string): string {
  const found = ASSETS.find((asset) => asset.name === name);
  if (found === undefined) throw new Error(`Cannot find the asset ${name}`);
  return found.path;
}

export function assetAt(path: string): typeof ASSETS[number] | undefined {
  return ASSETS.find((asset) => asset.path === path);
}

function bodyOf(name: string): string | Uint8Array<ArrayBuffer> {
  if (name === "icon.svg") return ICON;
  if (!name.endsWith(".js")) return Deno.readFileSync(new URL(name, import.meta.url));
  const script = name === "webmcp.js" ? withTools(read(name)) : read(name);
  return script.replaceAll(/^\s*\/\*\*(?:(?!\*\/)[^])*\*\/\n|^\s*\/\/.*\n/gm, "").replaceAll(
    /^\s+/gm,
    "",
  )
    .replaceAll(
      /(?<= from |import\()"\.\/(.+\.js)"/g,
      (_, other) => `"${pathOf(other, bodyOf(other))}"`,
    );
}

function read(name: string): string {
  return Deno.readTextFileSync(new URL(name, import.meta.url));
}

function withoutBreaks(text: string): string {
  return text.replaceAll(/\/\*.*?\*\/|\n\s*/gs, "");
}
