/**
 * When a synthetic carrier last filed its MCS-150: due in the month its last digit names, every two years,
 * and in four cases of ten long ago (41.6 % of active carriers on 2026-05-11).
 *
 * @module
 */

import type { CarrierFacts } from "./carrier.ts";
import type { Country } from "./plan.ts";
import { lastDayOfMonth } from "./days.ts";
import { quantile, type Quantiles, type Random } from "./random.ts";

/** Days since the last filing of those who missed a deadline. */
const LATE: Quantiles = [[0, 731], [0.5, 1_300], [0.8, 2_400], [0.95, 4_300], [1, 7_500]];
/** Days since the last filing of inactive carriers. */
const GONE: Quantiles = [[0, 60], [0.15, 900], [0.5, 3_000], [0.85, 6_000], [1, 9_500]];

/** The day of the last filing, or null where the file leaves it blank. */
export function filingDay(
  country: Country,
  carrier: CarrierFacts,
  options: { random: Random; added: number },
): number | null {
  const { random, added } = options;
  const active = carrier.status === "A";
  if (random.chance(active ? 0.012 : 0.06)) return null;
  const today = country.today;
  let day: number;
  if (!active) day = today - quantile(GONE, random.unit());
  else if (random.chance(0.458)) day = today - quantile(LATE, random.unit());
  else if (random.chance(0.75)) {
    day = lastDue(carrier.dot, today) - random.below(75) + random.below(20);
  } else day = today - random.below(731);
  return Math.floor(Math.min(today - 1, Math.max(day, added)));
}

/** The last day of the month, in the last two years, that the two last digits name (49 CFR 390.19T(b)). */
function lastDue(dot: number, today: number): number {
  const month = dot % 10 === 0 ? 10 : dot % 10;
  const odd = Math.floor(dot / 10) % 2;
  let year = new Date(today * 86_400_000).getUTCFullYear();
  while (year % 2 !== odd || lastDayOfMonth(year, month) > today) year--;
  return lastDayOfMonth(year, month);
}
