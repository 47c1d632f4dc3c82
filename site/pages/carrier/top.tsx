/**
 * The top of a carrier's page: who it is, the verdict, and what to do with it.
 *
 * @module
 */

import type { Child } from "hono/jsx";
import { formatForPeople } from "../../../api/rules/calendar.ts";
import { saferOf } from "../../../api/rules/official_sources.ts";
import type { Carrier, SnapshotFacts } from "../../../api/rules/schemas.ts";
import { mainDocket, yesOrNo } from "../../../api/rules/words.ts";
import { capitalized, plain, plural } from "../../../pipeline/text.ts";
import { Copy } from "../../components/fold.tsx";
import { Icon } from "../../components/icons.tsx";
import { Name } from "../../components/text.tsx";
import {
  alsoOf,
  becauseOf,
  calledName,
  compact,
  fleetWords,
  placeLine,
  plainly,
  toneOf,
} from "./text.ts";

/** The name and the numbers, to copy, with the age of the data. */
export function Identity({ carrier }: { carrier: Carrier }) {
  const { dot, legal_name, dba_name, phone, page_url, snapshot } = carrier;
  const name = calledName(carrier);
  const place = [placeLine(carrier), phone ?? ""].filter((part) => part !== "").join(" · ");
  return (
    <>
      <h1 data-seen={dot}>
        <Name text={name} />
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
        <li class={snapshot.stale ? "warn" : ""}>{ageWords(snapshot)}</li>
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

function ageWords({ data_date, age_days, notice }: SnapshotFacts): string {
  const age = age_days === 0 ? "today's" : `${plural(age_days, "day")} old`;
  return `${notice === undefined ? "Data" : "Sample"} from ${formatForPeople(data_date)} · ${age}`;
}

/** What describes a carrier at a glance. */
export function Glance({ carrier }: { carrier: Carrier }) {
  const { operation, roles, mileage, added, hazmat } = carrier;
  return (
    <dl class="glance">
      <Fact name="Fleet">{fleetWords(carrier)}</Fact>
      <Fact name="Operation">{operation}</Fact>
      {roles.length > 0 && <Fact name="Registered as">{capitalized(roles.join(", "))}</Fact>}
      {mileage !== null && (
        <Fact name="Mileage filed">
          {compact(mileage.miles)}
          {mileage.year !== null && ` (${mileage.year})`}
        </Fact>
      )}
      {added !== null && <Fact name="In FMCSA's file since">{formatForPeople(added)}</Fact>}
      <Fact name="Hazmat">{capitalized(yesOrNo(hazmat))}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children?: Child }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The worst reason, why, the other reasons, and three actions. */
export function Verdict({ carrier, alerts }: { carrier: Carrier; alerts: boolean }) {
  const { dot, verdict } = carrier;
  const tone = toneOf(carrier);
  return (
    <section class={`notice verdict ${tone}`} aria-labelledby="verdict">
      <div>
        <h2 id="verdict" class={`state ${tone}`}>{verdict}</h2>
        <p>
          {`${becauseOf(carrier)} ${alsoOf(carrier)}`.trimEnd()}
        </p>
        {plainly(carrier).map((line) => <p>{line}</p>)}
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
