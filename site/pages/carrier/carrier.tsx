/**
 * `/carriers/{dot}`: the page of one carrier.
 *
 * @module
 */

import { mcs150DueDate } from "../../../api/operations/calculations.ts";
import { ServiceError } from "../../../api/operations/errors.ts";
import {
  type CarrierHistory,
  carrierHistory,
  carrierWithHistory,
} from "../../../api/operations/history.ts";
import { NUMBER_PATTERN } from "../../../api/operations/numbers.ts";
import { formatForPeople } from "../../../pipeline/dates.ts";
import { absenceWords, censusOf } from "../../../api/rules/check.ts";
import { saferOf } from "../../../api/rules/official_sources.ts";
import { type Carrier, IDENTITY_CHANGES, type Mcs150 } from "../../../api/rules/schemas.ts";
import { dataLine } from "../../../api/rules/words.ts";
import type { PastSnapshot } from "../../../pipeline/snapshot/chain.ts";
import type { Page } from "../../components/layout.tsx";
import { SearchBox } from "../../components/search.tsx";
import { placeOf } from "../../../api/rules/words.ts";
import { Outside } from "../../components/blocks.tsx";
import { errorPage } from "../error.tsx";
import { feedPath } from "../feed.ts";
import {
  currentSnapshot,
  keptSnapshots,
  lookUp,
  type PageRoute,
  redirect,
  type Visit,
} from "../route.ts";
import { askedDay, dayErrorPage, DayForm, DayNotice, dayQuery, withoutDay } from "./as_of.tsx";
import { BESIDE_INSPECTIONS, Changes } from "./changes.tsx";
import { Checks, Differences } from "./checks.tsx";
import { calledName, factOf } from "./facts.ts";
import { Filed } from "./filed.tsx";
import { Inspections } from "./inspections.tsx";
import { Glance, Identity, MaybeMc, Verdict } from "./top.tsx";

export const carrierRoute: PageRoute = {
  path: "/carriers/{dot}",
  async answer(visit) {
    const dot = visit.params.dot!;
    const mc = askedMc(visit);
    const plain = withoutZeros(dot);
    if (plain !== dot) return redirect(`/carriers/${plain}${visit.url.search}`, 301);
    const present = withoutDay(visit);
    if (present !== null) return present;
    const asOf = askedDay(visit);
    try {
      const { answer, today, snapshotId } = await lookUp(visit, carrierWithHistory, {
        dot,
        as_of: asOf,
      });
      const schedule = (await lookUp({ ...visit, today }, mcs150DueDate, { dot })).answer;
      const alerts = visit.site.alerts.enabled;
      const kept = await keptSnapshots(visit.site.reader);
      const page = carrierPage(answer, { schedule, mc, alerts, kept, today });
      return { ...page, snapshotId: snapshotId! };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      return await dayErrorPage(error, visit, `/carriers/${dot}`) ??
        (error.lastSeen === undefined
          ? await missingPage(error, visit)
          : await leftPage(error, visit));
    }
  },
};

/** Returns the MC number that the visitor may have meant instead, which `/search` passes in the query. */
function askedMc({ url }: Visit): string | undefined {
  const mc = withoutZeros(url.searchParams.get("mc") ?? "");
  return NUMBER_PATTERN.test(mc) && mc !== "0" ? mc : undefined;
}

function withoutZeros(number: string): string {
  return NUMBER_PATTERN.test(number) ? String(Number(number)) : number;
}

const IDENTITY: ReadonlySet<string> = new Set(IDENTITY_CHANGES);

interface CarrierPageParts {
  schedule: Mcs150;
  mc: string | undefined;
  alerts: boolean;
  kept: readonly PastSnapshot[];
  /** The day that the lookup treated as today. */
  today: string;
}

function carrierPage(
  { carrier, history }: { carrier: Carrier; history: CarrierHistory },
  { schedule, mc, alerts, kept, today }: CarrierPageParts,
): Page {
  const { dot, as_of: asOf, findings, inspections_24m, snapshot } = carrier;
  const name = calledName(carrier);
  const place = placeOf(carrier);
  const path = `/carriers/${dot}`;
  const title = name === `USDOT ${dot}` ? name : `${name}, USDOT ${dot}`;
  const ofToday = {
    scripts: ["copy.js", "recent.js"],
    facts: organization(carrier),
  };
  return {
    title: asOf === undefined ? title : `${title}, as of ${formatForPeople(asOf)}`,
    description: `${carrier.verdict}: ${name}, USDOT ${dot}${place === "" ? "" : `, ${place}`}. ${
      factOf(carrier, "Fleet")
    }. ${dataLine(snapshot)}`,
    shared: true,
    canonical: path,
    feed: feedPath(dot),
    style: "carrier",
    ...asOf === undefined ? ofToday : { unlisted: true, scripts: ["copy.js"] },
    body: (
      <>
        <DayNotice snapshot={snapshot} present={path} />
        <Identity carrier={carrier} today={today} />
        {mc !== undefined && <MaybeMc mc={mc} quiet />}
        <div class="lead">
          <Glance carrier={carrier} />
          <Verdict carrier={carrier} alerts={alerts} />
        </div>
        <Checks carrier={carrier} schedule={schedule} alerts={alerts} />
        <Inspections carrier={carrier} />
        <Differences carrier={carrier} />
        <Changes
          history={history}
          all={{ href: `${path}/record${dayQuery(asOf)}#changes`, text: "see the vetting record" }}
          reasons={findings.filter(({ id }) => IDENTITY.has(id)).flatMap(({ reasons }) => reasons)}
          {...inspections_24m !== null && { most: BESIDE_INSPECTIONS }}
        >
          <DayForm action={path} kept={kept} asOf={asOf} />
        </Changes>
        <Filed carrier={carrier} />
        <p class="further">
          <a href={`/compare?dot=${dot}`}>Compare with another carrier</a> ·{" "}
          <a href={feedPath(dot)}>Change feed</a> ·{" "}
          <a href={`/your-company?dot=${dot}`}>Is this your company?</a> ·{" "}
          <a href={path + dayQuery(today)}>Link to this day's record</a>
        </p>
      </>
    ),
  };
}

/** The page of a carrier that left the census. */
async function leftPage(error: ServiceError, visit: Visit): Promise<Page> {
  const dot = visit.params.dot!;
  const mc = askedMc(visit);
  const { answer: history } = await lookUp(visit, carrierHistory, { dot, as_of: askedDay(visit) });
  const { snapshot, as_of: asOf } = history;
  const lastSeen = error.lastSeen!;
  const kept = await keptSnapshots(visit.site.reader);
  const path = `/carriers/${dot}`;
  const title = `USDOT ${dot} is no longer in the census`;
  return {
    ...errorPage(error, { path }),
    title,
    description: title,
    feed: feedPath(dot),
    style: "carrier",
    query: "",
    heading: undefined,
    lede: undefined,
    body: (
      <>
        <DayNotice snapshot={snapshot} present={path} />
        <h1>{title}</h1>
        <p>
          It is {absenceWords(censusOf(snapshot), lastSeen)}.{" "}
          {kept.some(({ data_date }) => data_date === lastSeen) && (
            <a href={path + dayQuery(lastSeen)}>Its record as of {formatForPeople(lastSeen)}</a>
          )}
        </p>
        {mc !== undefined && <MaybeMc mc={mc} />}
        <Changes
          history={history}
          all={{ href: `/api/v1${path}/history${dayQuery(asOf)}`, text: "all changes as JSON" }}
        >
          <DayForm action={path} kept={kept} asOf={asOf} />
        </Changes>
        <p>
          Look it up in the official record:{" "}
          <Outside place={saferOf(dot)} />. Or search for another carrier:
        </p>
        <SearchBox query="" />
      </>
    ),
  };
}

async function missingPage(error: ServiceError, visit: Visit): Promise<Page> {
  const dot = visit.params.dot!;
  const mc = askedMc(visit);
  const asOf = askedDay(visit);
  const manifest = (await currentSnapshot(visit.site.reader))?.manifest;
  const page = errorPage(error, { path: `/carriers/${encodeURIComponent(dot)}` });
  const absent = error.code === "not_found";
  const day = asOf === undefined ? "" : ` as of ${formatForPeople(asOf)}`;
  const title = absent ? `No carrier with USDOT ${dot}${day}` : page.title;
  const census = manifest === undefined ? "FMCSA's census" : censusOf(manifest);
  const lede = asOf === undefined
    ? `It is not in ${census}. It may be newer than our data.`
    : `${error.message}. `;
  return {
    ...page,
    title,
    description: page.title,
    heading: title,
    lede: absent
      ? [lede, asOf !== undefined && <a href={`/carriers/${dot}`}>Today's record</a>]
      : undefined,
    body: (
      <>
        {mc !== undefined && <MaybeMc mc={mc} />}
        <SearchBox query={dot} />
        {absent
          ? (
            <ul>
              <li>Check the digits.</li>
              {mc === undefined && (
                <li>
                  It may be an MC number: <a href={`/search?q=MC+${dot}`}>look up MC {dot}</a>.
                </li>
              )}
              <li>It may be too new: numbers granted since the data date are not in the file.</li>
              <li>
                Look it up in the official record: <Outside place={saferOf(dot)} />.
              </li>
            </ul>
          )
          : (
            <p>
              A USDOT number has 1 to 8 digits and no letters, such as 286764. Enter an MC number
              with its letters: MC 143229.
            </p>
          )}
      </>
    ),
  };
}

function organization(carrier: Carrier): Record<string, unknown> {
  const { dot, legal_name, dba_name, city, state, dockets, page_url } = carrier;
  return {
    "@type": "Organization",
    "@id": page_url,
    url: page_url,
    name: calledName(carrier),
    legalName: legal_name || undefined,
    alternateName: dba_name ?? undefined,
    address: city === "" && state === "" ? undefined : {
      "@type": "PostalAddress",
      addressLocality: city || undefined,
      addressRegion: state || undefined,
    },
    identifier: [{ prefix: "USDOT", number: dot }, ...dockets].map(({ prefix, number }) => ({
      "@type": "PropertyValue",
      propertyID: prefix,
      value: number,
    })),
  };
}
