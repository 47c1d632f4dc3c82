/**
 * Where to go from a carrier's page: to keep it, to check it against the official record, to correct it.
 *
 * @module
 */

import { DATAQS, REGISTRATION, saferOf } from "../../../api/rules/official_sources.ts";
import { formatForPeople } from "../../../api/rules/calendar.ts";
import { MOTUS_FROM } from "../../../api/rules/authority_check.ts";
import type { Carrier } from "../../../api/rules/schemas.ts";
import { dataLine } from "../../../api/rules/verdict.ts";
import { Outside } from "../../parts/outside.tsx";

/** Asks whether an MC number was meant: digits alone can be either. */
export function MaybeMc({ mc, quiet }: { mc: string; quiet?: boolean }) {
  return (
    <p class={quiet ? "hint" : "notice"}>
      Did you mean the MC number {mc}? <a href={`/search?q=MC+${mc}`}>Look up MC {mc}</a>
    </p>
  );
}

/** A dated record to copy, the data, and reminders. The script adds its buttons to the actions. */
export function Keep({ carrier: { dot, snapshot } }: { carrier: Carrier }) {
  return (
    <section aria-labelledby="keep">
      <h2 id="keep">Keep a record</h2>
      <p>
        A dated vetting record: the six verdicts with their sources, the time of the lookup, and the
        snapshot that answered.
      </p>
      <div class="actions" id="record">
        <a class="button quiet" href={`/carriers/${dot}/record.txt`}>Vetting record as text</a>
        <a class="button quiet" href={`/api/v1/carriers/${dot}`}>This page as JSON</a>
      </div>
      <p class="soft">
        {dataLine(snapshot)} Snapshot <span class="number">{snapshot.id}</span>.
      </p>
    </section>
  );
}

/** The official record and the way to correct it. */
export function Elsewhere({ dot }: { dot: string }) {
  return (
    <section aria-labelledby="elsewhere">
      <h2 id="elsewhere">The official record</h2>
      <ul>
        <li>
          Status, insurance and crashes: <Outside place={saferOf(dot)} />.
        </li>
        <li>
          Operating authority and other registration activity after {formatForPeople(MOTUS_FROM)}:
          {" "}
          <Outside place={REGISTRATION} />.
        </li>
        <li>
          Your own record is wrong? File an MCS-150 update through{" "}
          <Outside place={REGISTRATION} text="FMCSA registration" />; dispute an inspection in{" "}
          <Outside place={DATAQS} />. Corrections appear here with a later snapshot.
        </li>
      </ul>
    </section>
  );
}
