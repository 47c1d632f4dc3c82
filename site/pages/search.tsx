/**
 * `/search`: numbers lead to their carrier, everything else to a list; `/suggest`: completions for the search box.
 *
 * @module
 */

import type { z } from "zod";
import { errorResponse, toServiceError } from "../../api/http/exchange.ts";
import { readParameters } from "../../api/http/input.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { lookupMc } from "../../api/operations/lookup.ts";
import {
  DEFAULT_RESULTS,
  MAX_RESULTS,
  searchCarriers,
  type SearchResults,
} from "../../api/operations/search.ts";
import { PAGE_COSTS } from "../../api/state/rate_limit.ts";
import { numberIntents } from "../../pipeline/search/query/query.ts";
import { plural, quoted } from "../../pipeline/text.ts";
import type { Page } from "../components/layout.tsx";
import { NoResults, Results, SearchBox } from "../components/search.tsx";
import { DataAge, inertJson } from "../components/blocks.tsx";
import PAGES from "../content/pages.json" with { type: "json" };
import { docketPage } from "./docket.tsx";
import { lookUp, type PageRoute, redirect, type Visit } from "./route.ts";

export const searchRoute: PageRoute = {
  path: "/search",
  cost: PAGE_COSTS.search,
  async answer(visit) {
    const query = visit.url.searchParams.get("q");
    if (query === null) return formPage({ query: "" });
    const [first, second] = numberIntents(query);
    if (first === undefined) return await results(visit, query);
    const { prefix, number } = first;
    if (prefix === "USDOT") {
      // Digits alone may be either number: the page asks whether the other one was meant.
      const isBoth = second !== undefined && await isOther(visit, number, second.number);
      return redirect(`/carriers/${number}${isBoth ? `?mc=${second.number}` : ""}`);
    }
    return await docketPage(visit, { prefix, number });
  },
};

/** Whether an MC number is listed by another carrier than the one with the USDOT number. */
async function isOther(visit: Visit, dot: number, mc: number): Promise<boolean> {
  try {
    const { answer } = await lookUp(visit, lookupMc, { mc: String(mc) });
    return answer.dot !== String(dot);
  } catch (error) {
    // The page redirected to reports an outage.
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

async function results(visit: Visit, query: string): Promise<Page> {
  try {
    const input = readParameters(searchCarriers, { url: visit.request.url, path: {} });
    const { answer } = await lookUp(visit, searchCarriers, input);
    return resultsPage(answer, { asked: Number(input.limit ?? DEFAULT_RESULTS) });
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "invalid_query")) throw error;
    return { ...formPage({ query, error: `${error.message}.` }), status: error.status };
  }
}

function formPage({ query, error }: { query: string; error?: string }): Page {
  return {
    ...PAGES.search,
    unlisted: true,
    query: null,
    shared: error === undefined,
    body: <SearchBox query={query} error={error} focus />,
  };
}

function resultsPage(
  { query, count, results, unmatched, snapshot }: z.infer<typeof SearchResults>,
  { asked }: { asked: number },
): Page {
  const at = `/search?q=${encodeURIComponent(query)}`;
  return {
    title: `Search: ${query}`,
    description: `Carriers found for ${query}.`,
    unlisted: true,
    shared: true,
    snapshotId: snapshot.id,
    query,
    heading: headline(count, asked),
    body: count === 0 ? <NoResults query={query} snapshot={snapshot} /> : (
      <>
        <p>
          For{" "}
          <q>
            <bdi>{query}</bdi>
          </q>, best match first.
        </p>
        {unmatched.length > 0 && (
          <p class="notice warn">
            No carrier found has{" "}
            <bdi>{unmatched.map((word) => quoted(word)).join(", ")}</bdi>: these match the rest.
          </p>
        )}
        <DataAge snapshot={snapshot} />
        <Results results={results} />
        {count === asked && asked < MAX_RESULTS && (
          <More href={`${at}&limit=${MAX_RESULTS}`} words={`Show up to ${MAX_RESULTS}`} />
        )}
        {count > DEFAULT_RESULTS && <More href={at} words={`Show ${DEFAULT_RESULTS}`} />}
        {count === MAX_RESULTS && (
          <p class="soft">There may be more. Add a city or a state to narrow it down.</p>
        )}
      </>
    ),
  };
}

function More({ href, words }: { href: string; words: string }) {
  return (
    <p class="actions">
      <a class="button quiet" href={href}>{words}</a>
    </p>
  );
}

function headline(count: number, asked: number): string {
  if (count === 0) return "No carrier found";
  return count === asked
    ? `The first ${count} carriers found`
    : `${plural(count, "carrier")} found`;
}

const MOST_SUGGESTIONS = 8;

const NAME_LENGTH = 80;

/** The suggestions as JSON; errors as the API formats them. */
export const suggestRoute: PageRoute = {
  path: "/suggest",
  cost: PAGE_COSTS.search,
  async answer(visit) {
    const { request, requestId, site: { log } } = visit;
    try {
      const { q } = readParameters(searchCarriers, { url: request.url, path: {} });
      const { answer, snapshotId } = await lookUp(visit, searchCarriers, {
        q,
        limit: MOST_SUGGESTIONS,
      });
      // A DBA name may be what fits.
      const results = answer.results.map(({ dot, name, dba_name, city, state, active }) => (
        { dot, name, dba_name, city, state, active }
      ));
      return new Response(inertJson({ results }, NAME_LENGTH), {
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "Cache-Control": "public, max-age=60",
          "CDN-Cache-Control": "public, max-age=300",
          "Snapshot-Id": snapshotId!,
          "Deno-Cache-Tag": snapshotId!,
        },
      });
    } catch (error) {
      return errorResponse(toServiceError(error, { requestId, log }), { requestId });
    }
  },
};
