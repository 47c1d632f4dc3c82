/**
 * The sections of a carrier's page.
 *
 * @module
 */

import { MOTUS_FROM } from "../../../api/rules/authority_check.ts";
import { formatForPeople } from "../../../api/rules/calendar.ts";
import { DATAQS, REGISTRATION, saferOf } from "../../../api/rules/official_sources.ts";
import type { Basis, Carrier, Check, CheckState, Mcs150 } from "../../../api/rules/schemas.ts";
import { dataLine, placeOf, reasonsOf } from "../../../api/rules/verdict.ts";
import { DataAge, inDays, Name, Outside, STATE_WORDS } from "../../components/text.tsx";
import { nextStep } from "./next_steps.ts";
import { calledName, flagWord, fleetCount, labelsOf, plainly } from "./text.ts";

export function Identity({ carrier }: { carrier: Carrier }) {
  const { dot, legal_name, dba_name, mc_number } = carrier;
  const place = placeOf(carrier);
  return (
    <>
      <h1>
        <Name text={calledName(carrier)} />
      </h1>
      <p class="lede">
        <span class="number">USDOT {dot}</span>
        {mc_number !== null && [" · ", <span class="number">MC {mc_number}</span>]}
        {place !== "" && [" · ", <Name text={place} />]}
        {legal_name !== "" && dba_name !== null &&
          [" · doing business as ", <Name text={dba_name} />]}
      </p>
    </>
  );
}

/** What the census says of fleet and filings. */
export function Facts({ carrier }: { carrier: Carrier }) {
  const { legal_name, dba_name, operation, safety_rating, snapshot } = carrier;
  return (
    <section aria-labelledby="census">
      <h2 id="census">Company details</h2>
      <dl class="facts">
        <Fact name="Legal name">
          <Name text={legal_name} />
        </Fact>
        <Fact name="Doing business as">
          {dba_name === null ? "none on file" : <Name text={dba_name} />}
        </Fact>
        <Fact name="Location">
          <Name text={placeOf(carrier)} />
        </Fact>
        <Fact name="Operation">{operation}</Fact>
        <Fact name="Power units">{fleetCount(carrier, "power_units")}</Fact>
        <Fact name="Drivers">{fleetCount(carrier, "drivers")}</Fact>
        <Fact name="Safety rating">{safety_rating}</Fact>
        <Fact name="Census of">{formatForPeople(snapshot.data_date)}</Fact>
      </dl>
    </section>
  );
}

/** The dockets with their flags, and what those are not. */
export function Dockets({ carrier: { dockets } }: { carrier: Carrier }) {
  return (
    <section aria-labelledby="dockets">
      <h2 id="dockets">Dockets</h2>
      {dockets.length === 0 ? <p>The census lists none.</p> : (
        <>
          <ul>
            {dockets.map(({ prefix, number, status }) => (
              <li>
                <span class="number">{prefix} {number}</span>: listed {flagWord(status)}
              </li>
            ))}
          </ul>
          <p class="soft">
            Docket status isn't operating authority. Confirm authority in Motus or on SAFER.
          </p>
        </>
      )}
    </section>
  );
}

function Fact({ name, children }: { name: string; children?: unknown }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children as string}</dd>
    </div>
  );
}

/** The tone is that of the worst check, and never that of an approval. */
const TONES: readonly CheckState[] = ["bad", "warn"];

/** The worst reason, the others, and the checks without a verdict. */
export function Verdict({ carrier }: { carrier: Carrier }) {
  const tone = TONES.find((state) => labelsOf(carrier, state).length > 0) ?? "info";
  const reasons = reasonsOf(carrier);
  const listed = ([["ok", labelsOf(carrier, "ok")], ["info", labelsOf(carrier, "info")]] as const)
    .filter(([, labels]) => labels.length > 0);
  return (
    <section class={`notice ${tone}`} aria-labelledby="verdict">
      <h2 id="verdict">{carrier.verdict}</h2>
      {plainly(carrier).map((sentence) => (
        <p>
          <strong>{sentence}</strong>
        </p>
      ))}
      <ul>
        {reasons.length > 1 && reasons.map((reason) => <li>{reason}</li>)}
        {listed.map(([state, labels]) => <li>{STATE_WORDS[state]}: {labels.join(", ")}</li>)}
      </ul>
      <DataAge snapshot={carrier.snapshot} />
      <p class="soft">
        This is not an approval. Each check below names its source and what it doesn't show.
      </p>
    </section>
  );
}

export function Checks({ carrier }: { carrier: Carrier }) {
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">Six checks</h2>
      <div class="cards">
        {carrier.checks.map((check) => <CheckCard check={check} carrier={carrier} />)}
      </div>
    </section>
  );
}

function CheckCard({ check, carrier }: { check: Check; carrier: Carrier }) {
  const { id, label, state, detail, basis } = check;
  const next = nextStep(carrier, check);
  return (
    <article class={`card rail ${state}`} id={id} aria-labelledby={`${id}-label`}>
      <h3 id={`${id}-label`}>{label}</h3>
      <p class={`state ${state}`}>{STATE_WORDS[state]}</p>
      <p>{detail}</p>
      {next !== undefined && (
        <p>
          <strong>Next:</strong> {next.text}
          {next.places.map((place, i) => (
            <>
              {i === 0 ? " " : " · "}
              <Outside place={place} />
            </>
          ))}
        </p>
      )}
      <p class="soft">
        <Source basis={basis} />
      </p>
    </article>
  );
}

function Source({ basis: { file, data_date, citation, url } }: { basis: Basis }) {
  return (
    <>
      Source: {file} of {formatForPeople(data_date)};{" "}
      {url === null ? citation : <Outside place={{ name: citation ?? "the file", url }} />}
    </>
  );
}

/** The deadline that counts, and the schedule behind it. */
export function Deadline(
  { carrier, schedule, alerts }: { carrier: Carrier; schedule: Mcs150; alerts: boolean },
) {
  const { dot, snapshot, mcs150: { next_due, days_until_due, last_filed, state } } = carrier;
  const dataDay = formatForPeople(snapshot.data_date);
  return (
    <section aria-labelledby="deadline">
      <h2 id="deadline">MCS-150 deadline</h2>
      <p class="lede">
        <time datetime={next_due}>{formatForPeople(next_due)}</time>, {inDays(days_until_due)}
        {days_until_due < 0 && (state === "overdue"
          ? `: no update for it in FMCSA's census of ${dataDay}`
          : ": whether the last filing counts for it is not settled")}
      </p>
      <p>
        Last filed: {last_filed === null
          ? "no date in the census"
          : <time datetime={last_filed}>{formatForPeople(last_filed)}</time>}. {schedule.rule}{" "}
        <a href="#mcs150">What the check says</a>
      </p>
      <div class="actions">
        <a class="button quiet" href={`/mcs150.ics?dot=${dot}`}>
          Calendar file for {formatForPeople(schedule.next_due)}
        </a>
        {alerts && (
          <a class="button quiet" href={`/alerts?dot=${dot}`}>
            Email me before it is due
          </a>
        )}
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

/** A dated record to copy, the data, and reminders. The script adds its buttons to the actions. */
export function Keep({ carrier: { dot, snapshot } }: { carrier: Carrier }) {
  return (
    <section aria-labelledby="keep">
      <h2 id="keep">Keep a record</h2>
      <p>
        A dated vetting record: the six verdicts with their sources, the time of the lookup, and the
        snapshot that answered.
      </p>
      <div class="actions" id="record">
        <a class="button quiet" href={`/carriers/${dot}/record.txt`}>Vetting record as text</a>
        <a class="button quiet" href={`/api/v1/carriers/${dot}`}>This page as JSON</a>
      </div>
      <p class="soft">
        {dataLine(snapshot)} Snapshot <span class="number">{snapshot.id}</span>.
      </p>
    </section>
  );
}

/** The official record and the way to correct it. */
export function Elsewhere({ dot }: { dot: string }) {
  return (
    <section aria-labelledby="elsewhere">
      <h2 id="elsewhere">The official record</h2>
      <ul>
        <li>
          Status, insurance and crashes: <Outside place={saferOf(dot)} />.
        </li>
        <li>
          Operating authority and other registration activity after {formatForPeople(MOTUS_FROM)}:
          {" "}
          <Outside place={REGISTRATION} />.
        </li>
        <li>
          Your own record is wrong? File an MCS-150 update through{" "}
          <Outside place={REGISTRATION} text="FMCSA registration" />; dispute an inspection in{" "}
          <Outside place={DATAQS} />. Corrections appear here with a later snapshot.
        </li>
      </ul>
    </section>
  );
}
