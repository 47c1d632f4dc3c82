/**
 * Pages that tell what went wrong, and the way on.
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
  invalid_query: "That cannot be searched for",
  not_found: "Not found",
  job_not_found: "This list is not here any more",
  rate_limited: "Too many requests from your address",
  upstream_unavailable: "The carrier data cannot be read at the moment",
  internal_error: "Something went wrong on our side",
};

/** The page of an error. */
export function errorPage(error: ServiceError, { path }: { path: string }): Page {
  const title = HEADINGS[error.code] ?? "Something is wrong with the request";
  const { retryAfter } = error;
  return {
    title,
    description: title,
    status: error.status,
    unlisted: true,
    headers: retryAfter === undefined ? [] : [["Retry-After", String(retryAfter)]],
    snapshotId: error.snapshotId,
    body: (
      <>
        <h1>{title}</h1>
        <p class="lede">{error.message}.</p>
        {error.status >= 500
          ? (
            <p>
              Nothing you did caused this. <a href={path}>Try again</a> in a little while.
            </p>
          )
          : <SearchBox query="" />}
      </>
    ),
  };
}

/** The page of a form that another site sent. */
export function forgedPage(): Page {
  return {
    title: "This form did not come from our page",
    description: "This form did not come from our page",
    status: 403,
    unlisted: true,
    body: (
      <>
        <h1>This form did not come from our page</h1>
        <p class="lede">
          Nothing was done. Open the page here and send the form again; if you came from it, your
          browser hides where forms come from.
        </p>
      </>
    ),
  };
}
