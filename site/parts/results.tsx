/**
 * Carriers found, as a list to choose from.
 *
 * @module
 */

import type { z } from "zod";
import type { SearchResult } from "../../api/operations/search_carriers.ts";
import { counted } from "../../pipeline/text.ts";
import { Name } from "./name.tsx";
import { placeOf } from "./place.ts";

type Found = z.infer<typeof SearchResult>;

/** The carriers, each with what tells it from its namesakes. */
export function Results({ results }: { results: readonly Found[] }) {
  return <ol class="found">{results.map((result) => <Row result={result} />)}</ol>;
}

function Row({ result }: { result: Found }) {
  const { dot, name, dba_name, power_units, active } = result;
  const place = placeOf(result);
  return (
    <li>
      <a href={`/carriers/${dot}`}>
        <Name text={name} />
      </a>
      {dba_name !== null && (
        <>
          {" "}
          <span class="soft">
            doing business as <Name text={dba_name} />
          </span>
        </>
      )}
      <br />
      <span class="number">USDOT {dot}</span> ·{" "}
      {place === "" ? "place not reported" : <Name text={place} />}
      {" · "}
      {fleetOf(power_units)} · {active ? "active" : <span class="state warn">not active</span>}
    </li>
  );
}

/** A search cannot tell a blank from none. */
function fleetOf(units: number): string {
  if (units === 0) return "no power units reported";
  return units === 1 ? "1 power unit" : `${counted(units)} power units`;
}
