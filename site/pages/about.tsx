/**
 * `/about`: whose service this is, what it rests on, and what it cannot know.
 *
 * @module
 */

import { DECLINES } from "../../api/ask/declines.ts";
import { CENSUS, DATAQS, INSPECTIONS, REGISTRATION } from "../../api/rules/official_sources.ts";
import type { Page, PageRoute, Visit } from "../page.ts";
import { Checks } from "../parts/checks_told.tsx";
import { Contents, type Part } from "../parts/contents.tsx";
import { currentSnapshot } from "../parts/current.ts";
import { Day } from "../parts/day.tsx";
import { Outside } from "../parts/outside.tsx";

/** The page. */
export const aboutRoute: PageRoute = { path: "/about", listed: true, answer };

const PARTS: readonly Part[] = [
  ["files", "The two files"],
  ["checks", "The six checks"],
  ["unknown", "What it cannot know"],
  ["corrections", "Corrections"],
  ["promises", "Promises"],
];

/** What people look for most and the files do not tell. */
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
      "Independent look-ups over two public files of the US motor carrier safety regulator: what each check rests on, and what cannot be known from them.",
    shared: current !== undefined,
    snapshotId: current?.id,
    body: (
      <>
        <h1>About</h1>
        <p class="lede">
          Independent: not part of, and not endorsed by, the US motor carrier safety regulator
          (FMCSA). It only reads. Nothing can be filed, registered or paid here.
        </p>
        <Contents parts={PARTS} />
        <h2 id="files">The two files</h2>
        <p>
          Everything about a carrier comes from two files that the regulator publishes for anyone:
          the <a href={CENSUS.url}>{CENSUS.name}</a>, one row for each USDOT number, and the{" "}
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
          Absence from these files is no proof. A number that is not found may have been issued
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
          This service cannot change a record; the regulator can. When a record is right there, it
          is right here a day or two later.
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
          Every verdict names the file and the day it rests on, and nothing is claimed that the data
          does not show. <a href="/guarantees">All promises</a>, <a href="/privacy">privacy</a>,
          {" "}
          <a href="/pricing">pricing</a>.
        </p>
      </>
    ),
  };
}
