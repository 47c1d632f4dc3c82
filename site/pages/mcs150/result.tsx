/**
 * The answer to when an MCS-150 is due.
 *
 * @module
 */

import { daysBetween, formatForPeople } from "../../../api/rules/calendar.ts";
import { DUE_SOON_DAYS } from "../../../api/rules/mcs150.ts";
import type { CarrierMcs150 } from "../../../api/rules/schemas.ts";
import { daysLong, inDays } from "../../parts/days.ts";
import type { Answer } from "./answer.ts";

/** What the answer is made of. */
export interface Mcs150ResultProps {
  answer: Answer;
  /** Days before the deadline on which the calendar file reminds. */
  alarms: readonly number[];
  /** `YYYY-MM-DD`. */
  today: string;
}

/** The answer. */
export function Mcs150Result({ answer, alarms, today }: Mcs150ResultProps) {
  const { dot, coming, previous_due, rule, state } = answer;
  const filed = state?.last_filed;
  const query = `dot=${dot}${filed ? `&filed=${filed}` : ""}`;
  return (
    <section class="card" aria-labelledby="result">
      <h2 id="result">
        USDOT {dot}: due by {formatForPeople(coming)}
      </h2>
      {state !== null && <Standing state={state} coming={coming} today={today} />}
      <dl class="facts">
        <div>
          <dt>Next due</dt>
          <dd>
            <time datetime={coming}>{formatForPeople(coming)}</time>
          </dd>
        </div>
        <div>
          <dt>Time left</dt>
          <dd>{coming === today ? "today" : daysLong(daysBetween(today, coming))}</dd>
        </div>
        {previous_due !== null && (
          <div>
            <dt>Previous date</dt>
            <dd>
              <time datetime={previous_due}>{formatForPeople(previous_due)}</time>
            </dd>
          </div>
        )}
      </dl>
      <p>{rule}</p>
      <p class="actions">
        <a class="button" href={`/mcs150.ics?${query}`} download={`mcs150-${dot}.ics`}>
          Add to a calendar
        </a>
        <a class="button quiet" href={`/carriers/${dot}`}>See this carrier</a>
      </p>
      <p class="soft">
        Worked out from the number alone. The calendar reminds {alarms.join(" and ")} days before.
      </p>
    </section>
  );
}

/** Where a filing on a day leaves its carrier. */
function Standing(
  { state, coming, today }: { state: CarrierMcs150; coming: string; today: string },
) {
  const { last_filed, next_due } = state;
  const filed = formatForPeople(last_filed!);
  const due = formatForPeople(next_due);
  switch (state.state) {
    case "overdue":
      return (
        <p class="notice bad">
          With nothing filed since {filed}, the update due by {due} was missed,{" "}
          {inDays(daysBetween(today, next_due))}. It can be filed at any time.
        </p>
      );
    case "unknown":
      return (
        <p class="notice info">
          {filed} is more than 12 months before the update due by{" "}
          {due}. Whether so early an update counts for that date is not settled. The next date after
          it is {formatForPeople(coming)}.
        </p>
      );
    case "due-soon":
      return (
        <p class="notice warn">
          The next update is due within {DUE_SOON_DAYS} days. A filing on {filed}{" "}
          does not count for it.
        </p>
      );
    case "ok":
      return <p class="notice ok">With a filing on {filed} nothing is due before {due}.</p>;
  }
}
