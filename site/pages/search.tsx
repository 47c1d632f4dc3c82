/**
 * `/search`: redirects a number to its carrier, and lists results for other text; `/suggest`:
 * completions for the search box.
 *
 * @module
 */

import type { z } from "zod";
import { errorResponse, toServiceError } from "../../api/http/exchange.ts";
import { readParameters } from "../../api/http/parameters.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { lookupMc } from "../../api/operations/lookup.ts";
import { searchCarriers } from "../../api/operations/search.ts";
import { PAGE_COSTS } from "../../api/state/rate_limit.ts";
import {
  isPhoneNumber,
  MIN_QUERY_LENGTH,
  numberIntents,
  STATE_NAMES,
} from "../../pipeline/search/query/query.ts";
import { listed, quoted } from "../../pipeline/text.ts";
import { Results } from "../components/found.tsx";
import type { Page } from "../components/layout.tsx";
import { NoResults, SearchBox } from "../components/search.tsx";
import { DataAge, FiledText, inertJson } from "../components/blocks.tsx";
import PAGES from "../content/pages.json" with { type: "json" };
import { docketPage } from "./docket.tsx";
import { Examples, type ExampleSearches, exampleSearches } from "./examples.tsx";
import { currentSnapshot, lookUp, type PageRoute, redirect, type Visit } from "./route.ts";
import { chosenSearch, PAGE_RESULTS, searchPath, SORT_ORDERS, STATUSES } from "./search_choices.ts";

export const searchRoute: PageRoute = {
  path: "/search",
  cost: PAGE_COSTS.search,
  async answer(visit) {
    const query = visit.url.searchParams.get("q");
    if (query === null) {
      const current = await currentSnapshot(visit.site.reader);
      const examples = await exampleSearches(current);
      return formPage({ query: "", examples, snapshotId: current?.id });
    }
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

/** Whether an MC number belongs to a carrier other than the one with the USDOT number. */
async function isOther(visit: Visit, dot: number, mc: number): Promise<boolean> {
  try {
    const { answer } = await lookUp(visit, lookupMc, { mc: String(mc) });
    return answer.dot !== String(dot);
  } catch (error) {
    // The page that the visitor is redirected to reports an outage.
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

async function results(visit: Visit, query: string): Promise<Page> {
  try {
    const input = readParameters(chosenSearch, { url: visit.request.url, path: {} });
    const { answer } = await lookUp(visit, chosenSearch, input);
    return resultsPage(answer);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "invalid_query")) throw error;
    return { ...problemPage(query, error.message), status: error.status };
  }
}

interface SearchFormProps {
  query: string;
  error?: string;
  examples?: ExampleSearches;
  snapshotId?: string | undefined;
}

function formPage({ query, error, examples = [], snapshotId }: SearchFormProps): Page {
  return {
    ...PAGES.search,
    snapshotId,
    unlisted: true,
    query: null,
    shared: snapshotId !== undefined,
    body: (
      <>
        <SearchBox query={query} error={error} focus />
        <Examples examples={examples} />
      </>
    ),
  };
}

function problemPage(query: string, message: string): Page {
  if (query.trim().length < MIN_QUERY_LENGTH) {
    const error = `Enter a USDOT or MC number, or at least ${MIN_QUERY_LENGTH} letters of a name.`;
    return formPage({ query, error });
  }
  const page = formPage({ query, error: `${message}.` });
  if (!isPhoneNumber(query)) return page;
  const heading = "That looks like a phone number";
  return {
    ...page,
    heading,
    title: heading,
    body: (
      <>
        {page.body}
        <p>
          A carrier's page has the phone number it filed with FMCSA: find the carrier by name, then
          compare the numbers.
        </p>
      </>
    ),
  };
}

type Found = z.output<typeof chosenSearch.output>;

function resultsPage(found: Found): Page {
  const { query, choices, results, whole, before, hasMore, unmatched, snapshot } = found;
  const isFiltered = choices.state !== "" || choices.status !== "";
  const isEmpty = results.length === 0;
  return {
    title: `Search: ${query}`,
    style: "lists",
    scripts: ["rows.js"],
    description: `Carriers found for ${query}.`,
    unlisted: true,
    shared: true,
    snapshotId: snapshot.id,
    query,
    heading: (
      <>
        {headline(found, isFiltered)} “<FiledText text={query} />”
      </>
    ),
    body: isEmpty && !isFiltered ? <NoResults snapshot={snapshot} /> : (
      <>
        {unmatched.length > 0 && !isEmpty && (
          <p class="notice warn">
            Only some of the words match: the first carrier listed has no{" "}
            <bdi>{listed(unmatched.map((word) => quoted(word)), "or")}</bdi>{" "}
            in its names or location.
          </p>
        )}
        <Choices found={found} />
        {isEmpty
          ? (
            <p>
              <a href={searchPath(query, {})}>Show all matches</a>
            </p>
          )
          : <Results results={results} whole={whole} query={`${query} ${choices.state}`} />}
        <nav class="actions" aria-label="More matches">
          {before > 0 && (
            <More
              href={searchPath(query, { ...choices, page: choices.page - 1 })}
              words={`Previous ${PAGE_RESULTS}`}
            />
          )}
          {hasMore && (
            <More
              href={searchPath(query, { ...choices, page: choices.page + 1 })}
              words={`${PAGE_RESULTS} more`}
            />
          )}
          <span class="soft">
            Not there? Search by USDOT or MC number, or add the city.
          </span>
        </nav>
        <DataAge snapshot={snapshot} />
      </>
    ),
  };
}

function More({ href, words }: { href: string; words: string }) {
  return <a class="button quiet" href={href}>{words}</a>;
}

/** The number of results and the words that were searched for. */
function headline(
  { results, whole, before, hasMore, unmatched }: Found,
  isFiltered: boolean,
): string {
  const { length } = results;
  if (length === 0) return isFiltered ? "No matches with these filters for" : "No carrier matches";
  if (before > 0) return `Matches ${before + 1} to ${before + length} for`;
  if (unmatched.length > 0) return "No carrier matches all of";
  if (whole === 1) return "1 match for";
  return `${hasMore && whole === length ? "Top " : ""}${whole} matches for`;
}

/** The form to choose state, status and order. */
function Choices({ found: { query, choices, results } }: { found: Found }) {
  const codes = new Set([...STATE_NAMES.keys()].map((code) => code.toUpperCase()));
  for (const { state } of results) if (/^[A-Z]{2}$/.test(state)) codes.add(state);
  if (choices.state !== "") codes.add(choices.state);
  return (
    <form action="/search" class="row choose">
      <input type="hidden" name="q" value={query} />
      <Choice
        name="state"
        label="State"
        options={[["", "All states"], ...[...codes].sort().map((code) => [code, code] as const)]}
        chosen={choices.state}
      />
      <Choice
        name="status"
        label="Status"
        options={Object.entries(STATUSES)}
        chosen={choices.status}
      />
      <Choice
        name="sort"
        label="Order"
        options={Object.entries(SORT_ORDERS)}
        chosen={choices.sort}
      />
      <button type="submit" class="quiet">Apply</button>
    </form>
  );
}

function Choice({ name, label, options, chosen }: {
  name: string;
  label: string;
  options: readonly (readonly [value: string, text: string])[];
  chosen: string;
}) {
  return (
    <select name={name} aria-label={label}>
      {options.map(([value, text]) => (
        <option value={value} selected={value === chosen}>{text}</option>
      ))}
    </select>
  );
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
      // The DBA name may be the one that matches.
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
