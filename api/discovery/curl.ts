/**
 * Calls to copy, as a POSIX shell takes them.
 *
 * @module
 */

import { BODY_EXAMPLES, REQUEST_EXAMPLES } from "./examples.ts";

export interface Call {
  /** Whole, with its query. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST. */
  body?: unknown;
}

/** The call as a command. */
export function curl({ url, headers = {}, body }: Call): string {
  const all = body === undefined ? headers : { "Content-Type": "application/json", ...headers };
  return [
    `curl ${body === undefined ? "" : "-X POST "}${quoted(url)}`,
    ...Object.entries(all).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
}

interface Route {
  id: string;
  path: string;
}

/** The call whose response the documentation shows. */
export function exampleCall({ id, path }: Route, baseUrl: string): Call {
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value] of Object.entries(REQUEST_EXAMPLES[id] ?? {})) {
    if (filled.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, value);
    else query.set(name, value);
  }
  const url = baseUrl + filled + (query.size === 0 ? "" : `?${query}`);
  const body = BODY_EXAMPLES[id];
  return body === undefined ? { url } : { url, body };
}

function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
