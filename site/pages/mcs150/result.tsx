/**
 * The answer to when an MCS-150 is due.
 *
 * @module
 */

import { daysBetween, formatForPeople } from "../../../api/rules/calendar.ts";
import type { Mcs150Standing } from "../../../api/rules/mcs150.ts";
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
  const { dot, next_due, previous_due, rule, standing } = answer;
  const filed = standing?.last_filed;
  const query = `dot=${dot}${filed ? `&filed=${filed}` : ""}`;
  return (
    <section class="card" aria-labelledby="result">
      <h2 id="result">
        USDOT {dot}: due by {formatForPeople(next_due)}
      </h2>
      {standing !== null && <Standing standing={standing} next={next_due} />}
      <dl class="facts">
        <div>
          <dt>Next due</dt>
          <dd>
            <time datetime={next_due}>{formatForPeople(next_due)}</time>
          </dd>
        </div>
        <div>
          <dt>Time left</dt>
          <dd>{next_due === today ? "today" : daysLong(daysBetween(today, next_due))}</dd>
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
        Calculated from the number alone. The calendar reminds {alarms.join(" and ")} days before.
      </p>
    </section>
  );
}

/** Where a filing on a day leaves its carrier; `next` is the coming scheduled date. */
function Standing({ standing, next }: { standing: Mcs150Standing; next: string }) {
  const { last_filed, next_due, days_until_due, state, early } = standing;
  const filed = formatForPeople(last_filed!);
  const due = formatForPeople(next_due);
  switch (state) {
    case "overdue":
      return (
        <p class="notice bad">
          With nothing filed since {filed}, the update due by {due} is overdue,{" "}
          {inDays(days_until_due)}. It can be filed at any time.
        </p>
      );
    case "unknown":
      return (
        <p class="notice info">
          {filed} is more than 12 months before the update due by{" "}
          {due}. Whether so early a filing counts for that date is not settled. The next date is
          {" "}
          {formatForPeople(next)}.
        </p>
      );
    default:
      return (
        <p class={`notice ${state === "ok" ? "ok" : "warn"}`}>
          {early
            ? `Filed early, on ${filed}: whether that counts for ${due} is not settled, so plan to ` +
              "file again by then."
            : `Last filed ${filed}: the next update is due by ${due}.`}
        </p>
      );
  }
}
