/**
 * The one box that takes a USDOT number, an MC number or a name.
 *
 * @module
 */

import { MAX_QUERY_LENGTH } from "../../pipeline/search/query/query.ts";

/** What a box shows. */
export interface SearchBoxProps {
  /** In the head of a page. */
  compact?: boolean;
  query: string;
  /** It is what the page is for: typing goes there at once. */
  focus?: boolean;
  /** What was wrong with the query. */
  error?: string | undefined;
}

/** A form that leads to `/search`. */
export function SearchBox({ compact, query, focus, error }: SearchBoxProps) {
  const id = compact ? "q-head" : "q";
  return (
    <form
      class={compact ? "search compact" : "search"}
      role="search"
      action="/search"
      {...compact ? { "aria-label": "From any page" } : {}}
    >
      <label for={id}>{compact ? "Look up" : "USDOT number, MC number or name"}</label>
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
        </div>
        <button type="submit">Look up</button>
      </div>
      {error !== undefined && <p id="q-error" class="state bad">{error}</p>}
    </form>
  );
}
