/**
 * What is wrong with the HTML of a page, as far as it can be told without a browser.
 *
 * @module
 */

import { type Element, parse } from "./document.ts";

/** Problems, a line each. */
export function problemsOf(html: string): string[] {
  const document = parse(html);
  const all = (selector: string): Element[] => [...document.querySelectorAll(selector)];
  const ids = all("[id]").map(({ id }) => id);
  const known = new Set(ids);
  const problems = [...nesting(html), ...outline(all("h1, h2, h3, h4, h5, h6"))];
  const report = (what: string, elements: Element[]): void => {
    for (const { localName, id, textContent } of elements) {
      problems.push(`${what}: ${localName} ${id} ${textContent.trim().slice(0, 60)}`);
    }
  };
  for (const [leak] of html.matchAll(/.{0,60}(?:\bundefined\b|\bNaN\b|\[object ).{0,20}/g)) {
    problems.push(`a value that leaked: ${leak}`);
  }
  if (!html.startsWith("<!DOCTYPE html>")) problems.push("no document type");
  if (document.querySelector("html")?.getAttribute("lang") !== "en") problems.push("no language");
  for (const name of ["title", "main", "header", "footer", "meta[name=description]"]) {
    if (all(name).length !== 1) problems.push(`${all(name).length} of ${name}`);
  }
  if (all("title")[0]?.textContent.trim() === "") problems.push("an empty title");
  for (const id of known) if (ids.filter((one) => one === id).length > 1) problems.push(`id ${id}`);
  const names = all("nav, [role=region], section[aria-label]").map((one) =>
    one.getAttribute("aria-label")
  );
  for (const name of new Set(names)) {
    if (name !== null && names.filter((one) => one === name).length > 1) {
      problems.push(`two regions are named ${name}`);
    }
  }
  report("no name", all("a, button, summary").filter((one) => nameOf(one) === ""));
  report("no target", all("a").filter((one) => (one.getAttribute("href") ?? "") === ""));
  report("no label", all("input, select, textarea").filter((one) => !isLabelled(one, document)));
  report("no caption", all("table").filter((one) => one.querySelector("caption") === null));
  report("no scope", all("th").filter((one) => !one.hasAttribute("scope")));
  report("an empty heading of a table", all("th").filter((one) => nameOf(one) === ""));
  report("no alt", all("img").filter((one) => !one.hasAttribute("alt")));
  for (const name of ["for", "aria-labelledby", "aria-describedby", "aria-controls", "list"]) {
    for (const element of all(`[${name}]`)) {
      for (const id of element.getAttribute(name)!.split(" ")) {
        if (!known.has(id)) problems.push(`${name} names ${id}, which is not there`);
      }
    }
  }
  for (const element of all("*")) {
    for (const name of element.getAttributeNames()) {
      if (name === "style" || name.startsWith("on")) problems.push(`attribute ${name}`);
    }
  }
  for (const script of all("script")) {
    if (script.hasAttribute("src") || script.getAttribute("type") === "application/ld+json") {
      continue;
    }
    problems.push("an inline script");
  }
  return problems;
}

function nameOf(element: Element): string {
  return (element.getAttribute("aria-label") ?? element.textContent).trim();
}

function isLabelled(field: Element, document: Element): boolean {
  if (["hidden", "submit", "button"].includes(field.getAttribute("type") ?? "")) return true;
  if (field.hasAttribute("aria-label") || field.hasAttribute("aria-labelledby")) return true;
  if (field.closest("label") !== null) return true;
  const label = document.querySelector(`label[for="${field.id}"]`);
  return label !== null && nameOf(label) !== "";
}

/** One h1, and no step down that leaves one out. */
function outline(headings: Element[]): string[] {
  const levels = headings.map(({ localName }) => Number(localName.slice(1)));
  const problems = headings.filter(({ textContent }) => textContent.trim() === "")
    .map(() => "an empty heading");
  if (levels.filter((level) => level === 1).length !== 1) problems.push("not one h1");
  levels.forEach((level, i) => {
    if (level > (levels[i - 1] ?? 0) + 1) {
      problems.push(`h${level} after h${levels[i - 1] ?? 0}: ${headings[i]!.textContent}`);
    }
  });
  return problems;
}

const VOID = /^(?:area|br|col|hr|img|input|link|meta|source|wbr)$/;
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi;

/** Elements that end a paragraph without a word; a browser would build another page than was written. */
const BLOCKS =
  /^(?:address|article|aside|blockquote|details|div|dl|fieldset|figure|footer|form|h[1-6]|header|hr|main|nav|ol|p|pre|section|table|ul)$/;

/** Tags that are not closed in order, and blocks inside a paragraph. */
function nesting(html: string): string[] {
  const open: string[] = [];
  const problems: string[] = [];
  const inner = html.replaceAll(/(<(script|style)\b[^>]*>).*?(<\/\2>)/gs, "$1$3");
  for (const [tag, slash, name, rest] of inner.matchAll(TAG)) {
    if (slash === "/") {
      const last = open.pop();
      if (last !== name) problems.push(`${tag} where </${last}> should be`);
    } else if (!VOID.test(name!) && !rest!.endsWith("/")) {
      if (open.includes("p") && BLOCKS.test(name!)) problems.push(`${name} inside a paragraph`);
      if (name === "a" && open.includes("a")) problems.push("a link inside a link");
      open.push(name!);
    }
  }
  return open.length === 0 ? problems : [...problems, `never closed: ${open.join(" ")}`];
}
