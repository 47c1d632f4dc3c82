/**
 * Rows of the synthetic Out of Service Orders file, at the rates of the real one. Each order and rescission
 * has its own day, so that a later file has those of an earlier one and a few more.
 *
 * @module
 */

import { isoDay } from "../../pipeline/dates.ts";
import { carrierFacts, carrierNames, carrierPlace } from "./carrier.ts";
import { compactDay, csvCell, dayOf } from "./format.ts";
import type { DatasetPlan } from "./plan.ts";
import { Choice, quantile, type Quantiles, Random } from "./random.ts";

const STREAM = 50;

/** Days that the file lags behind the census. */
const BEHIND = 2;

/** Shares of carriers with an order: 92,048 rows of active numbers and 307,400 of others, of 4.5 million. */
const ORDERED = { A: 0.038, other: 0.125 };
/** The number of further orders of such a carrier: 399,500 rows of 340,000 numbers. */
const MORE = 0.15;
/** Shares of orders without a rescission: 14,430 rows of active numbers, 56% of all. */
const UNRESCINDED = { A: 0.157, other: 0.68 };

/** Days of the orders relative to the data date; one in fourteen is in the year after it. */
const AGES: Quantiles = [[0, -365], [0.07, 0], [0.28, 1_100], [0.6, 3_300], [0.9, 6_500], [
  1,
  8_600,
]];
/** Days from an order to its rescission. */
const LASTED: Quantiles = [[0, 0], [0.2, 3], [0.5, 15], [0.8, 120], [1, 2_000]];

const REASONS = new Choice<string>([
  ["New Entrant Revoked - Refusal of Audit/No Contact", 85],
  ["New Entrant Revoked - Failure of Safety Audit", 4],
  ["New Entrant Revoked - Expedited Actions", 2],
  ["Denial of Access", 3],
  ["90 day failure to pay fine", 4],
  ["Intrastate Out of Service", 1],
  ["Unsatisfactory = Unfit", 0.5],
  ["Imminent Hazard", 0.1],
]);

/** Active carriers have orders for unpaid fines from these days; half of those have no rescission. */
const FINES = { from: dayOf("2011-01-01"), to: dayOf("2016-12-31"), unrescinded: 0.5 };

/** One order in this many has impossible dates, a rescission in the future, or an unknown number. */
const RARE = { impossible: 20_000, later: 5_000, unknown: 2_000 };

/** Returns the lines of the carrier at an index, each with its line feed; empty for most. */
export function orderLines(plan: DatasetPlan): (index: number) => string {
  return (index) => {
    const random = new Random().restart(plan.seed, index, STREAM);
    const carrier = carrierFacts(plan, index);
    const of = carrier.status === "A" ? "A" : "other";
    if (!random.chance(ORDERED[of])) return "";
    const names = carrierNames(plan, index, carrierPlace(plan, index));
    const status = { A: "ACTIVE", I: "INACTIVE" }[carrier.status] ?? "PENDING";
    const dot = random.below(RARE.unknown) === 0 ? 90_000_000 + index : carrier.dot;
    let text = "";
    for (let more = true; more; more = random.chance(MORE)) {
      const dates = drawDates(plan, random, UNRESCINDED[of]);
      const { day, isFine } = dates;
      const reason = isFine && of === "A" ? "90 day failure to pay fine" : REASONS.pick(random);
      const cells = [dot, csvCell(names.legal), csvCell(names.dba), dates.date, reason, status];
      if (day <= plan.today + plan.day - BEHIND) text += `${cells.join(",")},${dates.rescinded}\n`;
    }
    return text;
  };
}

interface OrderDates {
  day: number;
  date: string;
  rescinded: string;
  isFine: boolean;
}

function drawDates(plan: DatasetPlan, random: Random, unrescinded: number): OrderDates {
  const day = Math.floor(plan.today - quantile(AGES, random.unit()));
  const over = day + Math.floor(quantile(LASTED, random.unit()));
  const inFines = day >= FINES.from && day <= FINES.to;
  const isFine = inFines && random.chance(0.1);
  const isOver = !random.chance(isFine ? FINES.unrescinded : unrescinded);
  const isAnnounced = random.below(RARE.later) === 0;
  const isImpossible = random.below(RARE.impossible) === 0;
  const date = isoOf(day);
  const known = plan.today + plan.day - BEHIND;
  const rescinded = isImpossible
    ? isoOf(day - 1)
    : isAnnounced
    ? isoOf(plan.today + 400)
    : isOver && over <= known
    ? isoOf(over)
    : "";
  return { day, date, rescinded, isFine };
}

function isoOf(day: number): string {
  return isoDay(Number(compactDay(day)));
}
