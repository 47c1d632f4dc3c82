/**
 * Error pages.
 *
 * @module
 */

import type { ErrorCode, ServiceError } from "../../api/operations/errors.ts";
import type { Page } from "../components/layout.tsx";
import { SearchBox } from "../components/search.tsx";
import ERRORS from "../content/errors.json" with { type: "json" };
import PAGES from "../content/pages.json" with { type: "json" };

/** Headings for error codes, and readable messages that replace those of a parser. */
const WORDS: Partial<Record<ErrorCode, { heading: string; lede?: string }>> = ERRORS;

export function errorPage(error: ServiceError, { path }: { path: string }): Page {
  const { heading = "Something is wrong with the request", lede } = WORDS[error.code] ?? {};
  return {
    title: heading,
    heading,
    lede: lede ?? `${error.message}.`,
    status: error.status,
    unlisted: true,
    query: error.status >= 500 ? "" : null,
    retryAfter: error.retryAfter,
    snapshotId: error.snapshotId,
    body: error.status < 500 ? <SearchBox query={typedWords(error, path)} /> : (
      <p>
        Nothing you did caused this. <a href={path}>Try again</a> in a little while.
      </p>
    ),
  };
}

/** Returns what to search for if a path is unknown: `/acme-trucking` may be a name. */
function typedWords({ code }: ServiceError, path: string): string {
  const [, words] = /^\/([\w-]{2,60})\/?$/.exec(path) ?? [];
  return code === "not_found" && words !== undefined ? words.replaceAll(/[-_]+/g, " ").trim() : "";
}

/** The page for a form that another site sent. */
export const FORGED_PAGE: Page = { ...PAGES.forged, status: 403, unlisted: true, body: "" };
