/**
 * Roadside inspections: the carrier's rates beside the national averages, with their sample sizes.
 *
 * @module
 */

import { formatForPeople } from "../../../api/rules/calendar.ts";
import {
  compareRate,
  INSPECTION_KINDS,
  type InspectionKindName,
} from "../../../api/rules/out_of_service.ts";
import type { Carrier, InspectionRate, Inspections24m } from "../../../api/rules/schemas.ts";
import { counted } from "../../../pipeline/text.ts";

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

const LABEL = 92;
const BAR = 150;
const ROW = 24;

interface RateBarsProps {
  name: string;
  rate: InspectionRate;
  /** Percent that the longest bar of the page represents. */
  largest: number;
  /** Too few inspections to compare: the bar is drawn hollow. */
  few: boolean;
}

/** The bars, with the same in words for those who do not see them. */
function RateBars({ name, rate, largest, few }: RateBarsProps) {
  const carrier = `${rate.rate_pct!.toFixed(1)}%`;
  const average = `${rate.national_average_pct}%`;
  return (
    <svg
      class={few ? "rates few" : "rates"}
      viewBox={`0 0 ${LABEL + BAR + 58} ${2 * ROW}`}
      role="img"
      aria-label={`${name}: this carrier ${carrier}, national average ${average}`}
    >
      <Bar y={0} label="This carrier" text={carrier} share={rate.rate_pct! / largest} />
      <Bar y={ROW} label="Average" text={average} share={rate.national_average_pct / largest} />
    </svg>
  );
}

function Bar({ y, label, text, share }: { y: number; label: string; text: string; share: number }) {
  // Nothing out of service is a line, not an empty place.
  const width = Math.max(1, Math.round(share * BAR * 10) / 10);
  return (
    <>
      <text x={0} y={y + 16}>{label}</text>
      <rect x={LABEL} y={y + 4} width={width} height={ROW - 9} />
      <text x={LABEL + width + 6} y={y + 16}>{text}</text>
    </>
  );
}
