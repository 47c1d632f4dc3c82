/**
 * A line of facts that opens to its detail, and the button that copies a text.
 *
 * @module
 */

import type { Child } from "hono/jsx";
import type { CheckState } from "../../api/rules/schemas.ts";
import { Icon } from "./icons.tsx";
import { STATE_WORDS } from "./text.tsx";

interface FoldProps {
  /** Of the detail: a link to it opens the line. */
  id: string;
  /** With a column for the state of a check. */
  state?: CheckState;
  label: string;
  line: Child;
  children?: Child;
}

/** A line of a list of class `folds`; it opens without a script. */
export function Fold({ id, state, label, line, children }: FoldProps) {
  return (
    <details>
      <summary>
        {state !== undefined && <span class={`state ${state}`}>{STATE_WORDS[state]}</span>}
        <h3>{label}</h3>
        <span class="line">{line}</span>
        {state === undefined
          ? <i class="more"></i>
          : <span class="more" aria-hidden="true">Details</span>}
      </summary>
      <div class="inside" id={id}>{children}</div>
    </details>
  );
}

/** A button for text that is not long; `copy.js` makes it visible where there is a clipboard. */
export function Copy(
  { text, what, icon = "copy" }: { text: string; what: string; icon?: "copy" | "link" },
) {
  return (
    <button type="button" class="copy" data-copy={text} aria-label={`Copy ${what}`} disabled>
      <Icon name={icon} />
    </button>
  );
}
