/**
 * What a visitor may choose for the results of a search: state, status, order and page.
 *
 * @module
 */

import { z } from "zod";
import { lookupOperation } from "../../api/operations/operation.ts";
import { findHits, queryInput, searchCarriers } from "../../api/operations/search.ts";
import { snapshotFacts } from "../../api/rules/carrier.ts";
import { SnapshotFacts } from "../../api/rules/schemas.ts";
import { queryProblem } from "../../pipeline/search/query/query.ts";
import { contentWords, tokenize } from "../../pipeline/search/shared/tokenizer.ts";
import type { SearchHit } from "../../pipeline/search/query/search.ts";

/** Results per page. */
export const PAGE_RESULTS = 25;

/** Maximum number of results to read for filtering, sorting or the last page. */
const MOST_READ = 200;

export const STATUSES = {
  "": "Any status",
  active: "Active",
  inactive: "Inactive or pending",
};

export const SORT_ORDERS = {
  "": "Best match first",
  name: "By name",
  units: "Most power units first",
};

const choices = z.object({
  state: z.string().regex(/^(?:[A-Za-z]{2})?$/, { error: () => "Choose a state from the list" })
    .default("").transform((state) => state.toUpperCase()),
  status: keyOf(STATUSES, "Choose a status from the list"),
  sort: keyOf(SORT_ORDERS, "Choose an order from the list"),
  page: z.int({ error: explainPage }).min(1, { error: explainPage })
    .max(MOST_READ / PAGE_RESULTS, { error: explainPage }).default(1),
});

export type SearchChoices = z.output<typeof choices>;

function keyOf<K extends string>(options: Readonly<Record<K, string>>, message: string) {
  const keys = Object.keys(options) as K[];
  return z.enum(keys as [K, ...K[]], { error: () => message }).default("" as K);
}

function explainPage(): string {
  return `Cannot show this page: give a number from 1 to ${MOST_READ / PAGE_RESULTS}`;
}

const code = "invalid_query";

/** Searches as {@link searchCarriers} does, and returns the chosen page of the results. The API does not offer it. */
export const chosenSearch = lookupOperation({
  ...searchCarriers,
  id: "chosenSearch",
  input: choices.extend({ q: queryInput }),
  parameters: {
    q: { in: "query", code },
    state: { in: "query", code },
    status: { in: "query", code },
    sort: { in: "query", code },
    page: { in: "query", integer: true, code },
  },
  output: z.object({
    query: z.string(),
    choices,
    results: z.array(z.custom<SearchHit>()),
    /** How many of `results` have all words of the query. These come first. */
    whole: z.int(),
    /** Number of results on the pages before this one. */
    before: z.int(),
    hasMore: z.boolean(),
    /** Words of the query that the best result does not have in any spelling. */
    unmatched: z.array(z.string()),
    snapshot: SnapshotFacts,
  }),
  async run({ q, ...chosen }, { snapshot, today }) {
    const { state, status, sort, page } = chosen;
    const before = (page - 1) * PAGE_RESULTS;
    const isWhole = state !== "" || status !== "" || sort !== "";
    const limit = isWhole ? MOST_READ : Math.min(before + PAGE_RESULTS + 1, MOST_READ);
    const hits = await findHits(snapshot, narrowed(q, state), { limit });
    const words = contentWords(tokenize(q));
    const fitting = hits.filter((hit) =>
      // The query includes the state, so a carrier could match by its state alone.
      (state === "" ||
        hit.state === state && words.some((word) => !hit.unmatched.includes(word))) &&
      (status === "" || hit.active === (status === "active"))
    );
    const all = inOrder(fitting, sort);
    const results = all.slice(before, before + PAGE_RESULTS);
    return {
      query: q,
      choices: chosen,
      results,
      whole: results.filter((hit) => lackOf(hit, state).length === 0).length,
      before,
      hasMore: all.length > before + PAGE_RESULTS,
      unmatched: lackOf(fitting[0], state),
      snapshot: snapshotFacts(snapshot, { today }),
    };
  },
});

/** Adds the state to the query so that its carriers come first, unless the query would be too long. */
function narrowed(query: string, state: string): string {
  const longer = `${query} ${state}`.trim();
  return queryProblem(longer) === undefined ? longer : query;
}

function lackOf(hit: SearchHit | undefined, state: string): string[] {
  return hit?.unmatched.filter((word) => word !== state.toLowerCase()) ?? [];
}

const { compare } = new Intl.Collator("en", { numeric: true });

/** Results with more of the query's words come first in every order. */
function inOrder(hits: SearchHit[], sort: SearchChoices["sort"]): SearchHit[] {
  return hits.toSorted((a, b) =>
    a.unmatched.length - b.unmatched.length ||
    (sort === "name"
      ? compare(a.name, b.name)
      : sort === "units"
      ? b.power_units - a.power_units
      : 0)
  );
}

/** The address of a search with some choices changed. */
export function searchPath(query: string, chosen: Partial<SearchChoices>): string {
  const { state = "", status = "", sort = "", page = 1 } = chosen;
  const parameters = new URLSearchParams({
    q: query,
    ...state !== "" && { state },
    ...status !== "" && { status },
    ...sort !== "" && { sort },
    ...page > 1 && { page: String(page) },
  });
  return `/search?${parameters}`;
}
