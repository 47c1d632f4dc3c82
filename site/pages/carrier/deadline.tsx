/**
 * When the MCS-150 update is due, and why then.
 *
 * @module
 */

import { formatForPeople } from "../../../api/rules/calendar.ts";
import type { Carrier, CarrierMcs150, Mcs150 } from "../../../api/rules/schemas.ts";
import { inDays } from "./words.ts";

const WORDS: Readonly<Record<CarrierMcs150["state"], string>> = {
  "overdue": "the census of that day shows no update for it",
  "due-soon": "due soon",
  "ok": "",
  "unknown": "whether it was met is not known",
};

/** The deadline that counts, and the schedule behind it. */
export function Deadline({ carrier, schedule }: { carrier: Carrier; schedule: Mcs150 }) {
  const { dot, mcs150: { next_due, days_until_due, last_filed, state } } = carrier;
  const word = days_until_due > 0 && state === "unknown" ? "" : WORDS[state];
  return (
    <section aria-labelledby="deadline">
      <h2 id="deadline">MCS-150 deadline</h2>
      <p class="lede">
        <time datetime={next_due}>{formatForPeople(next_due)}</time>, {inDays(days_until_due)}
        {word === "" ? "" : `: ${word}`}
      </p>
      <p>
        Last filed: {last_filed === null
          ? "no date in the census"
          : <time datetime={last_filed}>{formatForPeople(last_filed)}</time>}. {schedule.rule}
      </p>
      <div class="actions">
        <a class="button quiet" href={`/mcs150.ics?dot=${dot}`}>
          Calendar file for {formatForPeople(schedule.next_due)}
        </a>
        <a class="button quiet" href={`/alerts?dot=${dot}`}>E-mail me before it is due</a>
      </div>
    </section>
  );
}
