/**
 * Error pages.
 *
 * @module
 */

import type { ErrorCode, ServiceError } from "../../api/operations/errors.ts";
import type { Page } from "../components/layout.tsx";
import { SearchBox } from "../components/search.tsx";

/** Headings by code, where there is more to say than "Something is wrong with the request". */
const HEADINGS: Partial<Record<ErrorCode, string>> = {
  invalid_dot_number: "That is not a USDOT number",
  invalid_mc_number: "That is not an MC number",
  invalid_query: "We can't search for that",
  not_found: "Not found",
  job_not_found: "This list has expired",
  rate_limited: "Too many requests from your address",
  upstream_unavailable: "The carrier data can't be read right now",
  internal_error: "Something went wrong on our side",
};

/** Messages for programs say where a parser stopped; people need to know what to enter. */
const IN_WORDS: Partial<Record<ErrorCode, string>> = {
  invalid_dot_number: "A USDOT number has 1 to 8 digits, such as 286764",
  invalid_mc_number: "An MC number has 1 to 8 digits, such as MC 186800",
};

export function errorPage(error: ServiceError, { path }: { path: string }): Page {
  const title = HEADINGS[error.code] ?? "Something is wrong with the request";
  return {
    title,
    heading: title,
    lede: `${IN_WORDS[error.code] ?? error.message}.`,
    status: error.status,
    unlisted: true,
    query: error.status >= 500 ? "" : null,
    retryAfter: error.retryAfter,
    snapshotId: error.snapshotId,
    body: error.status < 500 ? <SearchBox query="" /> : (
      <p>
        Nothing you did caused this. <a href={path}>Try again</a> in a little while.
      </p>
    ),
  };
}

/** The page of a form that another site sent. */
export const FORGED_PAGE: Page = {
  title: "This form did not come from our page",
  heading: "This form did not come from our page",
  lede: "Nothing was done. Open the page here and send the form again; if you came from it, your " +
    "browser hides where forms come from.",
  status: 403,
  unlisted: true,
  body: "",
};
