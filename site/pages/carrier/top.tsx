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
import {
  type Carrier,
  type CheckState,
  type Finding,
  IDENTITY_CHANGES,
  type Inspections24m,
} from "../../../api/rules/schemas.ts";
import { KIND_WORDS } from "../../../api/rules/findings.ts";
import { isOfOrders } from "../../../api/rules/orders.ts";
import { dataAge, isUnusable, mainDocket, NOT_USABLE, placeOf } from "../../../api/rules/words.ts";
import { counted, escapeInvisible, plural, quoted } from "../../../pipeline/text.ts";
import { Copy, Facts, FiledText, Icon } from "../../components/blocks.tsx";
import { dayQuery } from "./as_of.tsx";
import { calledName, someFacts } from "./facts.ts";

/** @param today The day in the link to share, on a page for today. */
export function Identity({ carrier, today }: { carrier: Carrier; today: string }) {
  const { dot, as_of = today, legal_name, dba_name, address, phone, page_url, snapshot } = carrier;
  const zip = address.zip?.slice(0, 5);
  const line = [placeOf(carrier), zip].filter(Boolean).join(" ");
  const place = [line, phone].filter(Boolean).join(" · ");
  return (
    <>
      <h1 data-seen={dot}>
        <FiledText text={calledName(carrier)} />
      </h1>
      {legal_name !== "" && dba_name !== null && (
        <p class="dba">
          Doing business as <FiledText text={dba_name} />
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
            <FiledText text={place} />
          </li>
        )}
        <li {...snapshot.stale ? { class: "warn" } : {}}>
          {snapshot.notice === undefined ? "Data" : "Sample"} of {dataAge(snapshot)}
        </li>
        <li class="share">
          <Copy
            icon="link"
            text={page_url + dayQuery(as_of)}
            what="the link to this day's record"
          />
        </li>
      </ul>
      {snapshot.notice !== undefined && (
        <details class="sample">
          <summary>Sample data, not FMCSA's current files</summary>
          <p>{escapeInvisible(snapshot.notice)}</p>
        </details>
      )}
    </>
  );
}

function Docket({ carrier }: { carrier: Carrier }) {
  const docket = mainDocket(carrier.dockets) ?? carrier.dockets[0];
  if (docket === undefined) {
    return <li>{isUnusable(carrier, "dockets") ? `MC ${NOT_USABLE}` : "No MC on file"}</li>;
  }
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
        ...someFacts(carrier, ["USDOT record since", "Hazmat"]),
      ]}
    />
  );
}

const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact" });

export function Verdict({ carrier, alerts }: { carrier: Carrier; alerts: boolean }) {
  const { dot, as_of, verdict } = carrier;
  const tone = toneOf(carrier);
  const { findings } = carrier;
  // The headline contains the first finding, unless it counts facts.
  const below = findings[0]?.kind === "fact" ? findings : findings.slice(1);
  return (
    <section class={`notice verdict ${tone}`} aria-labelledby="verdict">
      <div>
        <h2 id="verdict" class={`state ${tone}`}>{verdict}</h2>
        {below.length > 0 ? <Findings findings={below} /> : <p>{becauseOf(carrier)}</p>}
        {missingData(carrier).map((line) => <p>{line}</p>)}
      </div>
      <div class="actions">
        <a class="button" href={saferOf(dot).url}>
          Open in SAFER <Icon name="outside" />
        </a>
        <a class="button quiet" href={`/carriers/${dot}/record${dayQuery(as_of)}`}>
          Save vetting record
        </a>
        {alerts
          ? <a class="button quiet" href={`/alerts?dot=${dot}`}>Watch</a>
          : <a class="button quiet" href={`/mcs150.ics?dot=${dot}`}>Remind me</a>}
      </div>
    </section>
  );
}

/** Data that is missing and must not be overlooked, as sentences. */
export function missingData(
  { inspections_24m, not_reported, unusable, snapshot }: Carrier,
): string[] {
  const uninspected = snapshot.notice === undefined
    ? "No roadside inspections in 24 months: out-of-service rates can't be calculated."
    : SAMPLE_WITHOUT_INSPECTIONS;
  const named = (name: string): string =>
    name === "operation" ? "where it operates" : name.replaceAll("_", " ");
  const refused = unusable.map(({ member, filed }) =>
    filed === null ? named(member) : `${named(member)} (${quoted(filed)})`
  );
  return [
    ...inspections_24m === null ? [uninspected] : [],
    ...not_reported.length === 0
      ? []
      : [`Blank in the census: ${not_reported.map(named).join(", ")}.`],
    ...refused.length === 0 ? [] : [`Filed, but not usable: ${refused.join(", ")}.`],
  ];
}

/** Returns a sentence that explains the only finding. Without findings, it says what the data can't show. */
function becauseOf({ findings: [first], checks, inspections_24m }: Carrier): string {
  switch (first?.id) {
    case undefined:
      return "Confirm authority and insurance on SAFER before you tender a load.";
    case "oos_rates":
      return rateSentence(inspections_24m!);
    case "usdot_status":
      if (isOfOrders(checks[0]!)) return first.detail;
      return first.kind === "problem"
        ? "The census lists this USDOT number as inactive and doesn't say why."
        : "The application for this USDOT number is not decided.";
    default: {
      const check = checks.find(({ id }) => id === first!.id);
      return check === undefined ? first!.detail : `${check.summary}.`;
    }
  }
}

/** Number of findings to show below the headline. The others are collapsed. */
const NEXT_FINDINGS = 3;

/** Findings, each with a link to its row. */
function Findings({ findings }: { findings: readonly Finding[] }) {
  const next = findings.slice(0, NEXT_FINDINGS);
  const rest = findings.slice(NEXT_FINDINGS);
  const lines = (some: readonly Finding[]) => (
    <ul>
      {some.map(({ kind, id, text }) => (
        <li>
          {KIND_WORDS[kind]}: <a href={`#${ROWS[id] ?? id}`}>{text}</a>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {lines(next)}
      {rest.length > 0 && (
        <details>
          <summary>and {rest.length} more</summary>
          {lines(rest)}
        </details>
      )}
    </>
  );
}

/** The id of a finding's row on the page, where it differs from the finding's id. */
const ROWS: Readonly<Partial<Record<Finding["id"], string>>> = {
  prior_revocation: "safety",
  ...Object.fromEntries(IDENTITY_CHANGES.map((id) => [id, "changes"])),
  docket_statuses: "dockets",
  unusable_orders: "orders",
  rescinded_orders: "orders",
};

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
      const times = (rate_pct! / national_average_pct!).toFixed(1);
      return `${PUT[kind]} put out of service in ${counted(out_of_service)} of ${
        plural(all, "inspection")
      } (${rate_pct!.toFixed(1)}%), ${times} times the national average.`;
    }).join(" ");
}

/** The color of the first finding. A fact, or no finding, has `info`, never the color of an approval. */
export function toneOf({ findings: [first] }: Carrier): CheckState {
  return first?.kind === "problem" ? "bad" : first?.kind === "review" ? "warn" : "info";
}

/** Asks whether an MC number was meant: digits alone can be either. */
export function MaybeMc({ mc, quiet }: { mc: string; quiet?: boolean }) {
  return (
    <p class={quiet ? "hint" : "notice"}>
      Did you mean MC number {mc}? <a href={`/search?q=MC+${mc}`}>Look up MC {mc}</a>
    </p>
  );
}
