/**
 * What to try when nothing was found.
 *
 * @module
 */

import { SAFER } from "../../api/rules/official_sources.ts";
import { formatForPeople } from "../../api/rules/calendar.ts";
import type { SnapshotFacts } from "../../api/rules/schemas.ts";
import { numberIntents } from "../../pipeline/search/query/query.ts";
import { DataAge } from "./data_age.tsx";
import { Outside } from "./outside.tsx";

/** What to try after a query that found nothing. */
export function NoResults({ query, snapshot }: { query: string; snapshot: SnapshotFacts }) {
  const day = formatForPeople(snapshot.data_date);
  const docket = numberIntents(query)[0];
  return (
    <>
      {docket === undefined
        ? (
          <p class="lede">
            Nothing in FMCSA's census of {day} matches{" "}
            <q>
              <bdi>{query}</bdi>
            </q>. That does not show that the carrier does not exist.
          </p>
        )
        : (
          <p class="lede">
            No carrier lists {docket.prefix} {docket.number} in FMCSA's census of{" "}
            {day}. That does not show that the number was never granted.
          </p>
        )}
      <ul>
        <li>Check the spelling: we match small typos.</li>
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
          Search <Outside place={SAFER} />.
        </li>
      </ul>
      <DataAge snapshot={snapshot} />
    </>
  );
}
