/**
 * Atom feeds (RFC 4287) as text.
 *
 * @module
 */

import { inert } from "../../pipeline/text.ts";

export interface AtomFeed {
  id: string;
  title: string;
  subtitle: string;
  author: string;
  /** `YYYY-MM-DD`. */
  updated: string;
  /** URL of the feed itself. */
  self: string;
  /** URL of the page that the feed belongs to, if there is one. */
  page?: string;
  entries: readonly AtomEntry[];
}

export interface AtomEntry {
  /** Never changes: feed readers use it to know what is new. */
  id: string;
  title: string;
  summary: string;
  /** `YYYY-MM-DD`. */
  updated: string;
  page: string;
}

export function atomText({ id, title, subtitle, author, updated, self, page, entries }: AtomFeed) {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    element("id", id),
    element("title", title),
    element("subtitle", subtitle),
    `<author>${element("name", author)}</author>`,
    moment(updated),
    `<link rel="self" type="application/atom+xml" href="${escaped(self)}"/>`,
    ...page === undefined ? [] : [linkTo(page)],
    ...entries.map((entry) =>
      [
        "<entry>",
        element("id", entry.id),
        element("title", entry.title),
        moment(entry.updated),
        linkTo(entry.page),
        element("summary", entry.summary),
        "</entry>",
      ].join("\n")
    ),
    "</feed>\n",
  ].join("\n");
}

/** A data date has no time of day. */
function moment(day: string): string {
  return element("updated", `${day}T00:00:00Z`);
}

function linkTo(page: string): string {
  return `<link rel="alternate" type="text/html" href="${escaped(page)}"/>`;
}

function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Maximum length of a text, in characters. */
const LONGEST = 2_000;

/** Escapes a text for XML, and removes characters that XML does not allow. */
function escaped(text: string): string {
  return inert(text, LONGEST).replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}
