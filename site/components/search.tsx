/**
 * The search box, and advice for searches without results.
 *
 * @module
 */

import { censusOf } from "../../api/rules/check.ts";
import { SAFER } from "../../api/rules/official_sources.ts";
import type { SnapshotFacts } from "../../api/rules/schemas.ts";
import { MAX_QUERY_LENGTH } from "../../pipeline/search/query/query.ts";
import { DataAge, Icon, Outside } from "./blocks.tsx";

interface SearchBoxProps {
  /** Whether this is the search box in the page header. */
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

export function NoResults({ snapshot }: { snapshot: SnapshotFacts }) {
  return (
    <>
      <p class="lede">
        Nothing in {censusOf(snapshot)} matches. The carrier may be newer than our data.
      </p>
      <ul>
        <li>Check the spelling: we match small typos.</li>
        <li>Use fewer words: the rarest word in the name plus the state is often enough.</li>
        <li>The company may be filed under its owner's name or another trade name.</li>
        <li>Ask for its USDOT number: it is on the side of its trucks.</li>
        <li>
          Search <Outside place={SAFER} />.
        </li>
      </ul>
      <DataAge snapshot={snapshot} />
    </>
  );
}
