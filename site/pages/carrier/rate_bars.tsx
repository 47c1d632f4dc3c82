/**
 * Two bars: a carrier's rate above the national average.
 *
 * @module
 */

import type { InspectionRate } from "../../../api/rules/schemas.ts";

const LABEL = 92;
const BAR = 150;
const ROW = 24;

/** What the bars show. */
export interface RateBarsProps {
  /** The kind of inspection. */
  name: string;
  rate: InspectionRate;
  /** Percent that the longest bar of the page stands for. */
  largest: number;
  /** Too few inspections to compare: the bar is drawn hollow. */
  few: boolean;
}

/** The bars, with the same in words for those who do not see them. */
export function RateBars({ name, rate, largest, few }: RateBarsProps) {
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
