/**
 * `/mcs150`: when the biennial update of a USDOT number is due, and `/mcs150.ics`: the same for a
 * calendar.
 *
 * @module
 */

import { ServiceError } from "../../api/operations/errors.ts";
import { MCS150_CITATION, MCS150_URL } from "../../api/rules/mcs150.ts";
import { calendarOf } from "../calendar/icalendar.ts";
import type { PageRoute } from "../page.ts";
import { Field } from "../parts/field.tsx";
import { answerOf } from "./mcs150/answer.ts";
import { Mcs150Result } from "./mcs150/result.tsx";
import { Mcs150Schedule } from "./mcs150/schedule.tsx";

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
          {answer !== undefined && <Mcs150Result answer={answer} alarms={ALARMS} today={today} />}
          <Mcs150Schedule dot={answer?.dot} />
          <h2>What the rule says</h2>
          <p>
            The update is due by the last day of the month; weekends and holidays don't extend it.
            It is due even when nothing changed, or the business has stopped. Filing early doesn't
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
    const { dot, next_due, rule } = answer;
    const text = calendarOf({
      uid: `mcs150-${dot}-${next_due}@${new URL(baseUrl).hostname}`,
      day: next_due,
      title: `MCS-150 update of USDOT ${dot} is due`,
      text: `${rule} Calculated from the number alone; whether it was filed was not looked up.`,
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
