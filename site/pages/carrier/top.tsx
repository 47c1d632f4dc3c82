/**
 * The top of a carrier's page: who it is, the verdict, and what to do with it.
 *
 * @module
 */

import { saferOf } from "../../../api/rules/official_sources.ts";
import type { Carrier } from "../../../api/rules/schemas.ts";
import { dataAge } from "../../../api/rules/verdict.ts";
import { mainDocket, placeOf } from "../../../api/rules/words.ts";
import { plain } from "../../../pipeline/text.ts";
import { Copy, Facts, Icon } from "../../components/blocks.tsx";
import { Name } from "../../components/text.tsx";
import { calledName, someFacts } from "./facts.ts";
import { alsoLines, becauseOf, missingData, toneOf } from "./text.ts";

/** The name and the numbers, to copy, with the age of the data. */
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

/** What describes a carrier at a glance. */
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

/** The worst reason, why, the other reasons, and three actions. */
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

/** Asks whether an MC number was meant: digits alone can be either. */
export function MaybeMc({ mc, quiet }: { mc: string; quiet?: boolean }) {
  return (
    <p class={quiet ? "hint" : "notice"}>
      Did you mean the MC number {mc}? <a href={`/search?q=MC+${mc}`}>Look up MC {mc}</a>
    </p>
  );
}
