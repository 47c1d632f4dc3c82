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
import { censusOf } from "../../api/rules/check.ts";
import { snapshotFacts } from "../../api/rules/carrier.ts";
import { PAGE_COSTS } from "../../api/state/rate_limit.ts";
import { numberIntents } from "../../pipeline/search/query/query.ts";
import { plural } from "../../pipeline/text.ts";
import type { Page } from "../components/layout.tsx";
import { NoResults, Results, SearchBox } from "../components/search.tsx";
import { DataAge, inertJson } from "../components/blocks.tsx";
import PAGES from "../content/pages.json" with { type: "json" };
import { currentSnapshot, lookUp, type PageRoute, redirect, type Visit } from "./route.ts";

export const searchRoute: PageRoute = {
  path: "/search",
  cost: PAGE_COSTS.search,
  async answer(visit) {
    const query = visit.url.searchParams.get("q");
    if (query === null) return formPage({ query: "" });
    const [first, second] = numberIntents(query);
    if (first?.prefix === "USDOT") {
      // Digits alone may be either number: the page asks whether the other one was meant.
      const isBoth = second !== undefined && await isOther(visit, first.number, second.number);
      return redirect(`/carriers/${first.number}${isBoth ? `?mc=${second.number}` : ""}`);
    }
    return first?.prefix === "MC"
      ? await mcPage(visit, { query, mc: first.number })
      : await results(visit, query);
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

async function mcPage(
  visit: Visit,
  { query, mc }: { query: string; mc: number },
): Promise<Page | Response> {
  try {
    const { dot, other_dots: others } = (await lookUp(visit, lookupMc, { mc: String(mc) })).answer;
    if (others.length === 0) return redirect(`/carriers/${dot}`);
    // Of several carriers with one docket none is chosen for the visitor.
    const limit = Math.min(1 + others.length, MAX_RESULTS);
    const { answer } = await lookUp(visit, searchCarriers, { q: query, limit });
    return resultsPage(answer, { asked: MAX_RESULTS, shared: { mc, count: 1 + others.length } });
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "not_found")) throw error;
    const current = await currentSnapshot(visit.site.reader);
    if (current === undefined) throw error;
    const snapshot = snapshotFacts(current, visit.today);
    const nothing = { query, count: 0, results: [], unmatched: [], snapshot };
    return resultsPage(nothing, { asked: DEFAULT_RESULTS });
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

/** A docket of several carriers. */
interface Shared {
  mc: number;
  count: number;
}

function resultsPage(
  { query, count, results, snapshot }: z.infer<typeof SearchResults>,
  { asked, shared }: { asked: number; shared?: Shared | undefined },
): Page {
  const at = `/search?q=${encodeURIComponent(query)}`;
  return {
    title: `Search: ${query}`,
    description: `Carriers found for ${query}.`,
    unlisted: true,
    shared: true,
    snapshotId: snapshot.id,
    query,
    heading: headline(count, { asked, shared }),
    body: count === 0 ? <NoResults query={query} snapshot={snapshot} /> : (
      <>
        <p>
          {shared === undefined
            ? (
              <>
                For{" "}
                <q>
                  <bdi>{query}</bdi>
                </q>, best match first.
              </>
            )
            : (
              <>
                More than one carrier lists this docket in{" "}
                {censusOf(snapshot)}: check which one you mean.{" "}
                {shared.count <= 4 && <a href={`/compare?dot=MC+${shared.mc}`}>Compare them</a>}
              </>
            )}
        </p>
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

function headline(
  count: number,
  { asked, shared }: { asked: number; shared?: Shared | undefined },
): string {
  if (count === 0) return "No carrier found";
  if (shared !== undefined) return `MC ${shared.mc} is shared by ${shared.count} carriers`;
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
