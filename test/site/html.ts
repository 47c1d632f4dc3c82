/**
 * What is wrong with the HTML of a page, beside what axe finds in a browser.
 *
 * @module
 */

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { parse } from "./document.ts";

/** Problems, a line each. */
export function problemsOf(html: string): string[] {
  const document = parse(html);
  const problems = nesting(html);
  for (const [leak] of html.matchAll(/.{0,60}(?:\bundefined\b|\bNaN\b|\[object ).{0,20}/g)) {
    problems.push(`a value that leaked: ${leak}`);
  }
  for (const [tag] of html.matchAll(/<[a-z][^<>]*?="[^"]*"[^\s/>][^<>]*>/g)) {
    problems.push(`no blank after an attribute: ${tag}`);
  }
  if (!html.startsWith("<!DOCTYPE html>")) problems.push("no document type");
  for (const name of ["head title", "main", "header", "footer", "h1", "meta[name=description]"]) {
    const count = document.querySelectorAll(name).length;
    if (count !== 1) problems.push(`${count} of ${name}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  const known = new Set(ids);
  if (known.size < ids.length) problems.push(`an id twice among ${ids.join(" ")}`);
  for (const name of ["for", "aria-labelledby", "aria-describedby", "aria-controls", "list"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      for (const id of element.getAttribute(name)!.split(" ")) {
        if (!known.has(id)) problems.push(`${name} names ${id}, which does not exist`);
      }
    }
  }
  // The content security policy forbids them.
  for (const element of document.querySelectorAll("*")) {
    for (const name of element.getAttributeNames()) {
      if (name === "style" || name.startsWith("on")) problems.push(`attribute ${name}`);
    }
  }
  for (const script of document.querySelectorAll("script:not([src])")) {
    if (script.getAttribute("type") !== "application/ld+json") problems.push("an inline script");
  }
  return problems;
}

/** Checks that a page is at most 60 KB, 15 KB compressed. */
export function checkSize(html: string, path: string): void {
  const bytes = new TextEncoder().encode(html);
  assert.ok(bytes.length <= 60_000, `${path}: ${bytes.length} bytes`);
  const { length } = gzipSync(bytes);
  assert.ok(length <= 15_000, `${path}: ${length} bytes compressed`);
}

const VOID = /^(?:area|br|col|hr|img|input|link|meta|source|wbr)$/;
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi;

/** Elements that implicitly end a paragraph. */
const BLOCKS =
  /^(?:address|article|aside|blockquote|details|div|dl|fieldset|figure|footer|form|h[1-6]|header|hr|main|nav|ol|p|pre|section|table|ul)$/;

/** Elements that end where their parent ends, and the start tags that end them. */
const ENDED_BY: Partial<Record<string, RegExp>> = {
  li: /^li$/,
  dt: /^d[dt]$/,
  dd: /^d[dt]$/,
  thead: /^tbody$/,
  tbody: /^tbody$/,
  tr: /^tr$/,
  th: /^t[hd]$/,
  td: /^t[hd]$/,
};

/** Tags that are not closed in order, and blocks inside a paragraph. */
function nesting(html: string): string[] {
  const open: string[] = [];
  const problems: string[] = [];
  const inner = html.replaceAll(/(<(script|style)\b[^>]*>).*?(<\/\2>)/gs, "$1$3");
  for (const [tag, slash, name, rest] of inner.matchAll(TAG)) {
    if (slash === "/") {
      while (open.at(-1) !== name && ENDED_BY[open.at(-1)!] !== undefined) open.pop();
      const last = open.pop();
      if (last !== name) problems.push(`${tag} where </${last}> should be`);
    } else if (!VOID.test(name!) && !rest!.endsWith("/")) {
      if (ENDED_BY[open.at(-1)!]?.test(name!)) open.pop();
      if (open.includes("p") && BLOCKS.test(name!)) problems.push(`${name} inside a paragraph`);
      if (name === "a" && open.includes("a")) problems.push("a link inside a link");
      open.push(name!);
    }
  }
  return open.length === 0 ? problems : [...problems, `never closed: ${open.join(" ")}`];
}
