/**
 * `/mcs150`: when the biennial update of a USDOT number is due, and `/mcs150.ics`: the same for a
 * calendar.
 *
 * @module
 */

import { ServiceError } from "../../api/operations/errors.ts";
import { mcs150DueDate } from "../../api/operations/mcs150_due_date.ts";
import { perform } from "../../api/operations/operation.ts";
import { daysBetween, formatForPeople } from "../../api/rules/calendar.ts";
import { DUE_SOON_DAYS, MCS150_CITATION, MCS150_URL, mcs150State } from "../../api/rules/mcs150.ts";
import type { CarrierMcs150, Mcs150 } from "../../api/rules/schemas.ts";
import { messageOf } from "../../pipeline/message_of.ts";
import { calendarOf } from "../calendar/icalendar.ts";
import { bareNumber } from "../list/number_cell.ts";
import type { PageRoute, Visit } from "../page.ts";
import { Field } from "../parts/field.tsx";
import { Mcs150Schedule } from "../parts/mcs150_schedule.tsx";

/** Days before the deadline on which a calendar reminds. */
const ALARMS = [30, 7];

/** The page. */
export const mcs150Route: PageRoute = {
  path: "/mcs150",
  listed: true,
  async answer(visit) {
    const { url, today } = visit;
    const asked = url.searchParams.has("dot");
    const dot = url.searchParams.get("dot") ?? "";
    const filed = url.searchParams.get("filed") ?? "";
    const { answer, problems } = asked ? await answerOf(visit) : { problems: {} };
    return {
      title: answer === undefined ? "MCS-150 due date" : `MCS-150 due date of USDOT ${answer.dot}`,
      description:
        "When the MCS-150 biennial update of a USDOT number is due, by the two last digits of the number.",
      status: asked && answer === undefined ? 400 : 200,
      shared: true,
      body: (
        <>
          <h1>When is the MCS-150 due?</h1>
          <p class="lede">
            Every two years a carrier updates its registration, even when nothing has changed. The
            last two digits of the USDOT number say when.
          </p>
          <form action="/mcs150" class="row">
            <Field
              id="dot"
              label="USDOT number"
              error={problems.dot}
              value={dot}
              input={{ inputmode: "numeric", required: true, autocomplete: "off", maxlength: 40 }}
            />
            <Field
              id="filed"
              label="Date last filed, if you know it"
              error={problems.filed}
              value={filed}
              input={{ type: "date", max: today }}
            />
            <button type="submit">Show the date</button>
          </form>
          {answer !== undefined && <Result answer={answer} today={today} />}
          <Mcs150Schedule dot={answer?.dot} />
          <h2>What the rule says</h2>
          <p>
            The update is due by the last day of the month; a weekend or a holiday moves nothing. It
            is due even when nothing changed, or the business has stopped. Filing early does not
            move the schedule. The rule is{" "}
            <a href={MCS150_URL}>{MCS150_CITATION}</a>; it is for interstate carriers, for carriers
            with a hazardous materials safety permit and for intermodal equipment providers. For
            carriers within one state it holds only where the state has adopted it.
          </p>
        </>
      ),
    };
  },
};

/** The calendar file of the deadline to come. */
export const mcs150CalendarRoute: PageRoute = {
  path: "/mcs150.ics",
  async answer(visit) {
    const { site: { baseUrl, clock } } = visit;
    const { answer, problems } = await answerOf(visit);
    if (answer === undefined) {
      throw new ServiceError("invalid_dot_number", problems.dot ?? problems.filed!);
    }
    const { dot, coming, rule } = answer;
    const text = calendarOf({
      uid: `mcs150-${dot}-${coming}@${new URL(baseUrl).hostname}`,
      day: coming,
      title: `MCS-150 update of USDOT ${dot} is due`,
      text: `${rule} Worked out from the number alone; whether it has been filed is not looked up.`,
      url: `${baseUrl}/mcs150?dot=${dot}`,
      alarms: ALARMS,
      now: clock.now(),
    });
    return new Response(text, {
      headers: {
        "Content-Type": "text/calendar; charset=utf-8",
        "Content-Disposition": `attachment; filename="mcs150-${dot}.ics"`,
        "Cache-Control": "no-store",
      },
    });
  },
};

interface Answer extends Mcs150 {
  /** Where the date last filed stands, when one was given. */
  state: CarrierMcs150 | null;
  /** The deadline that counts and has not passed, `YYYY-MM-DD`. */
  coming: string;
}

interface Answered {
  answer?: Answer;
  problems: { dot?: string; filed?: string };
}

async function answerOf({ url, today, site: { baseUrl, reader } }: Visit): Promise<Answered> {
  const dot = bareNumber(url.searchParams.get("dot") ?? "");
  const filed = url.searchParams.get("filed") ?? "";
  let schedule: Mcs150;
  try {
    const finish = (output: unknown): Mcs150 => output as Mcs150;
    const performed = await perform(mcs150DueDate, { dot }, { today, baseUrl, reader, finish });
    schedule = performed.answer;
  } catch (error) {
    if (error instanceof ServiceError) return { problems: { dot: error.message } };
    throw error;
  }
  if (filed === "") {
    return { answer: { ...schedule, state: null, coming: schedule.next_due }, problems: {} };
  }
  if (filed > today) {
    return { problems: { filed: "Cannot use this date: it has not come yet" } };
  }
  try {
    const state = mcs150State(Number(schedule.dot), filed, today);
    const coming = state.next_due < today ? schedule.next_due : state.next_due;
    return { answer: { ...schedule, state, coming }, problems: {} };
  } catch (error) {
    if (error instanceof SyntaxError) return { problems: { filed: messageOf(error) } };
    throw error;
  }
}

function Result({ answer, today }: { answer: Answer; today: string }) {
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
          <dd>{days(daysBetween(today, coming))}</dd>
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
        Worked out from the number alone. The calendar reminds {ALARMS.join(" and ")} days before.
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
          {days(daysBetween(next_due, today))} ago. It can be filed at any time.
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

function days(count: number): string {
  return count === 0 ? "today" : count === 1 ? "1 day" : `${count} days`;
}
