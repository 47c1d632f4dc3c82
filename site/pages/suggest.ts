/**
 * `/suggest?q=`: a few carriers that what is typed so far may mean, for the search box's script.
 *
 * @module
 */

import { errorResponse } from "../../api/http/errors.ts";
import { readParameters } from "../../api/http/input.ts";
import { searchCarriers } from "../../api/operations/search_carriers.ts";
import { lookUp } from "../look_up.ts";
import type { PageRoute } from "../page.ts";
import { inert } from "../../pipeline/text.ts";

/** Suggestions at most. */
const MOST_SUGGESTIONS = 8;

/** Characters of a suggested name. */
const NAME_LENGTH = 80;

/** What the script is told of one carrier. */
export interface Suggestion {
  dot: string;
  name: string;
  /** Null when the census has none; it may be what fits. */
  dba_name: string | null;
  city: string;
  state: string;
  active: boolean;
}

/** The suggestions as JSON; errors as the API tells them. */
export const suggestRoute: PageRoute = {
  path: "/suggest",
  async answer(visit) {
    const { request, admitted: { requestId }, site: { log } } = visit;
    try {
      const { q } = readParameters(searchCarriers, { url: request.url, path: {} });
      const { answer, snapshotId } = await lookUp(visit, searchCarriers, {
        q,
        limit: MOST_SUGGESTIONS,
      });
      const results = answer.results.map((
        { dot, name, dba_name, city, state, active },
      ): Suggestion => ({
        dot,
        name: inert(name, NAME_LENGTH),
        dba_name: dba_name === null ? null : inert(dba_name, NAME_LENGTH),
        city: inert(city, NAME_LENGTH),
        state: inert(state, NAME_LENGTH),
        active,
      }));
      return new Response(JSON.stringify({ results }), {
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "Cache-Control": "public, max-age=60",
          "CDN-Cache-Control": "public, max-age=300",
          "Snapshot-Id": snapshotId!,
          "Deno-Cache-Tag": snapshotId!,
        },
      });
    } catch (error) {
      return errorResponse(error, { requestId, log });
    }
  },
};
