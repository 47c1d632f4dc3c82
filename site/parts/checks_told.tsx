/**
 * What each check rests on, and what its verdicts mean.
 *
 * @module
 */

import { answerExamples } from "../../api/discovery/examples.ts";
import { AVERAGES_SOURCE, COMPARABLE_INSPECTIONS } from "../../api/rules/out_of_service.ts";
import { formatForPeople } from "../../api/rules/calendar.ts";
import { DUE_SOON_DAYS } from "../../api/rules/mcs150.ts";
import { Carrier, type CheckId } from "../../api/rules/schemas.ts";
import { STATE_WORDS } from "../pages/carrier/words.ts";

const TOLD: Readonly<Record<CheckId, string>> = {
  usdot_status:
    "The status of the number. Active is OK, inactive is a problem, pending needs review. Active means the number is in use, not that the carrier complies.",
  mcs150:
    `The date last filed, compared with the schedule that the last two digits of the number set. OK when filed for the last scheduled date, review when due within ${DUE_SOON_DAYS} days, a problem when missed by a carrier that certainly owes it. A filing never moves the schedule. Where the file leaves it open, not enough data.`,
  operating_authority:
    "Whether what the carrier filed needs federal authority, and which dockets the census lists. Docket status isn't authority, so this is never OK and never a problem.",
  safety_rating:
    "The rating of the last compliance review, always with its date: it may be decades old. Satisfactory is OK, Conditional needs review, Unsatisfactory is a problem. Most carriers were never rated, which says nothing about them.",
  oos_rates:
    `How many roadside inspections of 24 months ended out of service, for vehicles, drivers and hazardous materials, beside the national averages (last checked ${
      formatForPeople(AVERAGES_SOURCE.lastChecked)
    }). Above the average by more than a single finding needs review; fewer than ${COMPARABLE_INSPECTIONS} inspections of a kind are not called below it. A rate doesn't show whether there is an out-of-service order.`,
  ucr:
    "An estimate of the fee from roles and power units in the census and the official fee table. Who has registered is in no public file, so there is no verdict.",
};

/** The four verdicts. */
const VERDICTS = [
  ["ok", "the file shows no problem"],
  ["warn", "something to ask about"],
  ["bad", "the file states one"],
  ["info", "the file cannot tell"],
] as const;

/** Every check, in the order of every answer. */
export function Checks({ baseUrl }: { baseUrl: string }) {
  // The checks of an example, for the names they bear and the rules they cite.
  const { checks } = Carrier.parse(answerExamples(baseUrl).lookupCarrier!.real!.value);
  return (
    <>
      <p>
        A check reads the file, says what it shows and what it doesn't, and comes to one of four
        verdicts:
      </p>
      <ul class="plain">
        {VERDICTS.map(([state, meaning]) => (
          <li>
            <span class={`state ${state}`}>{STATE_WORDS[state]}</span>: {meaning}
          </li>
        ))}
      </ul>
      <div class="cards">
        {checks.map(({ id, label, basis: { file, citation, url } }) => (
          <section class="card">
            <h3>{label}</h3>
            <p>{TOLD[id]}</p>
            <p>
              <small>
                {file}
                {citation !== null && url !== null && (
                  <>
                    ; <a href={url}>{citation}</a>
                  </>
                )}
              </small>
            </p>
          </section>
        ))}
      </div>
    </>
  );
}
