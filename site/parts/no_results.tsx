/**
 * What to try when nothing was found.
 *
 * @module
 */

import { SAFER } from "../../api/discovery/official_places.ts";
import { numberIntents } from "../../pipeline/search/numbers.ts";
import { Outside } from "./outside.tsx";

/** What to try after a query that found nothing; `day` is the data date for people. */
export function NoResults({ query, day }: { query: string; day: string }) {
  const docket = numberIntents(query)[0];
  return (
    <>
      {docket === undefined
        ? (
          <p class="lede">
            Nothing in the census of {day} fits{" "}
            <q>
              <bdi>{query}</bdi>
            </q>. That does not show that the carrier does not exist.
          </p>
        )
        : (
          <p class="lede">
            No carrier lists {docket.prefix} {docket.number} in the census of{" "}
            {day}. That does not show that the number was never granted.
          </p>
        )}
      <ul>
        <li>Check the spelling: only small slips are forgiven.</li>
        <li>Leave words out: the rarest word of the name and the state are often enough.</li>
        <li>The firm may be filed under its owner's name or another trade name.</li>
        <li>Ask for its USDOT number: it is on the side of its trucks.</li>
        {docket !== undefined && (
          <li>
            The digits may be a USDOT number:{" "}
            <a href={`/carriers/${docket.number}`}>look up USDOT {docket.number}</a>.
          </li>
        )}
        <li>
          Ask the official record: <Outside place={SAFER} />.
        </li>
      </ul>
    </>
  );
}
