/**
 * `/carriers/{dot}`: one carrier, for people; and `/carriers/{dot}/record.txt`, to keep.
 *
 * @module
 */

import { ServiceError } from "../../api/operations/errors.ts";
import { lookupCarrier } from "../../api/operations/lookup_carrier.ts";
import { mcs150DueDate } from "../../api/operations/mcs150_due_date.ts";
import { NUMBER_PATTERN } from "../../api/operations/numbers.ts";
import type { Carrier, Mcs150 } from "../../api/rules/schemas.ts";
import { lookUp } from "../look_up.ts";
import type { Page, PageRoute, Visit } from "../page.ts";
import { placeOf } from "../parts/place.ts";
import { redirect } from "../redirect.ts";
import { Checks } from "./carrier/checks.tsx";
import { Deadline } from "./carrier/deadline.tsx";
import { Dockets, Facts, Identity } from "./carrier/identity.tsx";
import { Inspections } from "./carrier/inspections.tsx";
import { missingPage } from "./carrier/missing.tsx";
import { organization } from "./carrier/organization.ts";
import { recordText } from "./carrier/record_text.ts";
import { Elsewhere, Keep, MaybeMc } from "./carrier/ways_on.tsx";
import { Verdict } from "./carrier/verdict.tsx";
import { calledName } from "./carrier/words.ts";

/** The page of one carrier: one shard is read for it. */
export const carrierRoute: PageRoute = {
  path: "/carriers/:dot",
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

/** What was found on a carrier at a time, as text. */
export const recordRoute: PageRoute = {
  path: "/carriers/:dot/record.txt",
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
