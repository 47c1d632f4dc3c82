/**
 * The six checks: state, plain words, source, and what to do next.
 *
 * @module
 */

import { formatForPeople } from "../../../api/rules/calendar.ts";
import type { Basis, Carrier, Check } from "../../../api/rules/schemas.ts";
import { Outside } from "../../parts/outside.tsx";
import { nextStep } from "./next_steps.ts";
import { STATE_WORDS } from "./words.ts";

/** The checks in their order. */
export function Checks({ carrier }: { carrier: Carrier }) {
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">Six checks</h2>
      <div class="cards">
        {carrier.checks.map((check) => <CheckCard check={check} carrier={carrier} />)}
      </div>
    </section>
  );
}

function CheckCard({ check, carrier }: { check: Check; carrier: Carrier }) {
  const { id, label, state, detail, basis } = check;
  const next = nextStep(carrier, check);
  return (
    <article class={`card rail ${state}`} id={id} aria-labelledby={`${id}-label`}>
      <h3 id={`${id}-label`}>{label}</h3>
      <p class={`state ${state}`}>{STATE_WORDS[state]}</p>
      <p>{detail}</p>
      {next !== undefined && (
        <p>
          <strong>Next:</strong> {next.text}
          {next.places.map((place, i) => (
            <>
              {i === 0 ? " " : " · "}
              <Outside place={place} />
            </>
          ))}
        </p>
      )}
      <p class="soft">
        <Source basis={basis} />
      </p>
    </article>
  );
}

function Source({ basis: { file, data_date, citation, url } }: { basis: Basis }) {
  return (
    <>
      Source: {file} of {formatForPeople(data_date)};{" "}
      {url === null ? citation : <Outside place={{ name: citation ?? "the file", url }} />}
    </>
  );
}
