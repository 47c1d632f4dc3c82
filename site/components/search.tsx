/**
 * The search box, and what a search found.
 *
 * @module
 */

import type { z } from "zod";
import type { SearchResult } from "../../api/operations/search.ts";
import { censusOf } from "../../api/rules/check.ts";
import { SAFER } from "../../api/rules/official_sources.ts";
import type { SnapshotFacts } from "../../api/rules/schemas.ts";
import { MAX_QUERY_LENGTH } from "../../pipeline/search/query/query.ts";
import { plural } from "../../pipeline/text.ts";
import { placeOf } from "../../api/rules/words.ts";
import { DataAge, Icon, Name, Outside } from "./blocks.tsx";

interface SearchBoxProps {
  /** In the head of a page. */
  compact?: boolean;
  query: string;
  focus?: boolean;
  error?: string | undefined;
}

export function SearchBox({ compact, query, focus, error }: SearchBoxProps) {
  const id = compact ? "q-head" : "q";
  return (
    <form
      class={compact ? "search compact" : "search"}
      role="search"
      action="/search"
      {...compact ? { "aria-label": "From any page" } : {}}
    >
      <label for={id}>USDOT number, MC number or name</label>
      <div class="row">
        <div class="grow">
          <input
            id={id}
            name="q"
            type="search"
            value={query}
            required
            maxlength={MAX_QUERY_LENGTH}
            autocomplete="off"
            spellcheck={false}
            enterkeyhint="search"
            {...compact ? { placeholder: "USDOT, MC or name" } : {}}
            {...focus ? { autofocus: true } : {}}
            {...error === undefined
              ? {}
              : { "aria-invalid": "true", "aria-describedby": "q-error" }}
          />
          {compact && <kbd aria-hidden="true">/</kbd>}
          {compact && (
            <button type="submit" aria-label="Look up">
              <Icon name="search" />
            </button>
          )}
        </div>
        {!compact && <button type="submit">Look up</button>}
      </div>
      {error !== undefined && <p id="q-error" class="state bad">{error}</p>}
    </form>
  );
}

type Found = z.infer<typeof SearchResult>;

export function Results({ results }: { results: readonly Found[] }) {
  return (
    <form action="/compare" class="results">
      <ol class="found">
        {results.map((result) => <Row result={result} pick={results.length > 1} />)}
      </ol>
      {results.length > 1 && (
        <p class="actions">
          <button type="submit" class="quiet">Compare selected</button>
        </p>
      )}
    </form>
  );
}

function Row({ result, pick }: { result: Found; pick: boolean }) {
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
      {fleetOf(power_units)} · {active ? "active" : <span class="state bad">not active</span>}
      {pick && (
        <label class="pick">
          {" · "}
          <input type="checkbox" name="dot" value={dot} aria-label={`Compare USDOT ${dot}`} />{" "}
          Compare
        </label>
      )}
    </li>
  );
}

/** Search results do not distinguish a blank from 0. */
function fleetOf(units: number): string {
  return units === 0 ? "no power units reported" : plural(units, "power unit");
}

export function NoResults({ query, snapshot }: { query: string; snapshot: SnapshotFacts }) {
  const census = censusOf(snapshot);
  return (
    <>
      <p class="lede">
        Nothing in {census} matches{" "}
        <q>
          <bdi>{query}</bdi>
        </q>. That does not show that the carrier does not exist.
      </p>
      <ul>
        <li>Check the spelling: we match small typos.</li>
        <li>Leave words out: the rarest word of the name and the state are often enough.</li>
        <li>The firm may be filed under its owner's name or another trade name.</li>
        <li>Ask for its USDOT number: it is on the side of its trucks.</li>
        <li>
          Search <Outside place={SAFER} />.
        </li>
      </ul>
      <DataAge snapshot={snapshot} />
    </>
  );
}
