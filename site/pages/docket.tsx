/**
 * `/mc/{docket}`: redirects an MC, MX or FF number to its carrier, or lists the carriers that share it.
 *
 * @module
 */

import { findItems } from "../../api/operations/batch.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { anyDocketInput } from "../../api/operations/numbers.ts";
import { forCaller } from "../../api/operations/operation.ts";
import { MAX_RESULTS } from "../../api/operations/search.ts";
import { snapshotFacts } from "../../api/rules/carrier.ts";
import { censusOf } from "../../api/rules/check.ts";
import { SAFER } from "../../api/rules/official_sources.ts";
import type { Carrier, SnapshotFacts } from "../../api/rules/schemas.ts";
import { PAGE_COSTS } from "../../api/state/rate_limit.ts";
import { DOCKET_PREFIXES, type DocketNumber } from "../../pipeline/fmcsa/number_text.ts";
import { counted } from "../../pipeline/text.ts";
import { DataAge, Outside } from "../components/blocks.tsx";
import type { Page } from "../components/layout.tsx";
import { Results } from "../components/found.tsx";
import { SearchBox } from "../components/search.tsx";
import { errorPage } from "./error.tsx";
import { type PageRoute, redirect, type Visit } from "./route.ts";

export const docketRoute: PageRoute = {
  path: "/mc/{docket}",
  cost: PAGE_COSTS.search,
  async answer(visit) {
    const typed = visit.params.docket!;
    const read = anyDocketInput.safeParse(typed);
    if (read.success) return await docketPage(visit, read.data);
    const error = new ServiceError("invalid_mc_number", read.error.issues[0]!.message);
    return { ...errorPage(error, { path: "" }), body: <SearchBox query={typed} /> };
  },
};

/** Redirects to the only carrier that lists a docket. If there are several, the visitor chooses. */
export async function docketPage(
  { site: { reader, baseUrl }, today }: Visit,
  docket: DocketNumber,
): Promise<Page | Response> {
  try {
    return await reader.use(async (snapshot): Promise<Page | Response> => {
      const facts = snapshotFacts(snapshot, { today });
      const dots = await snapshot.docket(docket.prefix, docket.number);
      if (dots.length === 0) return missingPage(docket, facts);
      if (dots.length === 1) return redirect(`/carriers/${dots[0]}`);
      const context = { snapshot, today, baseUrl, relook: true };
      const items = await findItems(dots.slice(0, MAX_RESULTS), context);
      const carriers = items.map((item) => {
        if (item.ok) return item.carrier;
        // A list with one of them missing would look complete.
        throw new ServiceError("upstream_unavailable", item.error.message);
      });
      return sharedPage(docket, { facts, carriers, count: dots.length });
    });
  } catch (error) {
    throw forCaller(error);
  }
}

interface Shared {
  facts: SnapshotFacts;
  carriers: readonly Carrier[];
  /** Number of carriers that list the docket. */
  count: number;
}

function sharedPage(docket: DocketNumber, { facts, carriers, count }: Shared): Page {
  const { prefix, number } = docket;
  const called = `${prefix} ${number}`;
  return {
    title: `${called}: ${counted(count)} carriers`,
    description: `The carriers that list ${called}.`,
    style: "lists",
    scripts: ["rows.js"],
    heading: `${called} is shared by ${counted(count)} carriers`,
    unlisted: true,
    shared: true,
    snapshotId: facts.id,
    query: called,
    body: (
      <>
        <p>
          More than one carrier lists this docket in {censusOf(facts)}: check which one you mean.
          {" "}
          {count <= 4 && <a href={`/compare?dot=${prefix}+${number}`}>Compare them</a>}
        </p>
        <DataAge snapshot={facts} />
        <Results
          results={carriers.map(({ power_units, ...carrier }) => ({
            ...carrier,
            power_units: power_units ?? 0,
            active: carrier.status === "active",
          }))}
        />
        {count > carriers.length && (
          <p class="soft">
            These are {carriers.length} of {counted(count)}. Search by name for the others.
          </p>
        )}
      </>
    ),
  };
}

function missingPage({ prefix, number }: DocketNumber, facts: SnapshotFacts): Page {
  const called = `${prefix} ${number}`;
  return {
    title: `No carrier lists ${called}`,
    heading: `No carrier lists ${called}`,
    lede: `It isn't in ${censusOf(facts)}. It may be newer than our data.`,
    status: 404,
    unlisted: true,
    snapshotId: facts.id,
    query: null,
    body: (
      <>
        <SearchBox query={called} />
        <ul>
          <li>
            The digits may be another kind of number:{" "}
            <a href={`/carriers/${number}`}>USDOT {number}</a>
            {DOCKET_PREFIXES.filter((other) => other !== prefix).map((other) => (
              <>
                , <a href={`/mc/${other}-${number}`}>{other} {number}</a>
              </>
            ))}
          </li>
          <li>Ask for the USDOT number: it is on the side of the carrier's trucks.</li>
          <li>
            Search <Outside place={SAFER} />.
          </li>
        </ul>
        <DataAge snapshot={facts} />
      </>
    ),
  };
}
