/**
 * The six checks, a line each, the ones that need a look first.
 *
 * @module
 */

import { formatForPeople } from "../../../api/rules/calendar.ts";
import type { Basis, Carrier, Check, CheckState, Mcs150 } from "../../../api/rules/schemas.ts";
import { Fold } from "../../components/fold.tsx";
import { Outside } from "../../components/text.tsx";
import { nextStep } from "./next_steps.ts";

const ORDER: readonly CheckState[] = ["bad", "warn", "info", "ok"];

interface ChecksProps {
  carrier: Carrier;
  /** The schedule of the number. */
  schedule: Mcs150;
  /** Whether email alerts can be sent. */
  alerts: boolean;
}

export function Checks({ carrier, schedule, alerts }: ChecksProps) {
  const checks = ORDER.flatMap((state) => carrier.checks.filter((check) => check.state === state));
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">
        Six checks <small>Not an approval. Each check opens to its source.</small>
      </h2>
      <div class="folds checks">
        {checks.map((check) => (
          <Fold id={check.id} state={check.state} label={check.label} line={check.summary}>
            <p>{check.detail}</p>
            {check.id === "mcs150" && (
              <Schedule dot={carrier.dot} schedule={schedule} alerts={alerts} />
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

function Schedule(
  { dot, schedule, alerts }: { dot: string; schedule: Mcs150; alerts: boolean },
) {
  return (
    <>
      <p>{schedule.rule}</p>
      <p>
        <a href={`/mcs150.ics?dot=${dot}`}>
          Calendar file for {formatForPeople(schedule.next_due)}
        </a>
        {alerts && [" · ", <a href={`/alerts?dot=${dot}`}>Email me before it is due</a>]}
      </p>
    </>
  );
}

function Next({ carrier, check }: { carrier: Carrier; check: Check }) {
  const next = nextStep(carrier, check);
  if (next === undefined) return null;
  return (
    <p>
      <strong>Next:</strong> {next.text}
      {next.places.map((place, i) => (
        <>
          {i === 0 ? " " : " · "}
          <Outside place={place} />
        </>
      ))}
    </p>
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
