/**
 * `/mcs150`: when the biennial update of a USDOT number is due; `/mcs150.ics`: the same for a calendar.
 *
 * @module
 */

import { mcs150DueDate } from "../../api/operations/calculations.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { lookupCarrier } from "../../api/operations/lookup.ts";
import { daysBetween, formatForPeople } from "../../pipeline/dates.ts";
import {
  MCS150_CITATION,
  MCS150_URL,
  type Mcs150Standing,
  mcs150Standing,
  schedule,
} from "../../api/rules/mcs150.ts";
import { censusOf } from "../../api/rules/check.ts";
import type { Mcs150 } from "../../api/rules/schemas.ts";
import { plural } from "../../pipeline/text.ts";
import { readDotField } from "../bulk/numbers.ts";
import { fill } from "../../api/discovery/texts.ts";
import { DateText, Facts, Field, Table } from "../components/blocks.tsx";
import { Markdown } from "../components/markdown.tsx";
import RULE from "../content/mcs150.md" with { type: "text" };
import PAGES from "../content/pages.json" with { type: "json" };
import { ALARMS, calendarOf, type PassedDate, passedDate } from "./icalendar.ts";
import { fileResponse, lookUp, type PageRoute, type Visit } from "./route.ts";

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
      ...PAGES.mcs150,
      ...answer && { title: `MCS-150 due date of USDOT ${answer.dot}` },
      status: asked && answer === undefined ? 400 : 200,
      shared: true,
      body: (
        <>
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
          <Schedule dot={answer?.dot} />
          <Markdown
            text={fill(RULE, visit.site.baseUrl, { citation: MCS150_CITATION, url: MCS150_URL })}
          />
        </>
      ),
    };
  },
};

export const mcs150CalendarRoute: PageRoute = {
  path: "/mcs150.ics",
  async answer(visit) {
    const { site: { baseUrl, clock } } = visit;
    const { answer, problems } = await answerOf(visit);
    if (answer === undefined) {
      throw new ServiceError("invalid_body", problems.dot ?? problems.filed!);
    }
    const { standing } = answer;
    const passed = standing === null
      ? await passedOf(answer.dot, visit)
      : passedDate(standing, { missed: standing.state === "overdue", source: "your request" });
    return fileResponse(calendarOf(answer, { baseUrl, now: clock.now(), passed }), {
      type: "text/calendar; charset=utf-8",
      name: `mcs150-${answer.dot}.ics`,
    });
  },
};

/**
 * Returns the due date that the carrier missed or may have missed; undefined if it missed none or can't
 * be looked up.
 */
async function passedOf(dot: string, visit: Visit): Promise<PassedDate | undefined> {
  try {
    const { mcs150, checks, snapshot } = (await lookUp(visit, lookupCarrier, { dot })).answer;
    const missed = checks.find(({ id }) => id === "mcs150")!.state === "bad";
    return passedDate(mcs150, { missed, source: censusOf(snapshot) });
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

interface Answer extends Mcs150 {
  /** What the given filing date means for the deadline; null if none was given. */
  standing: Mcs150Standing | null;
}

/** Returns the deadline for the `dot` and the optional `filed` in the query, or what is wrong with one of them. */
async function answerOf(
  visit: Visit,
): Promise<{ answer?: Answer; problems: { dot?: string; filed?: string } }> {
  const { url: { searchParams }, today } = visit;
  const read = readDotField(searchParams.get("dot") ?? "");
  const filed = searchParams.get("filed") ?? "";
  if ("problem" in read) return { problems: { dot: read.problem } };
  if (filed > today) return { problems: { filed: "Enter a date that is not in the future" } };
  const { answer } = await lookUp(visit, mcs150DueDate, { dot: String(read.dot) });
  try {
    const standing = filed === "" ? null : mcs150Standing({ dot: read.dot, filed }, today);
    return { answer: { ...answer, standing }, problems: {} };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problems: { filed: "Enter a date, such as 2026-01-23" } };
  }
}

function Result({ answer, today }: { answer: Answer; today: string }) {
  const { dot, next_due, previous_due, rule, standing } = answer;
  const filed = standing?.last_filed;
  const [tone, words] = standing === null ? [] : standingWords(standing, next_due);
  const query = `dot=${dot}${filed ? `&filed=${filed}` : ""}`;
  return (
    <section class="card" aria-labelledby="result">
      <h2 id="result">
        USDOT {dot}: due by {formatForPeople(next_due)}
      </h2>
      {standing !== null && <p class={`notice ${tone}`}>{words}</p>}
      <Facts
        entries={[
          ["Next due", <DateText date={next_due} />],
          ["Time left", next_due === today ? "today" : plural(daysBetween(today, next_due), "day")],
          ["Previous due", previous_due && <DateText date={previous_due} />],
        ]}
      />
      <p>{rule}</p>
      <p class="actions">
        <a class="button" href={`/mcs150.ics?${query}`} download={`mcs150-${dot}.ics`}>
          Add to a calendar
        </a>
        <a class="button quiet" href={`/carriers/${dot}`}>See this carrier</a>
      </p>
      <p class="soft">
        Calculated from the number alone. The calendar entry reminds you {ALARMS.join(" and ")}{" "}
        days before.
      </p>
    </section>
  );
}

/**
 * Returns the class of the notice, and what a filing date means for the deadline. `next` is the next scheduled date.
 */
function standingWords(
  { last_filed, next_due, days_until_due, state, early }: Mcs150Standing,
  next: string,
): [tone: string, words: string] {
  const [filed, due, coming] = [last_filed!, next_due, next].map(formatForPeople);
  const late = plural(-days_until_due, "day");
  switch (state) {
    case "overdue":
      return [
        "bad",
        `If nothing was filed since ${filed}, the update due by ${due} is ${late} overdue. It can be ` +
        "filed at any time.",
      ];
    case "unknown":
      return [
        "info",
        `${filed} is more than 12 months before the update due by ${due}. Whether a filing that early ` +
        `counts for that date is not settled. The next date is ${coming}.`,
      ];
    default:
      return [
        state === "ok" ? "ok" : "warn",
        early
          ? `Filed early, on ${filed}: whether that counts for ${due} is not settled, so plan to file ` +
            "again by then."
          : `Last filed ${filed}: the next update is due by ${due}.`,
      ];
  }
}

const ANY_DAY = "2026-01-01";

/** Last digits in the order of their months. */
const DIGITS = "1234567890".split("");

function Schedule({ dot }: { dot?: string | undefined }) {
  const last = dot?.at(-1) ?? "";
  return (
    <>
      <h2>The schedule</h2>
      <p>
        The last digit is the month. The digit before it is the year: an odd digit means odd years,
        an even digit even years.
      </p>
      <Table
        caption="Month of the update by the last digit of the USDOT number"
        headed
        narrow
        heads={["Last digit", "Due by the last day of"]}
        here={DIGITS.indexOf(last)}
        rows={DIGITS.map((digit) => [
          digit,
          <>
            {schedule(Number(`1${digit}`), ANY_DAY).month}{" "}
            {digit === last && <span class="soft">(this number)</span>}
          </>,
        ])}
      />
    </>
  );
}
