/**
 * GET /api/v1/carriers: carriers by name, DBA, city, state or number.
 *
 * @module
 */

import { z } from "zod";
import {
  MAX_QUERY_LENGTH,
  MAX_QUERY_WORDS,
  MIN_QUERY_LENGTH,
  queryProblem,
} from "../../pipeline/search/query/query.ts";
import {
  type SearchHit,
  type SearchOptions,
  searchSnapshot,
} from "../../pipeline/search/query/search.ts";
import type { Snapshot } from "../../pipeline/snapshot/reader.ts";
import { snapshotFacts } from "../rules/carrier.ts";
import { SnapshotFacts } from "../rules/schemas.ts";
import { ServiceError } from "./errors.ts";
import { show } from "./numbers.ts";
import { lookupOperation, type OperationContext } from "./operation.ts";

export const MAX_RESULTS = 50;

export const DEFAULT_RESULTS = 25;

/** Schema of a query that can be searched for. */
export const queryInput = z.string({ error: () => "Cannot search: q is missing" })
  .transform((text) => text.replaceAll(/\s+/g, " ").trim())
  .check((context) => {
    const message = queryProblem(context.value);
    if (message === undefined) return;
    context.issues.push({ code: "custom", message, input: context.value });
  })
  .describe(
    `A name, DBA name or the beginning of one, with a city or state to narrow it; or a USDOT number, or an MC number as MC 186800. ${MIN_QUERY_LENGTH} to ${MAX_QUERY_LENGTH} characters, at most ${MAX_QUERY_WORDS} words`,
  )
  .meta({
    example: "general transport akron",
    minLength: MIN_QUERY_LENGTH,
    maxLength: MAX_QUERY_LENGTH,
  });

const limit = z.int({ error: explainLimit })
  .min(1, { error: explainLimit })
  .max(MAX_RESULTS, { error: explainLimit })
  .default(DEFAULT_RESULTS)
  .describe(`Results at most, 1 to ${MAX_RESULTS}`)
  .meta({ example: 10 });

const explain = z.literal([0, 1], { error: () => "Cannot read explain: give 0 or 1" })
  .default(0)
  .describe("1 adds to each result the criteria that ranked it. Unstable: they may change any day")
  .meta({ example: 0 });

export const SearchResult = z.object({
  dot: z.string().describe("USDOT number, digits without leading zeros"),
  name: z.string().describe("Legal name, or the DBA name where that is blank"),
  dba_name: z.string().nullable().describe("DBA name"),
  city: z.string().describe("City of the physical address, empty where the census is blank"),
  state: z.string().describe("State or province, empty where the census is blank"),
  power_units: z.int().nonnegative().describe("Power units as filed, 0 where the census is blank"),
  active: z.boolean().describe("Whether the census lists the USDOT number as active"),
  page_url: z.url().describe("Page of the carrier for people"),
  explain: z.record(z.string(), z.unknown()).optional().describe("Only with explain=1; unstable"),
}).meta({ id: "SearchResult" });

export const SearchResults = z.object({
  query: z.string().describe("The query, white space folded"),
  count: z.int().nonnegative().describe("Number of results returned"),
  results: z.array(SearchResult).describe("The likeliest first; empty when nothing was found"),
  unmatched: z.array(z.string()).describe(
    "Words of the query, in lower case, that the first result has in no spelling, neither in a name nor as its place; empty when it has all, or when nothing was found",
  ),
  snapshot: SnapshotFacts,
}).meta({ id: "SearchResults" });

export const searchCarriers = lookupOperation({
  id: "searchCarriers",
  method: "GET",
  path: "/api/v1/carriers",
  summary: "Search carriers",
  description:
    "Finds carriers by legal name, DBA name, city, state, USDOT or MC number in one dated snapshot. Typos, punctuation, word order and company suffixes are tolerated; the last word may be incomplete. An exact match comes first, active carriers before inactive ones, frequently inspected ones before others. A phone number is refused.",
  input: z.object({ q: queryInput, limit, explain }),
  parameters: {
    q: { in: "query", code: "invalid_query" },
    limit: { in: "query", integer: true, code: "invalid_query" },
    explain: { in: "query", integer: true, code: "invalid_query" },
  },
  output: SearchResults,
  errors: ["invalid_query", "upstream_unavailable"],
  run: (input, context) => search(input, context),
});

/**
 * The same search, but only for names spelled like the query, which takes one round of fetches. Not an API
 * route.
 */
export const searchSpelled: typeof searchCarriers = {
  ...searchCarriers,
  run: (input, context) => search(input, context, true),
};

async function search(
  input: { q: string; limit: number; explain: 0 | 1 },
  { snapshot, baseUrl, today }: OperationContext & { snapshot: Snapshot },
  spelled = false,
): Promise<z.infer<typeof SearchResults>> {
  const { q, limit } = input;
  const found = await findHits(snapshot, q, { limit, explain: input.explain === 1, spelled });
  const results = found.map(({ unmatched: _, ...hit }) => ({
    ...hit,
    dot: String(hit.dot),
    page_url: `${baseUrl}/carriers/${hit.dot}`,
  }));
  return {
    query: input.q,
    count: results.length,
    results,
    unmatched: found[0]?.unmatched ?? [],
    snapshot: snapshotFacts(snapshot, { today }),
  };
}

/**
 * Carriers found in a snapshot, the likeliest first.
 *
 * @throws {ServiceError} When the snapshot cannot be searched.
 */
export async function findHits(
  snapshot: Snapshot,
  query: string,
  options: SearchOptions,
): Promise<SearchHit[]> {
  const found = await searchSnapshot(snapshot, query, options);
  if (found !== null) return found;
  throw new ServiceError(
    "upstream_unavailable",
    "This snapshot has no search index; look up carriers by number",
    { snapshotId: snapshot.id },
  );
}

function explainLimit({ input }: { input?: unknown }): string {
  return `Cannot use limit ${show(input)}: give a whole number from 1 to ${MAX_RESULTS}`;
}
