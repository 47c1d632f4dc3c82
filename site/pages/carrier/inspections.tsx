/**
 * Roadside inspections: the carrier's rates beside the national averages, with their sample sizes.
 *
 * @module
 */

import {
  compareRate,
  INSPECTION_KINDS,
  type InspectionKindName,
} from "../../../api/rules/out_of_service.ts";
import { formatForPeople } from "../../../api/rules/calendar.ts";
import type { Carrier, InspectionRate, Inspections24m } from "../../../api/rules/schemas.ts";
import { counted } from "../../../pipeline/text.ts";
import { RateBars } from "./rate_bars.tsx";

const KIND_WORDS: Readonly<Record<InspectionKindName, string>> = {
  vehicle: "Vehicle",
  driver: "Driver",
  hazmat: "Hazardous materials",
};

/** The 24-month summary, or that there is none. */
export function Inspections({ carrier }: { carrier: Carrier }) {
  const { inspections_24m: inspections, checks } = carrier;
  return (
    <section aria-labelledby="inspections">
      <h2 id="inspections">Roadside inspections</h2>
      {inspections === null
        ? <p>{checks.find(({ id }) => id === "oos_rates")!.detail}</p>
        : <Summary inspections={inspections} />}
    </section>
  );
}

function Summary({ inspections }: { inspections: Inspections24m }) {
  const { from, to, total, violations, last_inspection } = inspections;
  // One scale for all three, so that their lengths can be compared.
  const largest = Math.max(
    ...INSPECTION_KINDS.map((kind) =>
      Math.max(inspections[kind].rate_pct ?? 0, inspections[kind].national_average_pct)
    ),
  );
  return (
    <>
      <p>
        {counted(total)} from {formatForPeople(from)} to {formatForPeople(to)}, the last on{" "}
        {formatForPeople(last_inspection)}, with {counted(violations)}{" "}
        {violations === 1 ? "violation" : "violations"}. One inspection can count in several
        categories.
      </p>
      <div class="cards">
        {INSPECTION_KINDS.map((kind) => (
          <Kind name={KIND_WORDS[kind]} rate={inspections[kind]} largest={largest} />
        ))}
      </div>
      <p class="soft">
        Bars: percent of inspections that put the vehicle or driver out of service. This rate
        doesn't show whether the carrier is under an out-of-service order. Hazmat counts may differ
        from SAFER's.
      </p>
    </>
  );
}

function Kind({ name, rate, largest }: { name: string; rate: InspectionRate; largest: number }) {
  const { inspections, out_of_service, rate_pct } = rate;
  const few = compareRate(rate) === "too few";
  return (
    <figure class="card">
      <figcaption>
        <b>{name}</b>: {counted(inspections)} {inspections === 1 ? "inspection" : "inspections"}
      </figcaption>
      {rate_pct === null ? <p>No inspections of this kind, so no rate.</p> : (
        <>
          <RateBars name={name} rate={rate} largest={largest} few={few} />
          <p>
            {counted(out_of_service)} of {counted(inspections)} out of service.
            {few && " Too few to compare."}
          </p>
        </>
      )}
    </figure>
  );
}
