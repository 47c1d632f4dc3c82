/**
 * The one box that takes a USDOT number, an MC number or a name.
 *
 * @module
 */

import { MAX_QUERY_LENGTH } from "../../pipeline/search/query.ts";

/** A form that leads to `/search`. */
export function SearchBox({ compact, query }: { compact?: boolean; query: string }) {
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
            {...compact ? { placeholder: "USDOT, MC or name" } : { autofocus: true }}
          />
        </div>
        <button type="submit">Look up</button>
      </div>
    </form>
  );
}
