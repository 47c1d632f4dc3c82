/**
 * `/carriers/{dot}`: the page of one carrier.
 *
 * @module
 */

import { mcs150DueDate } from "../../../api/operations/calculations.ts";
import { ServiceError } from "../../../api/operations/errors.ts";
import { lookupCarrier } from "../../../api/operations/lookup.ts";
import { NUMBER_PATTERN } from "../../../api/operations/numbers.ts";
import { absenceWords, censusOf } from "../../../api/rules/check.ts";
import { saferOf } from "../../../api/rules/official_sources.ts";
import type { Carrier, Mcs150 } from "../../../api/rules/schemas.ts";
import { dataLine } from "../../../api/rules/words.ts";
import type { Manifest } from "../../../pipeline/snapshot/manifest.ts";
import type { Page } from "../../components/layout.tsx";
import { SearchBox } from "../../components/search.tsx";
import { placeOf } from "../../../api/rules/words.ts";
import { Outside } from "../../components/blocks.tsx";
import { errorPage } from "../error.tsx";
import { feedPath } from "../feed.ts";
import { currentSnapshot, lookUp, type PageRoute, redirect, type Visit } from "../route.ts";
import { cardText } from "./card.ts";
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
    try {
      const { answer, snapshotId } = await lookUp(visit, lookupCarrier, { dot });
      const schedule = (await lookUp(visit, mcs150DueDate, { dot })).answer;
      const alerts = visit.site.alerts.enabled;
      return { ...carrierPage(answer, { schedule, mc, alerts }), snapshotId: snapshotId! };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      const snapshot = await currentSnapshot(visit.site.reader);
      return missingPage(error, { dot, mc, manifest: snapshot?.manifest });
    }
  },
};

/** The MC number that the visitor may have meant instead, as `/search` passes it on. */
function askedMc({ url }: Visit): string | undefined {
  const mc = withoutZeros(url.searchParams.get("mc") ?? "");
  return NUMBER_PATTERN.test(mc) && mc !== "0" ? mc : undefined;
}

function withoutZeros(number: string): string {
  return NUMBER_PATTERN.test(number) ? String(Number(number)) : number;
}

function carrierPage(
  carrier: Carrier,
  { schedule, mc, alerts }: { schedule: Mcs150; mc: string | undefined; alerts: boolean },
): Page {
  const { dot } = carrier;
  const name = calledName(carrier);
  const place = placeOf(carrier);
  return {
    title: name === `USDOT ${dot}` ? name : `${name}, USDOT ${dot}`,
    description: `${carrier.verdict}: ${name}, USDOT ${dot}${place === "" ? "" : `, ${place}`}. ${
      factOf(carrier, "Fleet")
    }. ${dataLine(carrier.snapshot)}`,
    shared: true,
    canonical: `/carriers/${dot}`,
    feed: feedPath(dot),
    picture: { path: `/carriers/${dot}/card.png`, alt: cardText(carrier) },
    style: "carrier",
    scripts: ["copy.js", "recent.js"],
    facts: organization(carrier),
    body: (
      <>
        <Identity carrier={carrier} />
        {mc !== undefined && <MaybeMc mc={mc} quiet />}
        <div class="lead">
          <Glance carrier={carrier} />
          <Verdict carrier={carrier} alerts={alerts} />
        </div>
        <Checks carrier={carrier} schedule={schedule} alerts={alerts} />
        <Inspections carrier={carrier} />
        <Differences carrier={carrier} />
        <Filed carrier={carrier} />
        <p class="further">
          <a href={`/compare?dot=${dot}`}>Compare with another carrier</a> ·{" "}
          <a href={feedPath(dot)}>Feed of changes</a>
        </p>
      </>
    ),
  };
}

function missingPage(
  error: ServiceError,
  { dot, mc, manifest }: { dot: string; mc: string | undefined; manifest: Manifest | undefined },
): Page {
  const page = errorPage(error, { path: `/carriers/${encodeURIComponent(dot)}` });
  const absent = error.code === "not_found";
  const title = absent ? `No carrier with USDOT ${dot}` : page.title;
  const census = manifest === undefined ? "FMCSA's census" : censusOf(manifest);
  const newer = error.lastSeen === undefined ? " It may be newer than our data." : "";
  return {
    ...page,
    title,
    description: page.title,
    heading: title,
    lede: absent ? `It is ${absenceWords(census, error.lastSeen)}.${newer}` : undefined,
    body: (
      <>
        {mc !== undefined && <MaybeMc mc={mc} />}
        <SearchBox query={absent ? "" : dot} />
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
              A USDOT number has 1 to 8 digits and no letters, such as 286764. An MC number goes
              into the box with its letters: MC 143229.
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
