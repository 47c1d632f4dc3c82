/**
 * The verdict at a glance: the worst finding in words, the age of the data, and what else matters.
 *
 * @module
 */

import type { Carrier, CheckState } from "../../../api/rules/schemas.ts";
import { reasonsOf } from "../../../api/rules/verdict.ts";
import { DataAge } from "../../parts/data_age.tsx";
import { labelsOf, plainly, STATE_WORDS } from "./words.ts";

/** The tone is that of the worst check, and never that of an approval. */
const TONES: readonly CheckState[] = ["bad", "warn"];

/** The worst reason, the others, and the checks without a verdict. */
export function Verdict({ carrier }: { carrier: Carrier }) {
  const tone = TONES.find((state) => labelsOf(carrier, state).length > 0) ?? "info";
  const reasons = reasonsOf(carrier);
  const listed = ([["ok", labelsOf(carrier, "ok")], ["info", labelsOf(carrier, "info")]] as const)
    .filter(([, labels]) => labels.length > 0);
  return (
    <section class={`notice ${tone}`} aria-labelledby="verdict">
      <h2 id="verdict">{carrier.verdict}</h2>
      {plainly(carrier).map((sentence) => (
        <p>
          <strong>{sentence}</strong>
        </p>
      ))}
      <ul>
        {reasons.length > 1 && reasons.map((reason) => <li>{reason}</li>)}
        {listed.map(([state, labels]) => <li>{STATE_WORDS[state]}: {labels.join(", ")}</li>)}
      </ul>
      <DataAge snapshot={carrier.snapshot} />
      <p class="soft">
        This is not an approval. Each check below names its source and what it doesn't show.
      </p>
    </section>
  );
}
