/**
 * The six checks, one line each and the most urgent first, and the differences between FMCSA's two files.
 *
 * @module
 */

import { formatForPeople } from "../../../pipeline/dates.ts";
import {
  OFFICIAL_SOURCES,
  type OfficialSource,
  saferOf,
} from "../../../api/rules/official_sources.ts";
import type {
  Basis,
  Carrier,
  Check,
  CheckId,
  CheckState,
  Mcs150,
} from "../../../api/rules/schemas.ts";
import { isOfOrders } from "../../../api/rules/orders.ts";
import { counted, plural } from "../../../pipeline/text.ts";
import { FiledText, Fold, Outside, Table } from "../../components/blocks.tsx";
import STEPS from "../../content/next_steps.json" with { type: "json" };

const ORDER: readonly CheckState[] = ["bad", "warn", "info", "ok"];

interface ChecksProps {
  carrier: Carrier;
  schedule: Mcs150;
  alerts: boolean;
}

export function Checks({ carrier, schedule, alerts }: ChecksProps) {
  const checks = ORDER.flatMap((state) => carrier.checks.filter((check) => check.state === state));
  return (
    <section>
      <h2 id="checks">
        Six checks <small>Not an approval. Open a check for its source.</small>
      </h2>
      <div class="folds checks">
        {checks.map((check) => (
          <Fold id={check.id} check={check} label={check.label} line={check.summary}>
            <p>{check.detail}</p>
            {check.id === "mcs150" && (
              <Schedule carrier={carrier} schedule={schedule} alerts={alerts} />
            )}
            <Next carrier={carrier} check={check} />
            <p class="soft">
              <Source basis={check.basis} />
            </p>
          </Fold>
        ))}
      </div>
    </section>
  );
}

function Schedule({ carrier: { dot, as_of }, schedule, alerts }: ChecksProps) {
  return (
    <>
      <p>{schedule.rule}</p>
      {/* A calendar file has the next date as of today. */}
      {as_of === undefined && (
        <p>
          <a href={`/mcs150.ics?dot=${dot}`}>
            Calendar file for {formatForPeople(schedule.next_due)}
          </a>
          {alerts && [" · ", <a href={`/alerts?dot=${dot}`}>Email me before it is due</a>]}
        </p>
      )}
    </>
  );
}

function Next({ carrier, check }: { carrier: Carrier; check: Check }) {
  const next = nextStep(carrier, check);
  if (next === undefined) return null;
  return (
    <p>
      <strong>Next:</strong> {next.text}
      {next.places.map((place, i) => [i === 0 ? " " : " · ", <Outside place={place} />])}
    </p>
  );
}

type StepsByState = Partial<Record<CheckState, { text: string; places: string[] }>>;

const STEPS_BY_CHECK: Readonly<Record<CheckId, StepsByState>> = STEPS;

const ORDER_STEP = {
  text: "On the day you tender a load, check on SAFER whether the order stands.",
  places: ["SAFER"],
};

/** Returns what to do next for a check in this state; undefined if there is nothing to do. */
export function nextStep(
  { dot }: Carrier,
  { id, state, data, basis }: Pick<Check, "id" | "state" | "data" | "basis">,
): { text: string; places: OfficialSource[] } | undefined {
  const step = isOfOrders({ basis }) ? ORDER_STEP : STEPS_BY_CHECK[id][state];
  if (step === undefined || data === "not_applicable") return undefined;
  const places = step.places
    .map((place) => place === "SAFER" ? saferOf(dot) : OFFICIAL_SOURCES[place]!);
  return { text: step.text, places };
}

function Source({ basis: { file, data_date, citation, url } }: { basis: Basis }) {
  const source = `${file}, ${formatForPeople(data_date)}`;
  if (citation === null && url !== null) {
    return (
      <>
        Source: <Outside place={{ name: source, url }} />
      </>
    );
  }
  return (
    <>
      Source: {source}; {url === null ? citation : <Outside place={{ name: citation!, url }} />}
    </>
  );
}

export function Differences({ carrier: { differences } }: { carrier: Carrier }) {
  if (differences.length === 0) return null;
  return (
    <section>
      <h2 id="differences">
        Registration vs. roadside <small>These don't match; there may be an ordinary reason.</small>
      </h2>
      <div class="folds">
        {differences.map(({ kind, label, inspections, detail, names, explanations }) => (
          <Fold
            id={kind}
            label={label}
            line={inspections === 0 ? "No inspections" : plural(inspections, "inspection")}
          >
            <p>{detail}</p>
            {names !== undefined && (
              <Table
                caption="Roadside names"
                heads={["Name", "Inspections", "First", "Last"]}
                rows={names.map(({ name, inspections, first, last }) => [
                  <FiledText text={name} />,
                  counted(inspections),
                  formatForPeople(first),
                  formatForPeople(last),
                ])}
              />
            )}
            <p>Possible reasons</p>
            <ul>{explanations.map((text) => <li>{text}</li>)}</ul>
          </Fold>
        ))}
      </div>
    </section>
  );
}
