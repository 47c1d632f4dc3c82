/**
 * `/carriers/{dot}`: the page of one carrier and its vetting record.
 *
 * @module
 */

import { mcs150DueDate } from "../../../api/operations/calculations.ts";
import { ServiceError } from "../../../api/operations/errors.ts";
import { lookupCarrier } from "../../../api/operations/lookup.ts";
import { NUMBER_PATTERN } from "../../../api/operations/numbers.ts";
import { saferOf } from "../../../api/rules/official_sources.ts";
import type { Carrier, Mcs150 } from "../../../api/rules/schemas.ts";
import type { Page } from "../../components/layout.tsx";
import { SearchBox } from "../../components/search.tsx";
import { placeOf } from "../../../api/rules/verdict.ts";
import { Outside } from "../../components/text.tsx";
import { errorPage } from "../error.tsx";
import { lookUp, type PageRoute, redirect, type Visit } from "../route.ts";
import { Inspections } from "./inspections.tsx";
import {
  Checks,
  Deadline,
  Dockets,
  Elsewhere,
  Facts,
  Identity,
  Keep,
  MaybeMc,
  Verdict,
} from "./sections.tsx";
import { calledName, recordText } from "./text.ts";

/** The page of one carrier: one shard is read for it. */
export const carrierRoute: PageRoute = {
  path: "/carriers/{dot}",
  async answer(visit) {
    const dot = visit.params.dot!;
    const mc = askedMc(visit);
    const plain = withoutZeros(dot);
    if (plain !== dot) return redirect(`/carriers/${plain}${visit.url.search}`, 301);
    try {
      const { answer, snapshotId } = await lookUp(visit, lookupCarrier, { dot });
      const schedule = (await lookUp(visit, mcs150DueDate, { dot })).answer;
      const alerts = visit.site.alerts.enabled;
      return carrierPage(answer, { schedule, mc, snapshotId: snapshotId!, alerts });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      return missingPage(error, { dot, mc });
    }
  },
};

/** The vetting record as text. */
export const recordRoute: PageRoute = {
  path: "/carriers/{dot}/record.txt",
  async answer(visit) {
    const { site, params } = visit;
    const { answer, snapshotId } = await lookUp(visit, lookupCarrier, { dot: params.dot });
    const text = recordText(answer, { now: site.clock.now(), baseUrl: site.baseUrl });
    return new Response(text, {
      headers: {
        "Content-Type": "text/plain; charset=utf-8",
        // It has the time of the lookup.
        "Cache-Control": "no-store",
        "Snapshot-Id": snapshotId!,
        "X-Robots-Tag": "noindex",
      },
    });
  },
};

/** The MC number that the visitor may have meant instead, as `/search` passes it on. */
function askedMc({ url }: Visit): string | undefined {
  const mc = url.searchParams.get("mc");
  return mc !== null && NUMBER_PATTERN.test(mc) && Number(mc) > 0 ? String(Number(mc)) : undefined;
}

function withoutZeros(dot: string): string {
  return NUMBER_PATTERN.test(dot) ? String(Number(dot)) : dot;
}

function carrierPage(
  carrier: Carrier,
  { schedule, mc, snapshotId, alerts }: {
    schedule: Mcs150;
    mc: string | undefined;
    snapshotId: string;
    alerts: boolean;
  },
): Page {
  const { dot } = carrier;
  const name = calledName(carrier);
  const place = placeOf(carrier);
  return {
    title: name === `USDOT ${dot}` ? name : `${name}, USDOT ${dot}`,
    description: `${carrier.verdict}: ${name}, USDOT ${dot}${place === "" ? "" : `, ${place}`}.`,
    shared: true,
    snapshotId,
    canonical: `/carriers/${dot}`,
    scripts: ["record.js"],
    facts: organization(carrier),
    body: (
      <>
        <Identity carrier={carrier} />
        {mc !== undefined && <MaybeMc mc={mc} quiet />}
        <Verdict carrier={carrier} />
        <Checks carrier={carrier} />
        <Deadline carrier={carrier} schedule={schedule} alerts={alerts} />
        <Inspections carrier={carrier} />
        <Facts carrier={carrier} />
        <Dockets carrier={carrier} />
        <Keep carrier={carrier} />
        <Elsewhere dot={dot} />
      </>
    ),
  };
}

interface Asked {
  dot: string;
  /** An MC number of the same digits is known to be listed. */
  mc: string | undefined;
}

/** The page of a number without a carrier, with what to try next. */
function missingPage(error: ServiceError, { dot, mc }: Asked): Page {
  const page = errorPage(error, { path: `/carriers/${encodeURIComponent(dot)}` });
  const absent = error.code === "not_found";
  const title = absent ? `USDOT ${dot} is not in the census` : page.title;
  return {
    ...page,
    title,
    body: (
      <>
        <h1>{title}</h1>
        <p class="lede">{error.message}.</p>
        {mc !== undefined && <MaybeMc mc={mc} />}
        <SearchBox query={absent ? "" : dot} />
        {absent ? <Absent dot={dot} asksMc={mc !== undefined} /> : <Malformed />}
      </>
    ),
  };
}

function Absent({ dot, asksMc }: { dot: string; asksMc: boolean }) {
  return (
    <ul>
      <li>Check the digits.</li>
      {!asksMc && (
        <li>
          It may be an MC number: <a href={`/search?q=MC+${dot}`}>look up MC {dot}</a>.
        </li>
      )}
      <li>It may be too new: numbers granted since the data date are not in the file.</li>
      <li>
        Search <Outside place={saferOf(dot)} />.
      </li>
      <li>Not being in this file does not show that the number does not exist.</li>
    </ul>
  );
}

function Malformed() {
  return (
    <p>
      A USDOT number has 1 to 8 digits and no letters, for example{" "}
      <a href="/carriers/286764">286764</a>. An MC number goes into the box with its letters: MC
      143229.
    </p>
  );
}

/** The Organization, with what the census has and nothing made up. */
function organization(carrier: Carrier): Record<string, unknown> {
  const { dot, legal_name, dba_name, city, state, dockets, page_url } = carrier;
  const identifiers: [string, string][] = [
    ["USDOT", dot],
    ...dockets.map(({ prefix, number }): [string, string] => [prefix, number]),
  ];
  const address = {
    ...(city === "" ? {} : { addressLocality: city }),
    ...(state === "" ? {} : { addressRegion: state }),
  };
  return {
    "@type": "Organization",
    "@id": page_url,
    url: page_url,
    name: calledName(carrier),
    ...(legal_name === "" ? {} : { legalName: legal_name }),
    ...(dba_name === null ? {} : { alternateName: dba_name }),
    ...(Object.keys(address).length === 0
      ? {}
      : { address: { "@type": "PostalAddress", ...address } }),
    identifier: identifiers.map(([propertyID, value]) => ({
      "@type": "PropertyValue",
      propertyID,
      value,
    })),
  };
}
