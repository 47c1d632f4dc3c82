/**
 * When the MCS-150 update is due, and why then.
 *
 * @module
 */

import { formatForPeople } from "../../../api/rules/calendar.ts";
import type { Carrier, Mcs150 } from "../../../api/rules/schemas.ts";
import { inDays } from "../../parts/days.ts";

/** The deadline that counts, and the schedule behind it. */
export function Deadline(
  { carrier, schedule, alerts }: { carrier: Carrier; schedule: Mcs150; alerts: boolean },
) {
  const { dot, snapshot, mcs150: { next_due, days_until_due, last_filed, state } } = carrier;
  const dataDay = formatForPeople(snapshot.data_date);
  return (
    <section aria-labelledby="deadline">
      <h2 id="deadline">MCS-150 deadline</h2>
      <p class="lede">
        <time datetime={next_due}>{formatForPeople(next_due)}</time>, {inDays(days_until_due)}
        {days_until_due < 0 && (state === "overdue"
          ? `: no update for it in FMCSA's census of ${dataDay}`
          : ": whether the last filing counts for it is not settled")}
      </p>
      <p>
        Last filed: {last_filed === null
          ? "no date in the census"
          : <time datetime={last_filed}>{formatForPeople(last_filed)}</time>}. {schedule.rule}{" "}
        <a href="#mcs150">What the check says</a>
      </p>
      <div class="actions">
        <a class="button quiet" href={`/mcs150.ics?dot=${dot}`}>
          Calendar file for {formatForPeople(schedule.next_due)}
        </a>
        {alerts && (
          <a class="button quiet" href={`/alerts?dot=${dot}`}>
            Email me before it is due
          </a>
        )}
      </div>
    </section>
  );
}
