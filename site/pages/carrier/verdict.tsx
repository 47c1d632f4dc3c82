/**
 * The verdict at a glance: how many checks need a look, never whether to trust anybody.
 *
 * @module
 */

import { formatForPeople } from "../../../api/rules/calendar.ts";
import type { Carrier, CheckState } from "../../../api/rules/schemas.ts";
import { issuesSentence, labelsOf, plainly, STATE_WORDS } from "./words.ts";

/** Worst first: the tone of the whole is that of its worst check, and never that of a clearance. */
const TONES: readonly CheckState[] = ["bad", "warn"];

/** States in the order they are told. */
const TOLD: readonly CheckState[] = ["bad", "warn", "info", "ok"];

/** How many checks need a look, which, and what else must not be missed. */
export function Verdict({ carrier }: { carrier: Carrier }) {
  const tone = TONES.find((state) => labelsOf(carrier, state).length > 0) ?? "info";
  const day = formatForPeople(carrier.snapshot.data_date);
  return (
    <section class={`notice ${tone}`} aria-labelledby="verdict">
      <h2 id="verdict">{issuesSentence(carrier)}</h2>
      {plainly(carrier).map((sentence) => (
        <p>
          <strong>{sentence}</strong>
        </p>
      ))}
      <ul>
        {TOLD.map((state) => [state, labelsOf(carrier, state)] as const)
          .filter(([, labels]) => labels.length > 0)
          .map(([state, labels]) => <li>{STATE_WORDS[state]}: {labels.join(", ")}</li>)}
      </ul>
      <p class="soft">
        From files of {day}. {carrier.issues === 0 ? "This is no clearance. " : ""}
        Each check below says what it rests on and what it does not show.
      </p>
    </section>
  );
}
