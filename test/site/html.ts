/**
 * Problems in a page's HTML that axe does not report in a browser.
 *
 * @module
 */

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { HtmlValidate } from "html-validate";
import { parse } from "./document.ts";

/** The rules of the HTML standard. */
const VALIDATOR = new HtmlValidate({ extends: ["html-validate:standard"] });

/** Problems, one per line. */
export function problemsOf(html: string): string[] {
  const document = parse(html);
  const problems = VALIDATOR.validateStringSync(html).results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, offset }) =>
      `${ruleId}: ${message} at ${html.slice(Math.max(0, offset - 60), offset + 60)}`
    )
  );
  for (const [leak] of html.matchAll(/.{0,60}(?:\bundefined\b|\bNaN\b|\[object ).{0,20}/g)) {
    problems.push(`a value that leaked: ${leak}`);
  }
  if (!html.startsWith("<!DOCTYPE html>")) problems.push("no document type");
  for (const name of ["head title", "main", "header", "footer", "h1", "meta[name=description]"]) {
    const count = document.querySelectorAll(name).length;
    if (count !== 1) problems.push(`${count} of ${name}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  const known = new Set(ids);
  for (const name of ["for", "aria-labelledby", "aria-describedby", "aria-controls", "list"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      for (const id of element.getAttribute(name)!.split(" ")) {
        if (!known.has(id)) problems.push(`${name} names ${id}, which does not exist`);
      }
    }
  }
  // Forbidden by the content security policy.
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
