/**
 * The top of a carrier's page: who it is, the verdict, and what to do with it.
 *
 * @module
 */

import { saferOf } from "../../../api/rules/official_sources.ts";
import {
  compareRate,
  INSPECTION_KINDS,
  type InspectionKindName,
  SAMPLE_WITHOUT_INSPECTIONS,
} from "../../../api/rules/out_of_service.ts";
import type { Carrier, CheckState, Inspections24m } from "../../../api/rules/schemas.ts";
import { dataAge, findingsOf, reasonsOf } from "../../../api/rules/verdict.ts";
import { mainDocket, placeOf } from "../../../api/rules/words.ts";
import { counted, plain, plural } from "../../../pipeline/text.ts";
import { Copy, Facts, Icon, Name } from "../../components/blocks.tsx";
import { calledName, someFacts } from "./facts.ts";

export function Identity({ carrier }: { carrier: Carrier }) {
  const { dot, legal_name, dba_name, address, phone, page_url, snapshot } = carrier;
  const zip = address.zip?.slice(0, 5);
  const line = [placeOf(carrier), zip].filter(Boolean).join(" ");
  const place = [line, phone].filter(Boolean).join(" · ");
  return (
    <>
      <h1 data-seen={dot}>
        <Name text={calledName(carrier)} />
      </h1>
      {legal_name !== "" && dba_name !== null && (
        <p class="dba">
          Doing business as <Name text={dba_name} />
        </p>
      )}
      <ul class="chips">
        <li>
          <b class="number">USDOT {dot}</b>
          <Copy text={dot} what="USDOT number" />
        </li>
        <Docket carrier={carrier} />
        {place !== "" && (
          <li>
            <Name text={place} />
          </li>
        )}
        <li class={snapshot.stale ? "warn" : ""}>
          {snapshot.notice === undefined ? "Data" : "Sample"} of {dataAge(snapshot)}
        </li>
        <li class="share">
          <Copy icon="link" text={page_url} what="the link to this page" />
        </li>
      </ul>
      {snapshot.notice !== undefined && (
        <details class="sample">
          <summary>Sample data, not FMCSA's current files</summary>
          <p>{plain(snapshot.notice)}</p>
        </details>
      )}
    </>
  );
}

function Docket({ carrier }: { carrier: Carrier }) {
  const docket = mainDocket(carrier.dockets) ?? carrier.dockets[0];
  if (docket === undefined) return <li>No MC on file</li>;
  const name = `${docket.prefix} ${docket.number}`;
  return (
    <li>
      <b class="number">{name}</b>
      <Copy text={name} what={`${docket.prefix} number`} />
      {carrier.dockets.length > 1 && <small>+{carrier.dockets.length - 1}</small>}
    </li>
  );
}

export function Glance({ carrier }: { carrier: Carrier }) {
  const { mileage } = carrier;
  const miles = mileage &&
    COMPACT.format(mileage.miles) + (mileage.year === null ? "" : ` (${mileage.year})`);
  return (
    <Facts
      of="glance"
      entries={[
        ...someFacts(carrier, ["Fleet", "Operation", "Registered as"]),
        ["Mileage filed", miles],
        ...someFacts(carrier, ["In FMCSA's file since", "Hazmat"]),
      ]}
    />
  );
}

const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact" });

export function Verdict({ carrier, alerts }: { carrier: Carrier; alerts: boolean }) {
  const { dot, verdict } = carrier;
  const tone = toneOf(carrier);
  return (
    <section class={`notice verdict ${tone}`} aria-labelledby="verdict">
      <div>
        <h2 id="verdict" class={`state ${tone}`}>{verdict}</h2>
        <p>{[becauseOf(carrier), ...alsoLines(carrier)].join(" ")}</p>
        {missingData(carrier).map((line) => <p>{line}</p>)}
      </div>
      <div class="actions">
        <a class="button" href={saferOf(dot).url} rel="noreferrer">
          Open in SAFER <Icon name="outside" />
        </a>
        <a class="button quiet" href={`/carriers/${dot}/record`}>Save vetting record</a>
        {alerts
          ? <a class="button quiet" href={`/alerts?dot=${dot}`}>Watch</a>
          : <a class="button quiet" href={`/mcs150.ics?dot=${dot}`}>Remind me</a>}
      </div>
    </section>
  );
}

/** Data that is missing and must not be overlooked, as sentences. */
export function missingData({ inspections_24m, not_reported, snapshot }: Carrier): string[] {
  const uninspected = snapshot.notice === undefined
    ? "No roadside inspections in 24 months: out-of-service rates can't be calculated."
    : SAMPLE_WITHOUT_INSPECTIONS;
  const blank = not_reported.map((name) =>
    name === "operation" ? "where it operates" : name.replace("_", " ")
  );
  return [
    ...inspections_24m === null ? [uninspected] : [],
    ...blank.length === 0 ? [] : [`Blank in the census: ${blank.join(", ")}.`],
  ];
}

/** Why the verdict is what it is, in a sentence. */
function becauseOf({ checks, inspections_24m }: Carrier): string {
  const [worst] = findingsOf(checks);
  switch (worst?.id) {
    case undefined:
      return "Confirm authority and insurance on SAFER before you tender a load.";
    case "oos_rates":
      return rateSentence(inspections_24m!);
    case "usdot_status":
      return worst!.state === "bad"
        ? "The census lists this USDOT number as inactive and doesn't say why."
        : "The application for this USDOT number is not decided.";
    default:
      return `${worst!.summary}.`;
  }
}

const PUT: Readonly<Record<InspectionKindName, string>> = {
  vehicle: "Vehicles were",
  driver: "Drivers were",
  hazmat: "Hazardous materials were",
};

/** `Vehicles were put out of service in 10 of 13 inspections (76.9%), 3.5 times the national average.` */
function rateSentence(inspections: Inspections24m): string {
  return INSPECTION_KINDS.filter((kind) => compareRate(inspections[kind]) === "above")
    .map((kind) => {
      const { inspections: all, out_of_service, rate_pct, national_average_pct } =
        inspections[kind];
      const times = (rate_pct! / national_average_pct).toFixed(1);
      return `${PUT[kind]} put out of service in ${counted(out_of_service)} of ${
        plural(all, "inspection")
      } (${rate_pct!.toFixed(1)}%), ${times} times the national average.`;
    }).join(" ");
}

/** The reasons beside the worst one, as a sentence if there are any. */
export function alsoLines(carrier: Carrier): string[] {
  const [, ...others] = reasonsOf(carrier);
  return others.length === 0 ? [] : [`Also: ${others.map(uncapitalized).join("; ")}.`];
}

/** The text without a capital at its start, but for one that starts an acronym. */
function uncapitalized(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** The state of the worst check; `info` for none, never that of an approval. */
export function toneOf({ checks }: Carrier): CheckState {
  return findingsOf(checks)[0]?.state ?? "info";
}

/** Asks whether an MC number was meant: digits alone can be either. */
export function MaybeMc({ mc, quiet }: { mc: string; quiet?: boolean }) {
  return (
    <p class={quiet ? "hint" : "notice"}>
      Did you mean the MC number {mc}? <a href={`/search?q=MC+${mc}`}>Look up MC {mc}</a>
    </p>
  );
}
