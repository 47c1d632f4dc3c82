/**
 * `/about`: the sources, what each check does, and what the service cannot know.
 *
 * @module
 */

import { DECLINES } from "../../api/ask/vocabulary.ts";
import { answerExamples } from "../../api/discovery/examples.ts";
import { formatForPeople } from "../../api/rules/calendar.ts";
import { DUE_SOON_DAYS } from "../../api/rules/mcs150.ts";
import { CENSUS, DATAQS, INSPECTIONS, REGISTRATION } from "../../api/rules/official_sources.ts";
import { AVERAGES_SOURCE, COMPARABLE_INSPECTIONS } from "../../api/rules/out_of_service.ts";
import { Carrier, type CheckId } from "../../api/rules/schemas.ts";
import { Contents, type ContentsPart } from "../components/blocks.tsx";
import type { Page } from "../components/layout.tsx";
import { Day, Outside, STATE_WORDS } from "../components/text.tsx";
import { currentSnapshot, type PageRoute, type Visit } from "./route.ts";

export const aboutRoute: PageRoute = { path: "/about", listed: true, answer };

const PARTS: readonly ContentsPart[] = [
  ["files", "The two files"],
  ["checks", "The six checks"],
  ["unknown", "What it cannot know"],
  ["corrections", "Corrections"],
  ["promises", "Promises"],
];

/** Topics people ask about most that the files don't cover. */
const UNKNOWN = [
  "insurance",
  "licensing",
  "crashes",
  "oos_order",
  "scores",
  "ucr_payment",
  "drivers",
  "contact",
  "trust",
] as const;

async function answer({ site }: Visit): Promise<Page> {
  const current = await currentSnapshot(site.reader);
  return {
    title: "About",
    description:
      "Independent lookups over two public FMCSA files: what each check is based on, and what they don't show.",
    shared: current !== undefined,
    snapshotId: current?.id,
    body: (
      <>
        <h1>About</h1>
        <p class="lede">
          Independent: not part of, and not endorsed by, FMCSA, the Federal Motor Carrier Safety
          Administration. It only reads. Nothing can be filed, registered or paid here.
        </p>
        <Contents parts={PARTS} />
        <h2 id="files">The two files</h2>
        <p>
          Everything about a carrier comes from two files that FMCSA publishes: the{" "}
          <a href={CENSUS.url}>{CENSUS.name}</a>, one row for each USDOT number, and the{" "}
          <a href={INSPECTIONS.url}>{INSPECTIONS.name}</a>, one row for each roadside inspection.
          Both are read once a day into a dated snapshot, and every answer names the snapshot it
          comes from.
        </p>
        {current === undefined
          ? <p class="notice warn">The snapshot cannot be read at the moment.</p>
          : (
            <p>
              The census in use is of{" "}
              <Day date={current.manifest.data_date} />. Inspections are counted from{" "}
              <Day date={current.manifest.window.from} /> to{" "}
              <Day date={current.manifest.window.to} />.{" "}
              <a href="/status">
                Names, sizes and hashes of the files
              </a>, and what was refused in them.
            </p>
          )}
        <p>
          The files lag the official record by a day or more: later filings aren't included. Fees
          and national averages are not in the files; they come from the published tables, each with
          the day it was last checked.
        </p>
        <h2 id="checks">The six checks</h2>
        <Checks baseUrl={site.baseUrl} />
        <h2 id="unknown">What it cannot know</h2>
        <p>
          Absence from these files proves nothing. A number that is not found may have been issued
          since; a carrier without inspections is neither safe nor unsafe. There is no score and no
          grade here, on purpose.
        </p>
        <ul>
          {UNKNOWN.map((topic) => {
            const { text, where } = DECLINES[topic];
            return (
              <li>
                {text}: {where.map((place, i) => (
                  <>
                    {i === 0 ? "" : ", "}
                    <Outside place={place} />
                  </>
                ))}.
              </li>
            );
          })}
        </ul>
        <h2 id="corrections">Corrections</h2>
        <p>
          Only FMCSA can change a record. A correction there appears here a day or two later.
        </p>
        <ul>
          <li>
            Name, address, fleet, operation: the carrier files an updated MCS-150, through{" "}
            <Outside place={REGISTRATION} text="FMCSA registration" />.
          </li>
          <li>
            Inspections and violations: ask for a review through{" "}
            <Outside place={DATAQS} />. Anyone may.
          </li>
          <li>
            A safety rating: the carrier asks FMCSA for a change after it has corrected what the
            review found.
          </li>
        </ul>
        <h2 id="promises">Promises</h2>
        <p>
          Every verdict names its file and date, and nothing is claimed that the data does not show.
          {" "}
          <a href="/guarantees">All promises</a>, <a href="/privacy">privacy</a>,{" "}
          <a href="/pricing">pricing</a>.
        </p>
      </>
    ),
  };
}

const MEANINGS: Readonly<Record<CheckId, string>> = {
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

const VERDICTS = [
  ["ok", "the file shows no problem"],
  ["warn", "something to ask about"],
  ["bad", "the file states one"],
  ["info", "the file doesn't say"],
] as const;

function Checks({ baseUrl }: { baseUrl: string }) {
  // The checks of an example, for their labels and citations.
  const { checks } = Carrier.parse(answerExamples(baseUrl).lookupCarrier!.real!.value);
  return (
    <>
      <p>
        A check reads the file, says what it shows and what it doesn't, and has one of four
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
            <p>{MEANINGS[id]}</p>
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
